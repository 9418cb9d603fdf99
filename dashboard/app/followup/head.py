"""The head of a campaign: its live status, and what can be done with it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.followup import start, time
from dashboard.app.four_eyes import asked_for, may_approve
from dashboard.app.people import signed_in
from dashboard.app.seen import may_change, text_seen
from dashboard.app.standing.costs import billed_words, estimate_words
from dashboard.app.standing.stages import handed_over, heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.badges import campaign_badge
from dashboard.app.widgets.marks import heap_bar
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import answers, asking, close_if_asked, doing, say_refusal
from dashboard.formatting import clocks, moment
from dashboard.ledger import Campaign
from dashboard.words import _, count, plural

ENDED = ("done", "cancelled")
CANCELLABLE = ("draft", "scheduled", "running", "paused")
OFTEN_S, SELDOM_S = 3.0, 10.0
OPEN_HEAPS = ("waiting", "on_the_way", "unknown")


def is_moving(campaign: Campaign) -> bool:
    """Whether the page should refresh itself, because something may still change without it.

    A campaign that has ended still changes while its requests are on their way to the service, while delivery
    reports may come in, and while one of them may settle an unknown batch.
    """
    return campaign.state not in ENDED or any(heaps(campaign)[heap] for heap in OPEN_HEAPS)


def looks_again_s(campaign: Campaign) -> float | None:
    """After how many seconds to look whether something has changed; None if nothing can.

    What waits for a time or a person seldom does: another tab, or the clock, begins it.
    """
    if not is_moving(campaign):
        return None
    return SELDOM_S if campaign.state in {"draft", "scheduled"} else OFTEN_S


def show(campaign: Campaign) -> None:
    """Draw the head."""
    places = [of(campaign.campaign) for of in (_place, start.place, time.place)]
    for place in places:
        close_if_asked(place)
    with st.container(
        key="page-head", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.title(plain(campaign.name), anchor=False)
            campaign_badge(campaign.state)
        _buttons(campaign)
    for place in places:
        say_refusal(place)
    st.caption(" · ".join(_lines(campaign)))
    with st.container():  # however many remarks there are, the bar stays where it is
        if campaign.reason:
            st.warning(plain(text_seen(campaign.reason)), icon=":material/info:")
        _progress(campaign)
    heap_bar(heaps(campaign))


def _lines(campaign: Campaign) -> list[str]:
    here = zone()
    if campaign.state == "scheduled" and campaign.scheduled_at:
        lines = [_("Starts {time}").format(time=clocks(campaign.scheduled_at, here))]
    elif campaign.started_at:
        lines = [_("Started {time}").format(time=moment(campaign.started_at, here))]
    else:
        lines = [_("Made {time}").format(time=moment(campaign.created_at, here))]
    if campaign.finished_at:
        lines.append(_("ended {time}").format(time=moment(campaign.finished_at, here)))
    return [
        *lines,
        _("estimated {cost}").format(cost=estimate_words(campaign)),
        _("billed {cost}").format(cost=billed_words(campaign)),
    ]


def _progress(campaign: Campaign) -> None:
    if campaign.state == "draft":
        st.info(_draft(campaign), icon=":material/hourglass_empty:")
    if campaign.state == "done" and campaign.unknown:
        st.warning(
            _("Done, {number} unknown: nobody can tell whether the service took them. See below.").format(
                number=count(campaign.unknown)
            ),
            icon=":material/help:",
        )
    if campaign.state in {"running", "paused"}:
        st.markdown(
            plural(
                campaign.recipients,
                "**{handed_over}** of {count} message handed over",
                "**{handed_over}** of {count} messages handed over",
                handed_over=count(handed_over(campaign)),
            )
        )
    if campaign.state == "running":
        for reason in runtime.current().shown.waiting_reasons(campaign.campaign):
            st.warning(
                _("Waiting: {reason} It will be retried automatically.").format(
                    reason=plain(text_seen(reason))
                ),
                icon=":material/hourglass_top:",
            )


def _draft(campaign: Campaign) -> str:
    """What a campaign waits for that was not started."""
    asked = asked_for([campaign.campaign]).get(campaign.campaign)
    if asked is None:
        return _("Prepared, but not started. Start it or cancel it here.")
    waits = _("Waiting for approval since {time}. It was asked for by {people}.").format(
        time=moment(asked.at, zone()), people=plain(", ".join(asked.who))
    )
    if campaign.scheduled_at:
        waits += " " + _("Once approved, it starts {time}.").format(
            time=clocks(campaign.scheduled_at, zone())
        )
    if may_approve(signed_in(), asked):
        return waits
    waits += " " + _("An approver or administrator can give it, but not whoever asked for it.")
    if signed_in().name in asked.who:
        waits += " " + _("To change it, cancel it, then begin a new one from it with “Use again”.")
    return waits


def _buttons(campaign: Campaign) -> None:
    if not may_change():
        return
    with st.container(horizontal=True, width="content"):
        own, place = campaign.campaign, _place(campaign.campaign)
        if campaign.state in start.WAITING:
            start.button(campaign)
        if campaign.state == "scheduled":
            time.button(campaign)
        if campaign.state == "running":
            st.button(
                _("Pause"), icon=":material/pause:", **doing(place, partial(actions.pause_campaign, own))
            )
        if campaign.state == "paused":
            st.button(
                _("Resume"),
                icon=":material/play_arrow:",
                type="primary",
                **doing(place, partial(actions.resume_campaign, own)),
            )
        if campaign.state in CANCELLABLE:
            title, icon = _("Cancel this campaign?"), ":material/cancel:"
            asking(place, _("Cancel…"), title, _confirm_cancel, own, campaign.ready, icon=icon)


def _place(campaign_id: str) -> str:
    """Where the buttons say why they did nothing."""
    return f"head-{campaign_id}"


def _confirm_cancel(campaign_id: str, ready: int) -> None:
    place = _place(campaign_id)
    close_if_asked(place)
    if runtime.current().shown.campaign(campaign_id).state not in CANCELLABLE:
        st.rerun()  # it is cancelled, or was sent meanwhile
    st.write(
        plural(
            ready,
            "**{count} message** not yet handed over will never be sent. Messages the service already "
            "has cannot be recalled. This cannot be undone.",
            "**{count} messages** not yet handed over will never be sent. Messages the service already "
            "has cannot be recalled. This cannot be undone.",
        )
    )
    answers(
        place,
        no=_("Keep it"),
        yes=_("Cancel the campaign"),
        key="confirm-cancel",
        then=doing(place, partial(actions.cancel_campaign, campaign_id)),
    )

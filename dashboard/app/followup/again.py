"""What can be done after a campaign: its text used again, people followed up, the rejected tried again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dashboard.app import drafting
from dashboard.app.drafts import Draft, address
from dashboard.app.seen import may_change
from dashboard.app.standing.follow_ups import WAITING, Group
from dashboard.app.widgets.kept import once
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import (
    Pressed,
    answers,
    asking,
    close_if_asked,
    doing,
    say_refusal,
)
from dashboard.campaigns import SentText
from dashboard.ledger import Campaign
from dashboard.words import _, count, plural

_BEGUN = "begun-again"
_DAYS, _MOST_DAYS = 2, 60


def buttons(campaign: Campaign, texts: Sequence[SentText]) -> None:
    """Draw what can be begun; each begins a draft, and nothing is sent."""
    if not may_change():
        return
    own, place = campaign.campaign, _place(campaign.campaign)
    with st.container(horizontal=True, width="content"):
        st.button(
            _("Use again"),
            icon=":material/content_copy:",
            help=_(
                "Begin a new campaign with the same text, sender, links and choice of people. You choose the "
                "lists."
            ),
            **_beginning(own, partial(drafting.use_texts, own)),
        )
        if not campaign.forgotten_at:
            _with_people(campaign, texts)
    say_refusal(place)
    _go_on()


def _with_people(campaign: Campaign, texts: Sequence[SentText]) -> None:
    own, place = campaign.campaign, _place(campaign.campaign)
    if campaign.rejected:
        st.button(
            plural(campaign.rejected, "Try {count} rejected again", "Try {count} rejected again"),
            icon=":material/replay:",
            help=_(
                "Begin a new campaign with the same text for those whom the service rejected. You see them "
                "and the price before anything is sent."
            ),
            **_beginning(own, partial(drafting.follow_up, own, Group.REJECTED, 0)),
        )
    if campaign.accepted + campaign.rejected:
        title, icon = _("Follow up on this campaign"), ":material/forward_to_inbox:"
        asking(place, _("Follow up…"), title, _ask, campaign, texts, icon=icon)


def _ask(campaign: Campaign, texts: Sequence[SentText]) -> None:
    """Ask whom to write to."""
    own, place = campaign.campaign, _place(campaign.campaign)
    close_if_asked(place)
    _go_on()
    known = {
        Group.FAILED: campaign.failed,
        Group.REJECTED: campaign.rejected,
        Group.DELIVERED: campaign.delivered,
    }
    groups: list[Group] = list(Group)
    group: Group = st.radio(
        _("Who gets the new message"),
        groups,
        format_func=lambda group: f"{_(group)} ({count(known[group])})" if group in known else _(group),
        key=_of(own, "group"),
    )
    if group in WAITING:
        st.number_input(
            _("Not delivered for how many days"), 0, _MOST_DAYS, _DAYS, width=220, key=_of(own, "days")
        )
    st.caption(
        _(
            "The new draft has its own sheet: these people, with the columns you know and what became of "
            "their message. They are checked again, including against today's opt-outs."
        )
    )
    st.caption(_clicks(texts))
    answers(
        place,
        no=_("Not now"),
        yes=_("Begin the follow-up"),
        key="begin-follow-up",
        then=_beginning(own, partial(_chosen, own)),
    )


def _chosen(campaign_id: str) -> Draft:
    group = Group(st.session_state[_of(campaign_id, "group")])
    return drafting.follow_up(campaign_id, group, int(st.session_state.get(_of(campaign_id, "days"), _DAYS)))


def _clicks(texts: Sequence[SentText]) -> str:
    """Why nobody can be chosen by clicks, and where they can be seen."""
    said = _("Nobody here can tell who clicked a link: the service does not report clicks.")
    tracked = list(dict.fromkeys(text.tracking for text in texts if text.tracking))
    if not tracked:
        return said
    return (
        said
        + " "
        + _("Your website's statistics show them: its links carried svc_campaign={values}.").format(
            values=plain(", ".join(tracked))
        )
    )


def _beginning(campaign_id: str, begin: Callable[[], Draft]) -> Pressed:
    return doing(_place(campaign_id), partial(_keep, once(begin)))


def _keep(begin: Callable[[], Draft]) -> None:
    draft = begin()
    st.session_state[_BEGUN] = address(draft.id, draft.step)


def _go_on() -> None:
    """Open the draft that a click has begun."""
    if begun := st.session_state.pop(_BEGUN, None):
        st.switch_page("views/new.py", query_params=begun)


def _place(campaign_id: str) -> str:
    return f"again-{campaign_id}"


def _of(campaign_id: str, field: str) -> str:
    return f"follow-up-{field}-{campaign_id}"

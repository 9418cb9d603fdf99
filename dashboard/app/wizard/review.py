"""Step 5: who gets it, who does not and why, what it costs and when; then one click and one question."""

from __future__ import annotations

from datetime import datetime, time
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.four_eyes import needs_approval
from dashboard.app.gathered import contacts_of
from dashboard.app.prepare import VARIANT_NAMES, Written, capped_of
from dashboard.app.sheets.left_out import left_out
from dashboard.app.timing import held_until
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.marks import bubble, counted_reasons
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.app.wizard.open_columns import open_columns
from dashboard.app.wizard.ready_rows import ready_rows
from dashboard.app.wizard.rows import notes
from dashboard.app.wizard.start import lines
from dashboard.app.wizard.start.clocks import both_clocks, pace_in_words, times_in_words
from dashboard.app.wizard.start.confirm import APPROVAL, ask_if_seen
from dashboard.app.wizard.start.hours import keep_hours
from dashboard.app.wizard.start.lines import Line
from dashboard.app.wizard.start.when import when
from dashboard.app.wizard.text.cost import by_place, by_variant, in_money, remarks
from dashboard.campaigns.when.night import NIGHT_BEGINS, NIGHT_ENDS, at_night
from dashboard.contacts import ContactList
from dashboard.errors import CampaignError
from dashboard.formatting import credit_count, moment
from dashboard.jobs.guards import same_lately
from dashboard.words import _, count, plural, time_of_day


def show(draft: Draft) -> None:
    """Draw the step."""
    contacts = contacts_of(draft)
    left, right = st.columns([3, 2], gap="large")
    with left:
        if not when(draft, countries_of(contacts)):
            steps.foot(draft, back=4, onward=None)
            return
        try:
            now = runtime.current().now()
            written = capped_of(draft, now.replace(second=0, microsecond=0))
            held = held_until(draft, now)
        except CampaignError as error:
            st.error(plain(error), icon=":material/error:")
            steps.foot(draft, back=4, onward=None)
            return
        times = times_in_words(written.messages, held)
        _facts(draft, written, times)
        if needs_approval(written.estimate.messages):
            st.info(_(APPROVAL), icon=":material/how_to_reg:")
        _night(draft, written, held)
        again = _same_again(written)
        notes(contacts)
        open_columns(draft, contacts)
        _names(written)
        _left_out(contacts, written)
    with right:
        _example(draft, written)
        both_clocks(written.messages, held)
        by_place(written.estimate)
    _each_message(draft, contacts, written)
    _foot(draft, written, times, again)


def countries_of(contacts: ContactList) -> list[str]:
    """The countries of the people who can be texted (ISO 3166)."""
    countries = contacts.rows["country"].dropna()
    return [str(country) for country in countries.unique()]


def _facts(draft: Draft, written: Written, times: str) -> None:
    estimate = written.estimate
    sender = draft.sender or _("The account's default")
    with st.container(border=True):
        lines.draw(
            draft,
            [
                Line(_("Campaign"), draft.name, _("Change name"), step=4),
                Line(_("Sheet"), draft.file_name, _("Change sheet"), step=1),
                Line(_("Recipients"), count(estimate.messages), _("Change recipients"), step=3),
                Line(_("Sender"), sender, _("Change sender"), step=4, is_option=True),
                Line(_("Links"), _links(draft), _("Change links"), step=4, is_option=True),
                Line(_("Credits"), credit_count(estimate.credits_low, estimate.credits_high)),
                Line(_("Cost"), in_money(estimate)),
                Line(_("When"), times),
                Line(_("Time needed"), pace_in_words(estimate.messages)),
            ],
        )
        if draft.variants:
            by_variant(draft, estimate)
        remarks(draft, written)


def _night(draft: Draft, written: Written, held: datetime | None) -> None:
    """Warn of those who may be texted at night, unless hours were chosen: then these hold."""
    if draft.keep_hours:
        return
    pace = runtime.current().settings.messages_per_second
    people = at_night(written.messages, ZoneInfo(draft.home or zone().key), per_second=pace, held=held)
    if not people:
        return
    st.warning(
        plural(
            people,
            "{count} person may get this at night: after {begin} or before {end} where they live.",
            "{count} people may get this at night: after {begin} or before {end} where they live.",
            begin=_time(NIGHT_BEGINS),
            end=_time(NIGHT_ENDS),
        ),
        icon=":material/bedtime:",
    )
    st.button(_("Keep quiet hours"), icon=":material/bedtime:", on_click=whole(keep_hours), args=(draft.id,))


def _time(of_day: time) -> str:
    return time_of_day(datetime.combine(datetime.now(zone()), of_day))


def _same_again(written: Written) -> int:
    """Warn of a campaign with the same text for the same people; returns how many of the messages it had."""
    earlier = same_lately(runtime.current().ledger, written.messages)
    if earlier.empty:
        return 0
    newest, same = earlier.iloc[0], int(earlier["messages"].sum())
    st.warning(
        _(
            "{same} of these {messages} people got, or will get, the same text from another campaign; the "
            "newest is “{name}” of {time}. Send it again only if you mean to."
        ).format(
            same=count(same),
            messages=count(written.estimate.messages),
            name=plain(newest["name"]),
            time=moment(newest["created_at"], zone()),
        ),
        icon=":material/content_copy:",
    )
    return same


def _names(written: Written) -> None:
    """Warn of names that may be none."""
    for sentence in written.names:
        st.warning(plain(sentence), icon=":material/badge:")


def _links(draft: Draft) -> str:
    if not draft.shorten_links:
        return _("Kept as they are")
    return (
        _("Shortened, tracked as {tracking}").format(tracking=draft.tracking)
        if draft.tracking
        else _("Shortened")
    )


def _left_out(contacts: ContactList, written: Written) -> None:
    reasons = left_out(contacts, written.messages)
    skipped = int(reasons["rows"].sum())
    section(
        plural(skipped, "{count} row left out", "{count} rows left out")
        if skipped
        else _("Nobody is left out")
    )
    if not skipped:
        st.caption(_("Every row of the sheet gets a message."))
        return
    counted_reasons(
        zip(reasons["rows"], reasons["reason"], strict=True),
        _("Why rows are left out, and how many for each reason"),
    )


def _each_message(draft: Draft, contacts: ContactList, written: Written) -> None:
    """Each person with the message they get, to look through before it is sent."""
    with st.expander(_("Every person's message"), icon=":material/sms:"):
        ready_rows(draft, contacts, contacts.rows[contacts.rows["status"] == "ok"], written)


def _example(draft: Draft, written: Written) -> None:
    sent = written.messages[written.messages["problem"].isna()]
    if not draft.variants and len(sent):
        section(_("The first message"))
        bubble(draft.sender, written.arriving(str(sent["body"].iloc[0])))
    for name in VARIANT_NAMES[: len(draft.variants)]:
        section(_("The first message with text {name}").format(name=name))
        theirs = sent.loc[sent["variant"] == name, "body"]
        if theirs.empty:
            st.caption(_("Nobody gets this text: there are fewer people than texts."))
        else:
            bubble(draft.sender, written.arriving(str(theirs.iloc[0])))
    lines.change(draft, _("Change text"), 4)


def _foot(draft: Draft, written: Written, times: str, again: int) -> None:
    """Draw the end of the step, and what became of a click on the button that sends."""
    messages = written.estimate.messages
    send = (
        plural(messages, "Send {count} message", "Send {count} messages")
        if draft.when == "now"
        else plural(messages, "Schedule {count} message", "Schedule {count} messages")
    )
    with st.container(horizontal=True, vertical_alignment="center", key="step-foot"):
        st.button(_("Back"), on_click=whole(steps.go), args=(draft, 4), icon=":material/arrow_back:")
        asked = st.button(
            send,
            type="primary",
            icon=":material/send:",
            disabled=not messages,
            key="send",
        )
        if not messages:
            st.caption(_("There is nobody to send to. Go back and correct the rows or the message."))
        ask_if_seen(draft, written, times, again, asked=asked)

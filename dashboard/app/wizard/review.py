"""Step 5: who gets it, who does not and why, what it costs and when; then one click and one question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.guards import same_lately
from dashboard.app.prepare import Written, contacts_of, written_of
from dashboard.app.pure.countries import country_name
from dashboard.app.pure.formatting import clocks, count, count_range, moment, money_range, plural
from dashboard.app.pure.left_out import left_out
from dashboard.app.pure.stages import HEAPS
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import bars, bubble, counted_reasons, facts
from dashboard.app.widgets.page import section
from dashboard.app.wizard import steps
from dashboard.campaigns.schedule import scheduled_time
from dashboard.errors import CampaignError, LedgerError

COUNTRIES_SHOWN = 6
WHEN = {"now": "Send now", "later": "Schedule"}


def show(draft: Draft) -> None:
    """Draw the step."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _when(draft)
        try:
            written = written_of(draft)
            if draft.when == "later" and draft.send_at is not None:
                scheduled_time(draft.send_at)
        except CampaignError as error:
            st.error(str(error), icon=":material/error:")
            steps.foot(draft, back=4, onward=None)
            return
        _facts(draft, written)
        _same_again(written)
        _left_out(draft, written)
    with right:
        _example(draft, written)
        _countries(written)
    _foot(draft, written)


def _when(draft: Draft) -> None:
    key, at_key = f"when-{draft.id}", f"at-{draft.id}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "When",
            list(WHEN),
            default=draft.when,
            required=True,
            format_func=lambda option: WHEN[option],
            key=key,
            on_change=steps.keep,
            args=(draft.id, "when", key),
        )
        if draft.when == "later":
            st.datetime_input(
                f"Send at ({zone().key})",
                value=(draft.send_at or _tomorrow()).astimezone(zone()).replace(tzinfo=None),
                min_value=datetime.now(zone()).replace(tzinfo=None),
                key=at_key,
                on_change=steps.keep,
                args=(draft.id, "send_at", at_key, _aware),
            )
            if draft.send_at is None:
                actions.change_draft(draft.id, send_at=_tomorrow())
                st.rerun()


def _tomorrow() -> datetime:
    morning = datetime.now(zone()).replace(hour=10, minute=0, second=0, microsecond=0)
    return (morning + timedelta(days=1)).astimezone(UTC)


def _aware(local: datetime) -> datetime:
    return local.replace(tzinfo=zone()).astimezone(UTC)


def _facts(draft: Draft, written: Written) -> None:
    estimate, settings = written.estimate, runtime.current().settings
    at = draft.send_at if draft.when == "later" else None
    rows = {
        "Campaign": draft.name,
        "Recipients": count(estimate.messages),
        "Sender": draft.sender or "The account's default",
        "Links": _links(draft),
        "Credits": count_range(estimate.credits_low, estimate.credits_high, "credit"),
        "Cost": (
            "Set DASHBOARD_PRICE_PER_CREDIT to see it in money"
            if estimate.cost_low is None
            else money_range(estimate.cost_low, estimate.cost_high, settings.currency)
        ),
        "When": clocks(at, zone()) if at else "As soon as you confirm",
    }
    with st.container(border=True):
        facts(rows)


def _same_again(written: Written) -> None:
    """Warn of a campaign with the same text for the same people."""
    earlier = same_lately(runtime.current(), written.messages)
    if earlier.empty:
        return
    newest = earlier.iloc[0]
    st.warning(
        f"The same text went to the same people {moment(newest['created_at'], zone())}, in the campaign "
        f"“{newest['name']}”. Send it again only if you mean to.",
        icon=":material/content_copy:",
    )


def _links(draft: Draft) -> str:
    if not draft.shorten_links:
        return "Kept as they are"
    return f"Shortened, tracked as {draft.tracking}" if draft.tracking else "Shortened"


def _left_out(draft: Draft, written: Written) -> None:
    reasons = left_out(contacts_of(draft), written.messages)
    skipped = int(reasons["rows"].sum())
    section(f"{plural(skipped, 'row')} left out" if skipped else "Nobody is left out")
    if not skipped:
        st.caption("Every row of the sheet gets a message.")
        return
    counted_reasons(
        zip(reasons["rows"], reasons["reason"], strict=True), "Why rows are left out, with how many each"
    )


def _example(draft: Draft, written: Written) -> None:
    sent = written.messages[written.messages["problem"].isna()]
    if len(sent):
        section("The first message")
        bubble(draft.sender or "The account's default sender", str(sent["body"].iloc[0]))


def _countries(written: Written) -> None:
    by_country = written.estimate.by_country.head(COUNTRIES_SHOWN)
    if len(by_country) < 2:  # noqa: PLR2004 - one bar compares nothing
        return
    section("By country")
    names = [country_name(code) for code in by_country["country"].astype("str")]
    numbers = by_country["messages"].tolist()
    bars(
        [(name, number, count(number)) for name, number in zip(names, numbers, strict=True)],
        color=HEAPS["on_the_way"].color,
    )


def _foot(draft: Draft, written: Written) -> None:
    messages = written.estimate.messages
    verb = "Schedule" if draft.when == "later" else "Send"
    with st.container(horizontal=True, vertical_alignment="center", key="step-foot"):
        st.button("Back", on_click=steps.go, args=(draft.id, 4), icon=":material/arrow_back:")
        asked = st.button(
            f"{verb} {plural(messages, 'message')}",
            type="primary",
            icon=":material/send:",
            disabled=not messages,
            key="send",
        )
        if not messages:
            st.caption("There is nobody to send to. Go back and correct the rows or the message.")
    if asked:
        _confirm(draft, messages, written)


@st.dialog("Send this campaign?", icon=":material/send:")
def _confirm(draft: Draft, messages: int, written: Written) -> None:
    settings, estimate = runtime.current().settings, written.estimate
    credits_ = count_range(estimate.credits_low, estimate.credits_high, "credit")
    cost = ""
    if estimate.cost_low is not None:
        cost = f", {money_range(estimate.cost_low, estimate.cost_high, settings.currency)}"
    people = plural(messages, "person", "people")
    st.write(f"**{people}** will get a text message from **{draft.name}**: {credits_}{cost}.")
    if draft.when == "later" and draft.send_at is not None:
        st.write(f"It starts by itself on {clocks(draft.send_at, zone())}. Until then you can cancel it.")
    else:
        st.write("Sending starts at once. What was handed over to the service cannot be recalled.")
    if settings.uses_sandbox:
        st.caption(":material/science: Sandbox: no message leaves this machine.")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Not yet"):
            st.rerun()
        if st.button(
            "Schedule it" if draft.when == "later" else "Send now", type="primary", key="confirm-send"
        ):
            _start(draft)


def _start(draft: Draft) -> None:
    try:
        campaign = actions.start_campaign(draft)
    except actions.AlreadySentError as error:
        campaign = error.campaign
    except (CampaignError, LedgerError) as error:
        st.error(str(error), icon=":material/error:")
        return
    st.switch_page("views/campaign.py", query_params={"id": campaign})

"""When the messages are sent: at once, at one time, or at a time on each recipient's clock; and who waits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.drafts import Draft
from dashboard.app.phrasing.zones import zones_by_name
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import Kept, kept
from dashboard.app.wizard import steps
from dashboard.app.wizard.start.hours import texting_hours
from dashboard.campaigns import Handover, what_can_be_cancelled
from dashboard.formatting import moment
from dashboard.words import N_, _, day_and_time, day_format

WHEN = {"now": N_("Send now"), "later": N_("One time"), "local": N_("Recipient's local time")}
A_DAY = timedelta(days=1)
WHO_WAITS = {
    Handover.HOLD.value: N_("Held here until due"),
    Handover.SERVICE.value: N_("Handed to the service"),
}


def when(draft: Draft, countries: list[str]) -> bool:
    """Draw the choices; `countries` are those of the recipients.

    Returns:
        Whether there is a sending time: the one chosen earlier may have passed in the meantime.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choice(draft, "when", _("When"), WHEN)
        if draft.when == "later":
            _one_time(draft)
        elif draft.when == "local":
            _local_time(draft)
    past = _past(draft)
    if past:
        st.warning(
            _("The chosen time, {time}, has passed. Choose a new one, or choose “Send now”.").format(
                time=past
            ),
            icon=":material/alarm:",
        )
    texting_hours(draft, countries)
    if draft.when == "local" or draft.keep_hours:
        _home(draft)
    if draft.when != "now" or draft.keep_hours:
        _choice(draft, "handover", _("Where messages wait until then"), WHO_WAITS)
        st.caption(what_can_be_cancelled(Handover(draft.handover)))
    return not past


def _choice(draft: Draft, field: str, label: str, options: dict[str, str]) -> None:
    st.segmented_control(
        label,
        list(options),
        default=getattr(draft, field),
        required=True,
        format_func=lambda option: _(options[option]),
        **steps.kept_in(draft, field),
    )


def _one_time(draft: Draft) -> None:
    at = draft.send_at or _tomorrow().replace(tzinfo=zone()).astimezone(UTC)
    st.datetime_input(
        _("Send at ({zone})").format(zone=zone().key),
        value=None if _past(draft) else at.astimezone(zone()).replace(tzinfo=None),
        format=day_format(),
        min_value=_now(),
        **_kept_time(draft, "send_at", _aware),
    )
    if draft.send_at is None:
        drafting.change_draft(draft.id, send_at=at)
        st.rerun()


def _local_time(draft: Draft) -> None:
    at = draft.local_at or _tomorrow()
    st.datetime_input(
        _("Send at (each recipient's clock)"),
        value=None if _past(draft) else at,
        format=day_format(),
        min_value=_now() - A_DAY,
        **_kept_time(draft, "local_at"),
        help=_("Where this time has already passed, the message is sent at the same time the next day."),
    )
    if draft.local_at is None:
        drafting.change_draft(draft.id, local_at=at)
        st.rerun()


def _kept_time(draft: Draft, field: str, convert: Callable[[datetime], datetime] = lambda at: at) -> Kept:
    """Arguments for a time field; emptying the field keeps the draft's time, and shows it again.

    Streamlit's `required=True` would do this, but puts `aria-required` where ARIA does not allow it.
    """
    key = f"{field}-{draft.id}"

    def store(at: datetime | None) -> None:
        if at is None:
            del st.session_state[key]
        else:
            drafting.change_draft(draft.id, **{field: convert(at)})

    return kept(key, store)


def _home(draft: Draft) -> None:
    chosen = draft.home or zone().key
    zones = zones_by_name(chosen)
    st.selectbox(
        _("Time zone of numbers that do not reveal theirs"),
        zones,
        index=zones.index(chosen),
        **steps.kept_in(draft, "home"),
        help=_(
            "A number's zone follows from its country and its first digits. A few numbers belong to no place."
        ),
    )


def _past(draft: Draft) -> str:
    """The chosen time in words if it has passed; for recipients' clocks, if it has passed on all of them."""
    if draft.when == "later" and draft.send_at is not None and draft.send_at <= runtime.current().now():
        return moment(draft.send_at, zone())
    if draft.when == "local" and draft.local_at is not None and draft.local_at < _now() - A_DAY:
        return day_and_time(draft.local_at)
    return ""


def _tomorrow() -> datetime:
    """Ten o'clock tomorrow, on the viewer's clock."""
    return _now().replace(hour=10, minute=0, second=0, microsecond=0) + A_DAY


def _now() -> datetime:
    """The current time, as the viewer's clock would show it if it agreed with the ledger's."""
    return runtime.current().now().astimezone(zone()).replace(tzinfo=None)


def _aware(local: datetime) -> datetime:
    return local.replace(tzinfo=zone()).astimezone(UTC)

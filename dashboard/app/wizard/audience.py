"""Whom of the rows that are ready to text: conditions, earlier recipients, a sample; with a live count."""

from __future__ import annotations

from collections.abc import Callable
from secrets import randbelow
from typing import Any

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.audience import MOST_DAYS_BACK, DraftCondition
from dashboard.app.drafts import Draft
from dashboard.app.gathered import checked_of
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import kept, whole
from dashboard.app.widgets.page import section
from dashboard.app.wizard.condition import change_conditions, condition
from dashboard.contacts import ContactList
from dashboard.formatting import moment
from dashboard.ledger.database.states import COUNTED_AS_USED
from dashboard.words import _, plural

OFFERED_CAMPAIGNS = 500
SEEDS = 1_000_000


def audience(draft: Draft, contacts: ContactList) -> None:
    """Draw the choice, and how many it leaves.

    Args:
        draft: The draft.
        contacts: Its list, of which people are chosen.
    """
    section(_("Who gets it"))
    chosen = draft.audience
    named = bool(chosen.conditions or chosen.not_texted_days or chosen.campaigns or chosen.sample)
    if not (named or contacts.count("ok") or contacts.count("not_chosen")):
        st.markdown(_("Nobody is ready yet."))
        return
    _count(contacts)
    with st.expander(
        _("Choose among them"), icon=":material/filter_alt:", expanded=named, key=f"audience-{draft.id}"
    ):
        checked = checked_of(draft) if chosen.conditions else contacts
        for place, one in enumerate(chosen.conditions):
            condition(draft, checked, place, one)
        st.button(
            _("Add a condition"),
            icon=":material/add:",
            key=f"add-condition-{draft.id}",
            on_click=whole(_add_condition),
            args=(draft, _first_column(contacts)),
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _not_texted(draft)
            _sample(draft, contacts)
        _campaigns(draft)


def change(draft: Draft, **changes: Any) -> None:
    """Change fields of the draft's choice as it is on disk now."""
    drafting.change_draft(draft, lambda now: {"audience": now.audience.model_copy(update=changes)})


def _count(contacts: ContactList) -> None:
    ready, out = contacts.count("ok"), contacts.count("not_chosen")
    people = plural(ready, "**{count} person** will be texted", "**{count} people** will be texted")
    if not out:
        st.markdown(_("{people}: everybody who is ready.").format(people=people))
        return
    st.markdown(
        plural(out, "{people}; {count} is not chosen.", "{people}; {count} are not chosen.", people=people)
    )


def _first_column(contacts: ContactList) -> str:
    """A column to begin with: one that is no phone and no name, if there is one."""
    used = set(contacts.how.columns.columns)
    names = [str(name) for name in contacts.fields.columns]
    return next((name for name in names if name not in used), names[0])


def _add_condition(draft: Draft, column: str) -> None:
    added = DraftCondition(column=column)
    change_conditions(draft, lambda conditions: [*conditions, added])


def _kept_in(draft: Draft, field: str, convert: Callable[[Any], Any] = lambda value: value) -> Any:
    def store(value: Any) -> None:
        change(draft, **{field: convert(value)})

    return kept(f"audience-{field}-{draft.id}", store)


def _number_in(draft: Draft, field: str) -> Any:
    """The same for a number that can be cleared: Streamlit would put a default value back."""
    arguments = _kept_in(draft, field)
    st.session_state.setdefault(arguments["key"], getattr(draft.audience, field))
    return arguments


def _not_texted(draft: Draft) -> None:
    st.number_input(
        _("Not texted in the last … days"),
        min_value=1,
        max_value=MOST_DAYS_BACK,
        value=None,
        placeholder=_("Any"),
        help=_("Leaves out whoever was texted then, or is about to be, by any campaign."),
        width=230,
        **_number_in(draft, "not_texted_days"),
    )


def _sample(draft: Draft, contacts: ContactList) -> None:
    st.number_input(
        _("At most … people, at random"),
        min_value=1,
        value=None,
        placeholder=_("All"),
        help=_("The same people each time you look, until you draw again."),
        width=230,
        **_number_in(draft, "sample"),
    )
    if draft.audience.sample is not None:
        st.button(
            _("Draw again"),
            icon=":material/casino:",
            key=f"draw-again-{draft.id}",
            on_click=whole(_draw_again),
            args=(draft,),
        )


def _draw_again(draft: Draft) -> None:
    change(draft, seed=randbelow(SEEDS))


def _campaigns(draft: Draft) -> None:
    """Ask whose people to leave out."""
    campaigns = runtime.current().ledger.campaigns()
    reached = campaigns[list(COUNTED_AS_USED)].sum(axis=1) > 0
    campaigns = campaigns[reached | (campaigns["state"] != "cancelled")].head(OFFERED_CAMPAIGNS)
    names = {
        str(one): f"{name}, {moment(at, zone())}"
        for one, name, at in zip(
            campaigns["campaign"], campaigns["name"], campaigns["created_at"], strict=True
        )
    }
    known = {one: names.get(one, one) for one in (*names, *draft.audience.campaigns)}
    if not known:
        return
    st.multiselect(
        _("Leave out people who got"),
        list(known),
        default=list(draft.audience.campaigns),
        format_func=lambda one: known[one],
        placeholder=_("No campaign"),
        **_kept_in(draft, "campaigns", tuple),
    )

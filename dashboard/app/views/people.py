"""People: who may sign in, and as what; for administrators."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.phrasing.roles import role_meaning, role_name
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import empty, head, section
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import answers, asking, close, close_if_asked, doing, say_refusal
from dashboard.app.widgets.refusal import stop_without_role
from dashboard.formatting import moment
from dashboard.ledger import Listed
from dashboard.settings import ROLES
from dashboard.words import N_, _, plural

PAGE = 25
EXPORTS = N_("A viewer may download files, with numbers masked")
Ask = Callable[[str, Listed], None]
SAID, FORM = "people-said", "people"


def show() -> None:
    """Draw the form that adds somebody, and everybody who may sign in."""
    app = runtime.current()
    section(_("Add a person"))
    _add()
    people = sorted(app.ledger.people.now(app.given).values(), key=lambda one: one.address)
    section(plural(len(people), "{count} person may sign in", "{count} people may sign in"))
    page = page_of(len(people), PAGE, "people-page")
    with st.container(key="people", gap="small"):
        for one in people[page.rows]:
            _row(one)
    page.choose()
    if said := st.session_state.pop(SAID, None):
        st.toast(said, icon=":material/check:")


def _add() -> None:
    """A form of its own after each person who was added, so that it is empty again."""
    number = st.session_state.get("people-added", 0)
    address, role, exports = (f"person-{part}-{number}" for part in ("address", "role", "exports"))

    def add() -> None:
        actions.add_person(
            st.session_state[address], st.session_state[role], exports=st.session_state[exports]
        )
        st.session_state["people-added"] = number + 1
        st.session_state[SAID] = _("Added. They can sign in now.")

    with st.form("add-person", border=True, enter_to_submit=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(_("E-mail address"), key=address, width=320)
            st.selectbox(_("Role"), ROLES, format_func=role_name, key=role, width=200)
            st.form_submit_button(_("Add"), type="primary", icon=":material/person_add:", **doing(FORM, add))
        st.checkbox(_(EXPORTS), key=exports)
        st.caption(" ".join(f"**{role_name(one)}:** {role_meaning(one)}" for one in ROLES))
    say_refusal(FORM)


def _row(one: Listed) -> None:
    with st.container(
        border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        with st.container(width="content", gap=None):
            st.markdown(f"**{plain(one.address)}** · {_what(one)}")
            st.caption(_since(one))
        if one.who is not None:
            with st.container(horizontal=True, width="content"):
                _button(one, _("Change…"), "manage_accounts", _("What may they do?"), _change)
                _button(one, _("Remove…"), "person_remove", _("Remove this person?"), _remove)


def _what(one: Listed) -> str:
    """What somebody may do, in words."""
    name = role_name(one.role)
    return _("{role}, may download").format(role=name) if one.exports else name


def _since(one: Listed) -> str:
    if one.who is None or one.at is None:
        return _("Named by whoever runs this dashboard, who alone can change it.")
    return _("Decided by {who}, {time}").format(who=plain(one.who), time=moment(one.at, zone()))


def _button(one: Listed, label: str, icon: str, title: str, ask: Ask) -> None:
    place = f"{icon}-{one.address}"
    asking(place, label, title, ask, place, one, icon=f":material/{icon}:", key=place)


def _change(place: str, one: Listed) -> None:
    close_if_asked(place)
    key, exports = f"role-of-{one.address}", f"exports-of-{one.address}"
    st.write(f"**{plain(one.address)}**")
    st.radio(
        _("Role"),
        ROLES,
        index=ROLES.index(one.role) if one.role in ROLES else 0,
        format_func=role_name,
        captions=[role_meaning(role) for role in ROLES],
        key=key,
    )
    st.checkbox(_(EXPORTS), value=one.exports, key=exports)

    def keep() -> None:
        actions.change_person(one.address, st.session_state[key], exports=st.session_state[exports], seen=one)
        st.session_state[SAID] = _("Changed. It takes effect within seconds.")
        close(place)

    answers(place, no=_("Keep it as it is"), yes=_("Save"), key="confirm-role", then=doing(place, keep))


def _remove(place: str, one: Listed) -> None:
    close_if_asked(place)
    st.write(
        _(
            "**{name}** is signed out everywhere within seconds and cannot sign in again. Campaigns, lists "
            "and the history stay as they are."
        ).format(name=plain(one.address))
    )

    def remove() -> None:
        actions.remove_person(one.address, seen=one)
        st.session_state[SAID] = _("Removed. Their pages close within seconds.")
        close(place)

    answers(place, no=_("Keep them"), yes=_("Remove them"), key="confirm-removal", then=doing(place, remove))


person = signed_in()
head(_("People"), _("Who may sign in, and what they may do. A change takes effect within seconds."))
stop_without_role(person, "admin")
if runtime.current().desk is None:
    empty(
        _(
            "Nobody has to sign in here, so everybody who can reach this dashboard is an administrator. "
            "Whoever runs it can require people to sign in; they are then listed here."
        )
    )
else:
    show()

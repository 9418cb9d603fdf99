"""Texts: the library of saved texts, each with its versions."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import Person, signed_in
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import empty, head, search_field
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import answers, asking, close, close_if_asked, doing, say_refusal
from dashboard.formatting import moment
from dashboard.ledger import SavedText
from dashboard.words import _, plural

PAGE = 10


def show(person: Person) -> None:
    """Draw the page."""
    head(_("Texts"), _("Saved texts to start a message from. Every version is kept."))
    texts = runtime.current().ledger.library.all()
    if not texts:
        empty(
            _("Texts appear here once you save one: write a message and choose “Save to library”."),
            page="views/new.py" if person.may("sender") else "",
            action=_("New campaign"),
            icon=":material/edit_square:",
        )
        return
    wanted = search_field(_("Find a text"), "texts-find", width=300)
    found = [text for text in texts if wanted.casefold().strip() in f"{text.name} {text.text}".casefold()]
    if not found:
        empty(_("No text matches. Clear the search above."))
        return
    page = page_of(len(found), PAGE, "texts-page", wanted)
    for text in found[page.rows]:
        _text(person, text)
    page.foot(plural(len(found), "{count} text", "{count} texts"))


def _text(person: Person, text: SavedText) -> None:
    with st.container(border=True, key=f"text-{text.id}"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(width="content", gap=None):
                st.markdown(f"**{plain(text.name)}**")
                st.caption(_saved(text))
            if person.may("sender"):
                _buttons(text)
        st.text(text.text)
        if text.version > 1:
            _earlier(person, text)
        say_refusal(_place("restore", text))


def _buttons(text: SavedText) -> None:
    with st.container(horizontal=True, width="content"):
        for kind, label, icon, title, dialog in (
            ("rename", _("Rename…"), ":material/edit:", _("Rename this text"), _rename),
            ("delete", _("Delete…"), ":material/delete:", _("Delete this text?"), _delete),
        ):
            place = _place(kind, text)
            close_if_asked(place)
            asking(place, label, title, dialog, text, place, icon=icon, key=f"{kind}-{text.id}")


def _rename(text: SavedText, place: str) -> None:
    close_if_asked(place)
    key = f"new-name-{text.id}-{text.version}"
    st.text_input(_("Name of the text"), value=text.name, key=key, max_chars=120)

    def rename() -> None:
        actions.rename_text(text.id, st.session_state[key])

    _answer(_("Keep its name"), _("Rename it"), place, "confirm-rename", rename)


def _delete(text: SavedText, place: str) -> None:
    close_if_asked(place)
    st.write(
        _(
            "**{name}** will be deleted for everyone, with all its versions. Campaigns and drafts that began "
            "with it are not affected."
        ).format(name=plain(text.name))
    )
    _answer(_("Keep it"), _("Delete it"), place, "confirm-delete-text", partial(actions.delete_text, text.id))


def _answer(no: str, yes: str, place: str, key: str, action: Callable[[], object]) -> None:
    def act() -> None:
        action()
        close(place)

    answers(place, no=no, yes=yes, key=key, then=doing(place, act))


def _earlier(person: Person, text: SavedText) -> None:
    number = text.version - 1
    with st.expander(plural(number, "{count} earlier version", "{count} earlier versions")):
        for version in _versions(text):
            st.caption(_saved(version))
            st.text(version.text)
            if person.may("sender") and version.text != text.text:
                place = _place("restore", text)
                st.button(
                    _("Use version {number} again").format(number=version.version),
                    key=f"restore-{text.id}-{version.version}",
                    icon=":material/undo:",
                    **doing(place, partial(actions.restore_text, text.id, version.version)),
                )


def _versions(text: SavedText) -> Sequence[SavedText]:
    return runtime.current().ledger.library.versions(text.id)[1:]


def _saved(text: SavedText) -> str:
    return _("Version {number}, saved {time} by {name}").format(
        number=text.version, time=moment(text.at, zone()), name=plain(text.who)
    )


def _place(kind: str, text: SavedText) -> str:
    """Where a click on one of a text's buttons says why it did nothing."""
    return f"{kind}-text-{text.id}"


show(signed_in())

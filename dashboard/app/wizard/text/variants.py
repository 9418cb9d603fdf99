"""Several texts side by side: the switch, which one is being edited, and what is specific to each."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting
from dashboard.app.drafts import Draft, DraftVariant
from dashboard.app.prepare import VARIANT_NAMES
from dashboard.app.widgets.kept import draw_anew, kept, whole
from dashboard.app.wizard.steps import as_stored
from dashboard.words import _

OWN = ("message", "weight", "variant-tracking", "suffix")
"""Prefixes of the keys of widgets that show a draft's texts."""


def compare(draft: Draft) -> int | None:
    """Draw the switch and, if it is on, the choice of text to edit; returns its place among the variants."""
    key = f"compare-{draft.id}"
    st.session_state.setdefault(key, bool(draft.variants))
    st.toggle(
        _("Compare texts (A/B)"),
        **kept(key, partial(_switch, draft)),
        help=_(
            "Each person gets one of several texts, chosen at random. When off, everybody gets text A; "
            "the others are kept for when you turn it on again."
        ),
    )
    return _choose(draft) if draft.variants else None


def _switch(draft: Draft, is_on: object) -> None:
    def decide(now: Draft) -> dict[str, Any]:
        if bool(is_on) == bool(now.variants):  # another tab was first
            return {}
        if not is_on:
            return {"template": now.variants[0].template, "variants": (), "set_aside": now.variants}
        first, *others = now.set_aside or [DraftVariant(suffix=name) for name in VARIANT_NAMES[:2]]
        if not now.set_aside:
            others = [variant.model_copy(update={"template": now.template}) for variant in others]
        return {"variants": (first.model_copy(update={"template": now.template}), *others)}

    _draw_texts_anew(draft)
    drafting.change_draft(draft.id, decide)


def _choose(draft: Draft) -> int:
    key = f"variant-{draft.id}"
    names = list(VARIANT_NAMES[: len(draft.variants)])
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control(_("Text"), names, required=True, key=key)
        place = names.index(chosen or names[0])
        if len(names) < len(VARIANT_NAMES):
            st.button(
                _("Add text {name}").format(name=VARIANT_NAMES[len(names)]),
                icon=":material/add:",
                type="tertiary",
                on_click=whole(_add),
                args=(draft, place, key),
            )
        if len(names) > 2:  # noqa: PLR2004 - fewer than two compare nothing
            st.button(
                _("Remove {name}").format(name=chosen),
                icon=":material/close:",
                type="tertiary",
                on_click=whole(_remove),
                args=(draft, place),
            )
    return place


def _add(draft: Draft, place: int, key: str) -> None:
    def decide(now: Draft) -> dict[str, Any]:
        if len(now.variants) != len(draft.variants):  # it was clicked again before it was drawn again
            return {}
        name = st.session_state[key] = VARIANT_NAMES[len(now.variants)]
        added = DraftVariant(template=now.variants[place].template, suffix=name)
        return {"variants": (*now.variants, added)}

    _draw_texts_anew(draft)
    drafting.change_draft(draft.id, decide)


def _remove(draft: Draft, place: int) -> None:
    def decide(now: Draft) -> dict[str, Any]:
        if len(now.variants) != len(draft.variants):
            return {}
        return {"variants": now.variants[:place] + now.variants[place + 1 :]}

    _draw_texts_anew(draft)
    drafting.change_draft(draft.id, decide)


def of_its_own(draft: Draft, place: int) -> None:
    """Draw a variant's share, campaign name and tracking."""
    variant, name = draft.variants[place], VARIANT_NAMES[place]
    keys = {field: f"{field}-{draft.id}-{name}" for field in OWN[1:]}
    for key, value in zip(keys.values(), (variant.weight, variant.tracking, variant.suffix), strict=True):
        st.session_state.setdefault(key, value)
    weight, tracking, suffix = keys.values()
    parts = sum(each.weight for each in draft.variants)
    with st.grid(3, min_column_width=150, gap="small"):
        st.number_input(
            _("Share of {name}, out of {parts}").format(name=name, parts=parts),
            min_value=1,
            max_value=1000,
            step=1,
            **kept(weight, partial(_store, draft.id, place, "weight")),
            help=_(
                "With 1 and 1, each text goes to half of the people; with 9 and 1, the second goes to "
                "a tenth."
            ),
        )
        st.text_input(
            _("Added to the name"),
            **kept(suffix, partial(_store, draft.id, place, "suffix")),
            placeholder=_("Nothing"),
            help=_("Lets the service count this text's messages separately."),
        )
        st.text_input(
            _("Tracking of {name}").format(name=name),
            **kept(tracking, partial(_store, draft.id, place, "tracking")),
            placeholder=draft.tracking or _("None"),
            help=_("Added to the address behind each short link as svc_campaign. Needs short links."),
            disabled=not draft.shorten_links,
        )


def _store(draft_id: str, place: int, field: str, value: Any) -> None:
    drafting.change_variant(draft_id, place, **{field: value.strip() if isinstance(value, str) else value})


def as_typed(draft: Draft) -> Draft:
    """The draft with what was typed until now; for changes that its widgets shall show."""
    _draw_texts_anew(draft)
    return as_stored(draft)


def _draw_texts_anew(draft: Draft) -> None:
    draw_anew(tuple(f"{own}-{draft.id}" for own in OWN))

"""Step 4: the message at the left, and at the right what a person gets and what it costs."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written, contacts_of, written_of
from dashboard.app.pure.formatting import count, count_range, money_range, plural, unit_price
from dashboard.app.widgets.marks import bubble, facts
from dashboard.app.widgets.page import section
from dashboard.app.wizard import steps
from dashboard.campaigns import cheapest_edit, explain, has_links, outside_gsm, to_gsm
from dashboard.errors import CampaignError

SHOWN_CHARACTERS = 6


def show(draft: Draft) -> None:
    """Draw the step."""
    fields = [str(name) for name in contacts_of(draft).fields.columns]
    left, right = st.columns([3, 2], gap="large")
    with left:
        _editor(draft, fields)
        _options(draft)
    with right, st.container(key="preview"):
        written = _preview(draft)
    ready = bool(draft.name.strip()) and written is not None and written.estimate.messages > 0
    steps.foot(draft, back=3, onward=5, ready=ready, why_not=_missing(draft, written))


def _missing(draft: Draft, written: Written | None) -> str:
    if not draft.name.strip():
        return "Give the campaign a name."
    if not draft.template.strip():
        return "Write the message."
    if written is None:
        return "Correct the message."
    return "No message can be sent as it is written."


def _editor(draft: Draft, fields: list[str]) -> None:
    name_key, text_key = f"name-{draft.id}", f"text-{draft.id}"
    st.text_input(
        "Campaign name",
        value=draft.name,
        max_chars=120,
        key=name_key,
        placeholder="Spring sale",
        help="You and the service group messages by it; recipients do not see it.",
        on_change=steps.keep,
        args=(draft.id, "name", name_key, str.strip),
    )
    st.session_state.setdefault(text_key, draft.template)
    st.text_area(
        "Message",
        key=text_key,
        height=190,
        placeholder="Hi {{ First name | there }}, our spring sale starts today.",
        on_change=steps.keep,
        args=(draft.id, "template", text_key),
    )
    picked = st.pills(
        "Insert from the sheet",
        fields,
        key=f"insert-{draft.id}-{st.session_state.get('inserts', 0)}",
        help="Write {{ First name | there }} to have “there” where the cell is empty.",
        wrap=True,
    )
    if picked:
        _insert(draft, text_key, picked)


def _insert(draft: Draft, text_key: str, field: str) -> None:
    text = st.session_state[text_key]
    gap = "" if not text or text.endswith((" ", "\n")) else " "
    actions.change_draft(draft.id, template=f"{text}{gap}{{{{ {field} }}}}")
    st.session_state["inserts"] = st.session_state.get("inserts", 0) + 1
    del st.session_state[text_key]  # drawn anew from the draft
    st.rerun()


def _options(draft: Draft) -> None:
    with st.expander("Sender, links and empty fields", icon=":material/tune:"):
        sender, links = f"sender-{draft.id}", f"links-{draft.id}"
        tracking, blank = f"tracking-{draft.id}", f"blank-{draft.id}"
        st.text_input(
            "Sender",
            value=draft.sender,
            key=sender,
            placeholder="The account's default",
            help="The name of an approved sender. Empty uses the account's default.",
            on_change=steps.keep,
            args=(draft.id, "sender", sender, str.strip),
        )
        st.toggle(
            "Shorten links",
            value=draft.shorten_links,
            key=links,
            help="The service replaces addresses in the text by short links. Their length is not known, so "
            "the cost is a range.",
            on_change=_keep_links,
            args=(draft.id, links),
        )
        st.text_input(
            "Tracking",
            value=draft.tracking,
            key=tracking,
            disabled=not draft.shorten_links,
            placeholder="spring-sale",
            help="Added to the address behind each short link under svc_campaign. Needs short links.",
            on_change=steps.keep,
            args=(draft.id, "tracking", tracking, str.strip),
        )
        st.toggle(
            "Send although a field is empty",
            value=draft.send_blank,
            key=blank,
            help="Off: rows in which a field without fallback is empty are left out.",
            on_change=steps.keep,
            args=(draft.id, "send_blank", blank),
        )


def _keep_links(draft_id: str, key: str) -> None:
    on = bool(st.session_state[key])
    changes = {"shorten_links": on} if on else {"shorten_links": False, "tracking": ""}
    actions.change_draft(draft_id, **changes)


def _preview(draft: Draft) -> Written | None:
    if not draft.template.strip():
        section("Preview")
        st.caption("The message appears here as each person gets it, with its length and cost.")
        return None
    try:
        written = written_of(draft)
    except CampaignError as error:
        section("Preview")
        st.error(str(error), icon=":material/error:")
        return None
    _one_message(draft, written)
    _cost(written)
    _advice(draft, written)
    return written


def _one_message(draft: Draft, written: Written) -> None:
    people = len(written.messages)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        section("Preview")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            place = st.number_input(
                "Person",
                min_value=1,
                max_value=max(people, 1),
                key=f"person-{draft.id}",
                label_visibility="collapsed",
                width=130,
                help="Which person's message to show.",
            )
            st.caption(f"of {count(people)}")
    message = written.messages.iloc[min(int(place), people) - 1]
    problem = (
        None if message["problem"] is None or message["problem"] != message["problem"] else message["problem"]
    )
    bubble(draft.sender or "The account's default sender", str(message["body"]), missing=problem is not None)
    credits_ = count_range(int(message["credits_low"]), int(message["credits_high"]), "credit")
    if problem is not None:
        st.error(f"Row {message['row']} is left out. {explain(str(problem))}", icon=":material/block:")
    else:
        st.caption(
            f"Row {message['row']} · {plural(int(message['characters']), 'character')} of 1,024 · {credits_}"
        )


def _cost(written: Written) -> None:
    estimate, settings = written.estimate, runtime.current().settings
    left_out = len(written.messages) - estimate.messages
    rows = {
        "Messages": count(estimate.messages) + (f" ({count(left_out)} left out)" if left_out else ""),
        "Credits": count_range(estimate.credits_low, estimate.credits_high, "credit"),
    }
    if estimate.price_per_credit is not None:
        rows["Cost"] = money_range(estimate.cost_low, estimate.cost_high, settings.currency)
        rows["Price"] = f"{unit_price(estimate.price_per_credit, settings.currency)} a credit"
    with st.container(border=True):
        facts(rows)
        if estimate.cost_low is None:
            st.caption("Set DASHBOARD_PRICE_PER_CREDIT to see the cost in money.")
        if not estimate.is_exact:
            st.caption("A range, because the length of the service's short links is not known for certain.")
        if written.links is not None and has_links(written.messages["body"].head(1)).any():
            st.caption(written.links.sentence)


def _advice(draft: Draft, written: Written) -> None:
    edit = cheapest_edit(written.messages)
    if edit is not None:
        st.caption(
            f":material/lightbulb: {plural(edit.characters, 'character')} fewer would save "
            f"{plural(edit.credits, 'credit')}."
        )
    unusual = outside_gsm(draft.template)
    if unusual.empty:
        return
    shown = " ".join(f"`{character}`" for character in unusual["character"].head(SHOWN_CHARACTERS))
    st.caption(
        f":material/signal_cellular_alt: {shown} makes carriers split the text into shorter parts. "
        "The service's credits are not affected."
    )
    plain = to_gsm(draft.template)
    if plain.replaced:
        st.button(
            f"Replace {plural(plain.replaced, 'character')} by plain ones",
            on_click=_replace_text,
            args=(draft.id, plain.text),
            icon=":material/find_replace:",
            type="tertiary",
        )


def _replace_text(draft_id: str, text: str) -> None:
    actions.change_draft(draft_id, template=text)
    st.session_state.pop(f"text-{draft_id}", None)

"""The line that says how to opt out: below a text that does not say it, and never twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import Hint, marketing_hints, parse_template, with_opt_out_line

LINES = st.sampled_from(["Reply STOP to opt out", "Stop: shop.example/x", "Abmelden: 01234 567890", "Arrêt"])
TEXTS = st.text("aSTOP stop.!{}|\né", max_size=40)


@given(TEXTS, LINES)
def test_it_is_there_once_however_often_a_text_is_used_again(text: str, line: str) -> None:
    once = with_opt_out_line(text, line)
    assert with_opt_out_line(once, line) == once
    assert once in {text, f"{text}\n{line}"}
    assert once.count(line) <= max(1, text.count(line))


@given(st.text("abc .!\né", min_size=1).filter(str.strip))
def test_a_text_with_it_lacks_nothing(text: str) -> None:
    assert Hint.NO_WAY_OUT in marketing_hints(text)
    assert Hint.NO_WAY_OUT not in marketing_hints(
        parse_template(with_opt_out_line(text, "Reply STOP to opt out"))
    )


def test_what_a_field_falls_back_to_says_nothing_to_everybody() -> None:
    text = "Hi {{ name | reply STOP }}"
    assert with_opt_out_line(text, "STOP: reply STOP") == f"{text}\nSTOP: reply STOP"

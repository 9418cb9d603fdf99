from __future__ import annotations

import json

from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.numbers.json_cell import MOST_OF_JSON, out_of_json

PHONES = st.sampled_from(["+447400123456", "07400 123457", "020 7946 0991"])
LABELS = st.sampled_from(["mobile", "work", "home", "Ann"])


@given(found=st.lists(st.tuples(LABELS, PHONES), min_size=1, max_size=5, unique_by=lambda one: one[0]))
def test_every_phone_and_label_is_read_however_programs_write_them(found: list[tuple[str, str]]) -> None:
    wanted = "; ".join(f"{label}: {phone}" for label, phone in found)
    objects = [{"label": label, "value": phone, "primary": False, "id": 7} for label, phone in found]
    assert out_of_json(json.dumps(objects)) == wanted
    assert out_of_json(json.dumps([{label: phone} for label, phone in found])) == wanted.casefold()
    assert out_of_json(json.dumps(dict(found))) == wanted.casefold()
    assert out_of_json(json.dumps([phone for _label, phone in found])) == "; ".join(
        phone for _label, phone in found
    )


def test_a_label_around_others_stays_with_their_phones() -> None:
    found = {"emergency": {"number": "07400 123456", "type": "mobile"}, "old": [{"home": "07400 123457"}]}
    assert out_of_json(json.dumps(found)) == "emergency mobile: 07400 123456; old home: 07400 123457"


LEFT_AS_THEY_ARE = [
    '["07400 123456"',
    "['07400 123456']",
    '{"mobile": "07400 123456", "sms": false}',
    '{"mobile": "07400 123456", "Mobile": "07400 123457"}',
    "[" * 3_000,
    f'["{"0" * MOST_OF_JSON}07400 123456"]',
    '"07400 123456"',
    '{"mobile": "7400123456", "country_code": "+91"}',
    '["+91", "7400123456"]',
    '{"number": "07400123456", "valid": 0}',
    '{"number": "07400123456", "type": "mobile; 07400 123457"}',
]


@each("text", LEFT_AS_THEY_ARE)
def test_what_is_malformed_or_says_more_than_phones_is_left_as_it_is(text: str) -> None:
    assert out_of_json(text) == text

"""Whatever stands in a sheet: every row comes out, with a valid number or with the reason why not."""

from __future__ import annotations

from string import printable

import pandas as pd
import phonenumbers
from hypothesis import given, settings
from hypothesis import strategies as st
from phone_samples import HOSTILE

from dashboard.contacts import ColumnMap, Problem, Status, clean_contacts, explain

TYPED = st.one_of(
    st.text(max_size=24),
    st.text(alphabet="0123456789+-() ./;:oOxXeE'\"=#\u00a0\u200e\uff10\u0661", max_size=24),
    st.from_regex(r"(\+|00)?(44|49|33|1|39)? ?\(?0?\)?7?\d{8,10}", fullmatch=True),
    st.text(alphabet=printable, max_size=12),
    st.sampled_from(HOSTILE),
)
COUNTRY = st.sampled_from(["GB", "DE", "FR", "US", "IT", "AR", None])
COLUMNS = ColumnMap(
    phones=("mobile", "work phone"), country="country", consents=("sms consent",), opt_outs=("unsubscribed",)
)
ANSWER = st.sampled_from(["", "yes", "no", "Ja", "oui", "2026-03-01", "x"])


@settings(max_examples=60)
@given(st.lists(TYPED, min_size=1, max_size=40), COUNTRY)
def test_a_cell_gives_a_valid_number_or_a_reason(cells: list[str], country: str | None) -> None:
    frame = pd.DataFrame({"mobile": cells}, dtype="str")
    contacts = clean_contacts(frame, country=country, columns=ColumnMap(phones=("mobile",)))
    assert contacts.rows["raw_phone"].tolist() == cells
    for row in contacts.rows.itertuples():
        has_reason = isinstance(row.problem, str)
        assert has_reason == (row.status != Status.OK)
        if has_reason:
            assert explain(Problem(row.problem))
        if isinstance(row.phone, str):
            number = phonenumbers.parse(row.phone)
            assert phonenumbers.is_valid_number(number)
            assert phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) == row.phone
        else:
            assert has_reason


@settings(max_examples=60)
@given(
    st.lists(st.tuples(TYPED, TYPED, COUNTRY.map(lambda code: code or ""), ANSWER, ANSWER), max_size=10),
    st.sampled_from(["first", "last", "warn"]),
)
def test_rows_out_are_rows_in(rows: list[tuple[str, ...]], keep: str) -> None:
    frame = pd.DataFrame(
        rows, columns=["mobile", "work phone", "country", "sms consent", "unsubscribed"], dtype="str"
    )
    contacts = clean_contacts(frame, country="GB", columns=COLUMNS, keep=keep, opt_outs=["+447911123456"])
    assert contacts.rows["row"].tolist() == list(range(2, len(rows) + 2))
    assert len(contacts.fields) == len(rows)
    assert sum(contacts.counts().values()) == len(rows)
    kept = contacts.sendable["phone"]
    assert keep == "warn" or kept.is_unique
    originals = contacts.rows.set_index("row")["phone"]
    repeats = contacts.rows[contacts.rows["duplicate_of"].notna()]
    assert originals.loc[repeats["duplicate_of"].astype(int)].tolist() == repeats["phone"].tolist()

"""What the index of a frame says is in its columns: no phone is lost there, and no refusal."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pandas as pd
import pytest
from each import each

from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, guess_columns, read_opt_outs, read_sheet
from dashboard.errors import OptOutError

pytestmark = pytest.mark.usefixtures("read_here")
MOBILES = ["07400 123456", "07400 123457"]
PEOPLE = pd.DataFrame(
    {
        "mobile": MOBILES,
        "name": ["Ann", "Bob"],
        "sms consent": ["yes", "no"],
        "home": ["07400 123458", "07400 123459"],
    }
)
NAMES = ", ".join(PEOPLE)


def indexed() -> Iterator[tuple[pd.DataFrame, str]]:
    """Frames, and their columns as a sheet."""
    yield PEOPLE.set_index("mobile"), "name, sms consent, home, mobile"
    yield PEOPLE.set_index("sms consent"), "mobile, name, home, sms consent"
    yield PEOPLE.set_index(["sms consent", "mobile"]), "name, home, sms consent, mobile"
    yield PEOPLE.set_index(["mobile", "name", "sms consent"]), "home, mobile, name, sms consent"
    kinds = PEOPLE.astype({"sms consent": "category", "mobile": "string"})
    yield kinds.set_index(["sms consent", "mobile"]), "name, home, sms consent, mobile"
    yield PEOPLE.set_index("mobile", drop=False), f"{NAMES}, mobile#2"
    yield PEOPLE.set_axis(pd.Index(["020 7946 0991", "020 7946 0992"], name="mobile")), f"{NAMES}, mobile#2"
    numbers = pd.Index([447400123456, 447400123457], name="mobile")
    yield PEOPLE.drop(columns="mobile").set_axis(numbers), "name, sms consent, home, mobile"
    yield PEOPLE.set_axis(pd.Index(["a", "b"])), f"{NAMES}, column 5"
    yield PEOPLE.set_axis(pd.MultiIndex.from_arrays([[7, 8], ["p", "q"]])), f"{NAMES}, column 5, column 6"
    yield PEOPLE.set_axis(pd.Index([10, 11], name="row")), f"{NAMES}, row"
    yield PEOPLE.set_axis(pd.Index([7, 3])), NAMES
    yield PEOPLE.set_axis(pd.Index([None, 3.0])), NAMES
    answers = pd.Index([True, False], name="sms consent")
    yield PEOPLE.drop(columns="sms consent").set_axis(answers), "mobile, name, home, sms consent"
    yield PEOPLE[::-1].iloc[::-1], NAMES
    yield PEOPLE, NAMES


@each("frame, names", indexed())
def test_an_index_is_columns_unless_it_counts_rows(frame: pd.DataFrame, names: str) -> None:
    before = frame.copy()
    contacts = clean_contacts(frame, country="GB")
    assert ", ".join(contacts.fields) == names
    assert contacts.rows["phone"].tolist() == ["+447400123456", "+447400123457"]
    assert contacts.rows["status"].tolist() == ["ok", "opted_out"]
    assert contacts.rows.index.equals(frame.index)
    pd.testing.assert_frame_equal(frame, before)
    stored = read_sheet(frame.to_parquet())
    guessed = guess_columns(stored)
    assert (*guessed.phones[:1], *guessed.consents) == ("mobile", "sms consent")
    if list(frame.index.names) != ["mobile"] or "mobile" not in frame:  # pandas writes no name twice
        assert sorted(stored.frame) == sorted(names.split(", "))


def test_phones_in_an_index_without_a_name_are_a_column_without_a_title() -> None:
    for phones in (MOBILES, [447400123456, 447400123457], [612345678, 612345679]):
        index = pd.Index(phones)
        bare = PEOPLE[["name"]].set_axis(index)
        for sheet in (read_sheet(bare), read_sheet(bare.to_parquet())):
            assert sheet.frame["column 2"].tolist() == [str(phone) for phone in index]
        stored = read_sheet(bare.to_json().encode())
        assert stored.frame.iloc[:, 0].tolist() == [str(phone) for phone in index]
    assert guess_columns(PEOPLE[["name"]].set_axis(MOBILES)).phones == ("column 2",)


def test_a_parquet_index_called_as_a_column_is_kept_beside_it() -> None:
    sheet = read_sheet(PEOPLE.set_axis(pd.Index(["no", "yes"], name="name")).to_parquet())
    assert sheet.frame[["name", "name#2"]].to_numpy().tolist() == [["Ann", "no"], ["Bob", "yes"]]
    nested = pd.DataFrame({"tags": [{"a": "1"}], "phone": MOBILES[:1]}, index=pd.Index(["no"], name="sms"))
    assert read_sheet(nested.to_parquet()).frame.iloc[0].to_dict() == {
        "tags.a": "1",
        "phone": MOBILES[0],
        "sms": "no",
    }


def test_a_parquet_file_without_what_pandas_notes_is_read() -> None:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    table = pa.table({"name": ["Ann"], "__index_level_0__": [MOBILES[0]]})
    for notes in ({}, {b"pandas": b"no json"}, {b"pandas": b"[1]"}, {b"pandas": b'{"columns": [2]}'}):
        pq.write_table(table.replace_schema_metadata(notes), file := io.BytesIO())
        assert read_sheet(file.getvalue()).frame.iloc[0].tolist() == ["Ann", MOBILES[0]]


def test_an_opt_out_list_whose_index_is_the_phones() -> None:
    named = pd.Index(MOBILES, name="phone")
    for listed in (pd.DataFrame(index=named), PEOPLE[["home"]].set_axis(named), PEOPLE.set_axis(named)):
        assert read_opt_outs(listed, "GB").numbers.tolist() == [447400123456, 447400123457]
    assert read_opt_outs(PEOPLE[["mobile", "name"]].set_index("name"), "GB").numbers.size == 2
    with pytest.raises(OptOutError, match="cannot be read as"):
        clean_contacts(PEOPLE, country="GB", opt_outs=pd.Series([True, True], index=named))


def test_what_an_index_says_is_a_field_of_messages_only_of_cleaned_contacts() -> None:
    contacts = clean_contacts(PEOPLE.set_index("name"), country="GB")
    assert write_messages(contacts, "Hi {{name}}", campaign="Spring")["body"].tolist() == ["Hi Ann"]
    people = pd.DataFrame(
        {"phone": ["+447400123456"], "Vorname": ["Ann"]}, index=pd.Index(["x"], name="Name")
    )
    assert write_messages(people, "{{first_name}}", campaign="Spring")["body"].tolist() == ["Ann"]

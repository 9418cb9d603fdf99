"""JSON made by programs: every name is kept, and of several lists that of people is read, or it is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws
from vector_files import VECTORS, json_lines

from dashboard.contacts import ColumnMap, Sheet, clean_contacts, guess_columns, read_opt_outs, read_sheet
from dashboard.contacts.read.isolated.json_lists import lists_of
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")
ANN, BOB, CAT, DAN = "+447400183645", "+447400291753", "+447400318264", "+447400456123"
FRAME = pd.DataFrame({"phone": [ANN, BOB], "name": ["Ann", "Bob"], "sms consent": ["yes", "no"]})
PEOPLE: list[dict[str, Any]] = FRAME.to_dict("records")
ROWS = FRAME.to_numpy().tolist()
COLUMNS = [{"name": name, "type": "text"} for name in FRAME]
NAMES = ["phone", "columns", "data", "rows", "index", "index_names", "opted_out", "u1", "u2", "1", "2"]
LONG = [{"code": place, "text": "x"} for place in range(9)]


def wrapped(rows: list[list[str]], name: str) -> list[dict[str, Any]]:
    return [{name: [{"v": cell, "f": "x"} for cell in row]} for row in rows]


def sheet_of(value: object, **how: Any) -> Sheet:
    return read_sheet((value if isinstance(value, str) else json.dumps(value)).encode(), **how)


def records(sheet: Sheet) -> list[dict[str, str]]:
    """Without what only a shape adds: keys and row numbers."""
    names = [name for name in sheet.frame if name not in {"key", "key#2", "index", "level_0", "level_1"}]
    return sheet.frame[names].to_dict("records")


def shapes() -> Iterator[object]:
    """The same two people in each line's document, as pandas, databases and web services write them."""
    yield from json_lines("json_shapes.jsonl")
    yield FRAME.to_json(orient="records", indent=2)
    yield FRAME.to_json(orient="records", lines=True)


@each("value", shapes())
def test_the_same_people_in_every_shape(value: object) -> None:
    sheet = sheet_of(value)
    assert records(sheet) == PEOPLE
    assert "#" not in (sheet.worksheet or "")
    columns = guess_columns(sheet)
    assert (columns.phones, columns.consents) == (("phone",), ("sms consent",))


FEATURES = [{"type": "Feature", "geometry": {"coordinates": [1, 2]}, "properties": row} for row in PEOPLE]
HITS = [{"_id": "1", "_source": row} for row in PEOPLE]
NESTED = {
    "attributes": {"data": [{"id": "7", "attributes": row} for row in PEOPLE], "included": LONG},
    "properties": {"type": "FeatureCollection", "features": FEATURES},
    "_source": {"hits": {"total": {"value": 2}, "hits": HITS}},
    "fields": {"records": [{"id": "rec1", "fields": row} for row in PEOPLE], "offset": "x"},
}


@each("path, value", NESTED.items())
def test_names_below_others_are_paths(path: str, value: object) -> None:
    sheet = sheet_of(value)
    names = [f"{path}.{name}" for name in FRAME]
    assert [name for name in sheet.frame if name.startswith(path)] == names
    assert sheet.frame[names].to_numpy().tolist() == ROWS
    if path != "_source":
        columns = guess_columns(sheet)
        assert (columns.phones, columns.consents) == ((names[0],), (names[2],))


def test_contacts_by_key_whose_fields_are_objects_are_no_fields() -> None:
    one = {"phone": {"value": ANN, "type": "m"}, "email": {"value": "a", "type": "w"}, "post": {"value": "x"}}
    sheet = sheet_of({"u1": one, "u2": {**one, "phone": {"value": BOB}}})
    assert sheet.frame["key"].tolist() == ["u1", "u2"]
    assert sheet.frame["phone.value"].tolist() == [ANN, BOB]


@each("odd", [{}, None, {"total": 2}, {"phone": None}])
def test_contacts_by_key_beside_an_entry_unlike_them(odd: object) -> None:
    sheet = sheet_of({"u1": PEOPLE[0], "meta": odd, "u2": PEOPLE[1]})
    assert sheet.frame["phone"].tolist() == [ANN, "", BOB]


@each("value", [{BOB: "STOP"}, {BOB: {"reason": "STOP"}}, [{BOB: ["STOP", "x"]}], {BOB: "STOP", ANN: "STOP"}])
def test_phones_that_are_keys_are_cells(value: object) -> None:
    sheet = sheet_of(value)
    contacts = clean_contacts(sheet, country="GB", columns=ColumnMap(("key",)))
    assert contacts.rows["phone"].iloc[0] == BOB
    assert {*contacts.rows["status"]} == {"opted_out"}
    assert read_opt_outs(sheet, "GB").numbers.size == len(sheet.frame)


def test_an_index_that_holds_something_is_a_column() -> None:
    by_phone = FRAME.set_index("phone")
    for orient in ("split", "table", "columns", "index"):
        sheet = sheet_of(by_phone.to_json(orient=orient))
        assert any(sheet.frame[name].tolist() == [ANN, BOB] for name in sheet.frame), orient
        assert sheet.frame[["name", "sms consent"]].to_numpy().tolist() == [row[1:] for row in ROWS]
    tight = sheet_of(FRAME.set_index(["sms consent", "phone"]).to_dict("tight"))
    assert records(tight) == [{key: row[key] for key in ("name", "sms consent", "phone")} for row in PEOPLE]
    named = sheet_of(
        {"columns": ["index", "phone"], "index": ["no", "yes"], "data": [["a", ANN], ["b", BOB]]}
    )
    assert named.frame.to_numpy().tolist() == [["a", ANN, "no"], ["b", BOB, "yes"]]
    other = sheet_of({"columns": ["name", "age"], "index": [ANN], "data": [["Ann", "41"], ["Bob", "42"]]})
    assert other.frame.to_numpy().tolist() == [[ANN]], "it is not these rows' index"
    key = sheet_of({"no": {"key": "a", "phone": ANN}, "yes": {"key": "b", "phone": BOB}})
    assert key.frame.to_numpy().tolist() == [["no", "a", ANN], ["yes", "b", BOB]]


def test_names_that_come_twice_are_both_kept() -> None:
    twice = sheet_of({"columns": ["phone", "ok", "ok"], "data": [[ANN, "yes", "no"]]})
    assert (list(twice.frame), twice.frame.iloc[0].tolist()) == (["phone", "ok", "ok#2"], [ANN, "yes", "no"])
    levels = sheet_of({"columns": [["phone", "mobile"], ["name", ""]], "data": [[ANN, "Ann"]]})
    assert list(levels.frame) == ["phone.mobile", "name."]
    keys = sheet_of(f'{{"u": {json.dumps(PEOPLE[0])}, "u": {json.dumps(PEOPLE[1])}}}')
    assert (keys.frame["key"].tolist(), records(keys)) == (["u", "u#2"], PEOPLE)
    paths = sheet_of([{"phone": ANN, "sms.ok": "no", "sms": {"ok": "yes"}}])
    assert paths.frame.iloc[0].to_dict() == {"phone": ANN, "sms.ok": "no", "sms.ok#2": "yes"}


@each(
    "value",
    [
        ROWS,
        {"rows": wrapped(ROWS, "f")},
        {"colNames": ["Tel", "Who", "OK"], "colModel": COLUMNS, "rows": ROWS},
        {"columns": COLUMNS[:2], "rows": ROWS},
    ],
)
def test_rows_without_certain_names_are_read_as_a_csv_without_a_header(value: object) -> None:
    sheet = sheet_of(value)
    assert sheet.frame["phone"].tolist() == [ANN, BOB]
    assert sheet.notes == ("The sheet has no header row; its columns were named by their position.",)


def test_two_lists_that_look_alike_are_a_choice_as_worksheets_are() -> None:
    staff = [{**row, "phone": "+447400364821"} for row in PEOPLE[:1]]
    value = {"log": LONG, "staff": staff, "data": {"customers": PEOPLE}}
    sheet = sheet_of(value)
    assert (sheet.worksheet, sheet.worksheets) == ("data.customers", ("data.customers", "staff"))
    assert sheet.notes == ('The file has 2 lists that look like people; "data.customers" was read.',)
    chosen = sheet_of(value, worksheet="staff")
    assert (records(chosen), chosen.worksheets) == (staff, sheet.worksheets)
    assert sheet_of(value, worksheet="log").frame["code"].tolist() == [str(place) for place in range(9)]
    with pytest.raises(SheetError, match="no list with this name in the JSON file"):
        sheet_of(value, worksheet="people")


LISTS = json.loads((VECTORS / "json_lists.json").read_text("utf-8"))


@each("refusing", LISTS["refusing"])
def test_a_list_of_refusals_beside_the_people_is_told(refusing: object) -> None:
    sheet = sheet_of({"people": PEOPLE, "opted_out": refusing})
    assert records(sheet) == PEOPLE
    notes = " ".join(sheet.notes)
    assert re.search(r'"opted_out[.\w]*" lists people who must not be texted', notes)
    assert BOB[1:] not in notes


def test_a_list_of_refusals_is_told_by_its_path_and_texts_nobody_alone() -> None:
    by_key = dict(zip("ab", PEOPLE, strict=True))
    keyed = sheet_of({"users": by_key, "lists": {"blocked": {"b": BOB}}})
    assert (records(keyed), '"lists.blocked" lists' in keyed.notes[0]) == (PEOPLE, True)
    for value in ({"unsubscribed": PEOPLE, "log": LONG}, {"unsubscribed": [ANN]}, {"dnc": by_key}):
        assert "ok" not in {*clean_contacts(sheet_of(value), country="GB").rows["status"]}


@each("read, is_told, value", LISTS["of_equal_length"])
def test_lists_of_phones_of_equal_length_are_of_different_people(
    value: object, read: list[str], *, is_told: bool
) -> None:
    sheet = sheet_of(value)
    assert sheet.frame[guess_columns(sheet).phones[0]].tolist() == read
    assert any("must not be texted" in note for note in sheet.notes) == is_told


@each("column, value", LISTS["later_entries"])
def test_phones_in_later_entries_of_lists_within_rows_are_told(value: object, column: str) -> None:
    notes = [note for note in sheet_of(value).notes if "only the first entry" in note]
    assert [f"phones in {column} too" in note for note in notes] == [True] * (column != "")


@each("value", [{"optouts": [ANN, BOB]}, [f"tel:{ANN}", f"tel:{BOB}"], [f"{ANN} (Ann)", BOB]])
def test_a_bare_list_of_phones_loses_none(value: object) -> None:
    assert read_opt_outs(sheet_of(value), "GB").phones == [ANN, BOB]


@each("value", ["[]", "{}", '{"a": []}', "[[]]", "[{}]", '{"$oid": "1"}'])
def test_no_list_of_contacts(value: str) -> None:
    with pytest.raises(SheetError, match=r"no list of contacts|column names and no rows|empty"):
        sheet_of(value)


@each(
    "written",
    [
        {"phone": {"0": ANN, "1": BOB}, "opted out": {"1": "yes", "0": "no"}},
        {"columns": ["name", "phone", "opted out"], "rows": [["Ann", ANN], ["Bob", BOB, "yes"]]},
        {"headers": ["phone", "opted out"], "rows": [[ANN, "no"], [BOB, "yes"], []]},
    ],
)
def test_a_refusal_stays_with_its_row_whatever_order_and_length_rows_have(written: object) -> None:
    sheet = read_sheet(json.dumps(written).encode())
    contacts = clean_contacts(sheet, country="GB")
    phones = contacts.rows.dropna(subset="phone").set_index("phone")["status"]
    assert phones[BOB] == "opted_out"


DOCUMENTS = st.recursive(
    st.sampled_from([None, True, "x", "yes", 7]) | st.integers(10**9, 10**10 - 1).map("+44{}".format),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=18,
)


@settings(max_examples=draws(500))
@given(st.lists(DOCUMENTS, min_size=1) | st.dictionaries(st.sampled_from(NAMES), DOCUMENTS, min_size=1))
def test_every_phone_is_in_a_list_whatever_the_shape(document: object) -> None:
    read = json.dumps(lists_of(json.dumps(document)))
    assert {phone for phone in re.findall(r"\+44\d{10}", json.dumps(document)) if phone not in read} == set()

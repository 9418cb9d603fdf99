"""A folder of files is cleaned as their sheets joined, here and on a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from one_sheet import phones

from dashboard.contacts import clean_contacts, clean_csv_stream, clean_folder, join_contacts, read_sheet
from dashboard.contacts.row_numbers import BLOCK
from dashboard.contacts.stream.engine import Client
from dashboard.contacts.stream.layout import find_layout
from dashboard.errors import OptionError, OutputError, SheetError

VERDICT = ["phone", "country", "line_type", "status", "problem", "problems", "repairs", "other_phones"]
REMARKS = [*[""] * 30, "do not text", "may want to opt out", "SMS: no"]
ENDINGS = ["north.csv", "a/south.csv", "a/west.parquet", "east.parquet"]


def sheets(seed: int, rows: int) -> dict[str, pd.DataFrame]:
    """Lists of people who are in several, in several rows, refuse in some, and are typed in several ways."""
    random = Random(seed)  # noqa: S311
    numbers = phones(rows)
    frames = {}
    for name in ENDINGS:
        cells = [
            [
                random.choice(
                    [number, number.replace("+44", "0"), f"{number} ext 5", "n/a", f"{number} / {numbers[0]}"]
                ),
                random.choice(["Ann", "Bob &amp; Eve"]),
                random.choice(["yes", "yes", "yes", "no", "perhaps", ""]),
                random.choice(REMARKS),
            ]
            for number in random.choices(numbers, k=rows)
        ]
        run = [[f"+4474001{place:05d}", "Cid", "yes", ""] for place in range(6)]
        cells[rows // 2 : rows // 2] = [*run, ["Do not text:", "", "", ""], ["", "Please text:", "", ""]]
        frames[name] = pd.DataFrame(cells, columns=["Mobile", "Name", "SMS consent", "Notes"])
    return frames


def write(folder: Path, frames: dict[str, pd.DataFrame]) -> None:
    for name, frame in frames.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            frame.to_csv(path, index=False, sep=";" if name == "north.csv" else ",")
        else:
            frame.to_parquet(path)


def joined(folder: Path, **how: object) -> pd.DataFrame:
    """The verdicts by sheets, and where each row and the one kept instead of it stand."""
    names = sorted(ENDINGS)
    lists = {name: clean_contacts(read_sheet(folder / name), country="GB", **how) for name in names}  # type: ignore[arg-type]
    contacts = join_contacts(lists)
    rows = contacts.rows
    placed = {"file": rows["row"], "duplicate_file": rows["duplicate_of"]}
    files = {name: number.floordiv(BLOCK).map(dict(enumerate(names))) for name, number in placed.items()}
    found = rows[VERDICT].assign(row=rows["row"] % BLOCK, duplicate_of=rows["duplicate_of"] % BLOCK, **files)
    return plain(found).assign(unreached=contacts.unreached)


def plain(rows: pd.DataFrame) -> pd.DataFrame:
    wanted = rows[["file", "row", *VERDICT, "duplicate_of", "duplicate_file"]]
    return wanted.astype("object").where(wanted.notna(), "").reset_index(drop=True)


def cleaned(folder: Path, target: Path, client: Client | None = None) -> pd.DataFrame:
    layout = find_layout(folder, client=client)
    report = clean_folder(layout, target, country="GB", opt_outs=[phones(9)[3]], client=client)
    files = sorted(str(path.relative_to(target)) for path in target.rglob("*.parquet"))
    assert files == sorted(f"{name}.parquet" if name.endswith("csv") else name for name in ENDINGS)
    tables = [pq.read_table(target / name).to_pandas() for name in files]
    rows = pd.concat([table.astype("object") for table in tables], ignore_index=True)
    assert report.counts["rows"].sum() == report.rows == len(rows)
    return plain(rows).assign(unreached=report.unreached)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Client]:
    """Two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as workers,
        distributed.Client(workers) as client,
    ):
        yield client


@pytest.mark.usefixtures("read_here")
def test_a_folder_gets_the_verdicts_of_its_sheets_joined(tmp_path: Path) -> None:
    write(tmp_path / "lists", sheets(7, 60))
    found = cleaned(tmp_path / "lists", tmp_path / "out")
    expected = joined(tmp_path / "lists", opt_outs=[phones(9)[3]])
    pd.testing.assert_frame_equal(found, expected)
    assert set(found["status"]) == {"ok", "review", "duplicate", "opted_out", "empty"}
    assert (found["duplicate_file"] != found["file"])[found["duplicate_file"] != ""].any()


def test_names_of_folders_may_be_a_column(tmp_path: Path) -> None:
    frame = pd.DataFrame({"mobile": ["07400 123456", "0151 23456789"], "SMS consent": ["yes", "no"]})
    write(tmp_path / "lists", {"country=GB/a.parquet": frame[:1], "country=DE/_b/c.csv": frame})
    write(tmp_path / "lists", {"country=DE/_a.csv": frame[1:]})
    report = clean_folder(tmp_path / "lists", tmp_path / "out", country="FR")
    assert report.notes == ("Left out, because such folders are a program’s own: country=DE/_b.",)
    found = pd.read_parquet(tmp_path / "out", partitioning=None).sort_values("file")
    assert found["status"].tolist() == ["opted_out", "ok"]
    assert found[["country", "phone"]].to_numpy().tolist() == [
        ["DE", "+4915123456789"],
        ["GB", "+447400123456"],
    ]


def test_the_name_of_a_folder_speaks_of_all_people_in_it(tmp_path: Path) -> None:
    write(tmp_path / "lists", {"unsubscribed/a.csv": pd.DataFrame({"mobile": ["07400 123456"]})})
    write(tmp_path / "lists", {"b.csv": pd.DataFrame({"mobile": ["07400 123456", "07400 123457"]})})
    report = clean_folder(tmp_path / "lists", tmp_path / "out", country="GB")
    found = pd.read_parquet(tmp_path / "out").set_index("file")["status"]
    assert (found["unsubscribed/a.csv"], found["b.csv"].tolist()) == ("duplicate", ["review", "ok"])
    assert report.notes[0].startswith("unsubscribed/a.csv: The file’s name says")


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "no CSV or Parquet files"),
        ({"a.csv": "mobile\n07400 123456\n", "b.xlsx": "PK"}, "b.xlsx is not a CSV or Parquet file"),
        ({"a.csv": "mobile\n07400 123456\n", "b.csv": "phone\n07400 123456\n"}, "b.csv has other columns"),
        ({"a.csv": "mobile,name\n07400 123456,Ann\n", "b/c.csv": "mobile,name\n"}, "b/c.csv: .* no rows"),
        ({"a.csv": "mobile,name\n07400 123456,Ann\n07400 123457\n"}, "a.csv: Row 3 has more or fewer cells"),
        ({"a.parquet": "PAR1"}, "a.parquet: The Parquet file cannot be read"),
    ],
)
def test_what_cannot_be_read_stops_all_of_it(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    for name, text in files.items():
        (tmp_path / "lists" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lists" / name).write_text(text)
    (tmp_path / "lists").mkdir(exist_ok=True)
    with pytest.raises(SheetError, match=sentence):
        clean_folder(tmp_path / "lists", tmp_path / "out", country="GB")
    assert [path.name for path in tmp_path.iterdir()] == ["lists"]


@pytest.mark.parametrize("header", ["Text me", "SMS", "Texts", "Offers", "Marketing"])
def test_who_refuses_in_one_file_does_so_whatever_another_has_below_that_header(
    tmp_path: Path, header: str
) -> None:
    numbers = phones(24)
    refusing = pd.DataFrame({"mobile": numbers[:2], header: ["yes", "no"]})
    others = pd.DataFrame({"mobile": numbers[2:], header: ["after six", "weekends"] * 11})
    write(tmp_path / "lists", {"a.csv": refusing, "b.csv": others})
    clean_folder(tmp_path / "lists", tmp_path / "out", country="GB")
    found = pd.read_parquet(tmp_path / "out")
    assert found["status"][1] in {"opted_out", "review"}, header


def test_what_programs_write_beside_the_columns_is_no_column(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "a.csv").write_text("mobile,name\n07400 123456,Ann\n")
    (tmp_path / "lists" / "b.CSV").write_text("name,mobile,,\nBob,07400 123457,,\n")
    assert clean_folder(tmp_path / "lists", tmp_path / "out", country="GB").rows == 2


@pytest.mark.usefixtures("read_here")
def test_what_reading_in_texts_would_change_is_refused_or_the_same(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    twice = pa.Table.from_arrays([pa.array(["n/a"]), pa.array(["07400 123456"])], names=["mobile", "mobile"])
    pq.write_table(twice, tmp_path / "lists" / "a.parquet")
    assert clean_folder(tmp_path / "lists", tmp_path / "out", country="GB").counts["status"][0] == "ok"
    within = pa.table({"mobile": ["07400 123456"], "consent": [{"sms": "no"}]})
    pq.write_table(within, tmp_path / "lists" / "a.parquet")
    with pytest.raises(SheetError, match="values within values"):
        clean_folder(tmp_path / "lists", tmp_path / "two", country="GB")


@pytest.mark.parametrize("name", ["gone.csv", "elsewhere", "pipe.csv"])
def test_nothing_of_a_folder_is_passed_over(tmp_path: Path, name: str) -> None:
    write(tmp_path / "lists", {"a.csv": pd.DataFrame({"mobile": ["07400 123456"]})})
    if name == "pipe.csv":
        os.mkfifo(tmp_path / "lists" / name)
    else:
        (tmp_path / "lists" / name).symlink_to(tmp_path / "nowhere" if name == "gone.csv" else tmp_path)
    with pytest.raises(SheetError, match=f"{name} is not a CSV or Parquet file"):
        clean_folder(tmp_path / "lists", tmp_path / "out", country="GB")


@pytest.mark.usefixtures("read_here")
def test_nothing_is_written_over_or_among_other_files(tmp_path: Path) -> None:
    write(tmp_path / "lists", {"a.csv": pd.DataFrame({"mobile": ["07400 123456"]})})
    with pytest.raises(OutputError, match="not an empty folder"):
        clean_folder(tmp_path / "lists", tmp_path / "lists", country="GB")
    with pytest.raises(OutputError, match="must not be changed"):
        clean_csv_stream(tmp_path / "lists" / "a.csv", tmp_path / "lists" / "a.csv", country="GB")
    with pytest.raises(OutputError, match="cannot be written"):
        clean_folder(tmp_path / "lists", "/", country="GB")
    with pytest.raises(SheetError, match="clean_folder"):
        clean_csv_stream(tmp_path / "lists", tmp_path / "out", country="GB")
    with pytest.raises(OptionError, match=r"dask\.distributed"):
        clean_folder(tmp_path / "lists", tmp_path / "out", country="GB", client="tcp://127.0.0.1")  # type: ignore[arg-type]
    assert [path.name for path in (tmp_path / "lists").iterdir()] == ["a.csv"]
    write(tmp_path / "lists", {"a.csv.parquet": pd.DataFrame({"mobile": ["07400 123456"]})})
    with pytest.raises(OutputError, match="written where a"):
        clean_folder(tmp_path / "lists", tmp_path / "out", country="GB")


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2))
def test_a_cluster_comes_to_the_same_verdicts(tmp_path: Path, cluster: Client, seed: int) -> None:
    write(tmp_path / "lists", sheets(seed, 300))
    here = cleaned(tmp_path / "lists", tmp_path / "here")
    there = cleaned(tmp_path / "lists", tmp_path / "there", cluster)
    pd.testing.assert_frame_equal(there, here)
    pd.testing.assert_frame_equal(here, joined(tmp_path / "lists", opt_outs=[phones(9)[3]]))

"""The languages that come with the dashboard are whole, and say what the English does."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from each import each

from dashboard import words

ROOT = Path(__file__).parents[1]
LANGUAGES = [language for language in words.languages() if language != words.ENGLISH]
MARKS = re.compile(r":material/\w+:|\*\*|`[^`]*`")


@cache
def catalogue(name: str) -> Catalog:
    with resources.files("dashboard").joinpath("locale", name).open("rb") as file:
        return read_po(file)


@each("language", LANGUAGES)
def test_a_language_is_whole_and_keeps_the_marks(language: str) -> None:
    """A message that is new may wait for its translators, but not many of them."""
    wanted = {message.id for message in catalogue("dashboard.pot") if message.id}
    have = {
        message.id
        for message in catalogue(f"{language}.po")
        if message.id
        and not message.fuzzy
        and all([message.string] if isinstance(message.string, str) else message.string)
    }
    assert len(wanted) > 1_000
    assert len(wanted - have) <= len(wanted) // 50, sorted(map(str, wanted - have))
    assert not have - wanted
    differing = [
        (message.id, message.string)
        for message in catalogue(f"{language}.po")
        if isinstance(message.id, str)
        and message.string
        and Counter(MARKS.findall(message.id)) != Counter(MARKS.findall(str(message.string)))
    ]
    assert differing == []


@each("language", LANGUAGES)
def test_plurals_and_times_are_written_as_the_language_does(language: str) -> None:
    words.use(language)
    try:
        said = {words.plural(number, "{count} row", "{count} rows") for number in (1, 2, 5, 22, 1_200)}
        moment = words.day_and_time(datetime(2026, 10, 2, 9, 30, tzinfo=UTC))
    finally:
        words.use(words.ENGLISH)
    assert len({re.sub(r"[\d\W]", "", one) for one in said}) == (3 if language == "pl" else 2)
    assert re.search(r"2026\D+0?9[:.]30", moment)
    assert words.is_proofread(words.ENGLISH)
    assert not words.is_proofread(language)


@each("language", words.languages())
def test_a_day_is_no_list_where_markdown_is_read_and_is_typed_as_it_is_read(language: str) -> None:
    words.use(language)
    try:
        assert words.locale().language == language.partition("_")[0]
        days = [datetime(2026, 10, day, 9, 30, tzinfo=UTC) for day in range(1, 32)]
        writers = (words.day_and_time, words.day_of_year, words.day_of_week)
        said = [write(day) for write in writers for day in days]
        typed = words.day_format()
        seconds = words.time_with_seconds(days[0])
    finally:
        words.use(words.ENGLISH)
    assert [one for one in said if re.match(r"\d+[.)][ \t]", one)] == []
    assert re.fullmatch(r"DD([/.-])MM\1YYYY", typed)
    assert re.fullmatch(r"0?9[:.]30[:.]00", seconds)


def test_bringing_a_language_up_to_date_as_documented_keeps_that_nobody_has_read_it(tmp_path: Path) -> None:
    shutil.copytree(words.FOLDER, tmp_path / "dashboard" / "locale")
    documented = (ROOT / "docs" / "translating.md").read_text("utf-8")
    command = next(line for line in documented.splitlines() if line.startswith("pybabel update"))
    program, *rest = shlex.split(command)
    babel = shutil.which(program, path=Path(sys.executable).parent)
    subprocess.run([str(babel), *rest], cwd=tmp_path, check=True, capture_output=True)
    updated = (tmp_path / "dashboard" / "locale" / "de.po").read_text("utf-8")
    assert "Report-Msgid-Bugs-To" in updated  # it was written anew
    assert "X-Read-By-Native-Speaker: no" in updated

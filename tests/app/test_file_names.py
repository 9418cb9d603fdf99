"""What downloads are called: storable anywhere, and recognisable."""

from __future__ import annotations

import unicodedata
from datetime import date
from pathlib import PureWindowsPath

from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.app.downloads.file_names import file_name, title_of

DAY = date(2026, 11, 21)
WRITABLE = st.characters(exclude_categories=["Cs"])
TYPED = st.text(WRITABLE, max_size=400) | st.text('<>:"/\\|?*.  \n\tAb–\u202e\u0000\u200d👩', max_size=40)


@each(
    "title, name",
    [
        ("Spring sale", "Spring sale – recipients – 2026-11-21.xlsx"),
        ("", "recipients – 2026-11-21.xlsx"),
        ("50 % off: A/B?", "50 % off A B – recipients – 2026-11-21.xlsx"),
        ("../../etc/passwd", "etc passwd – recipients – 2026-11-21.xlsx"),
        ("nul.2026", "_nul.2026 – recipients – 2026-11-21.xlsx"),
        (".hidden.", "hidden – recipients – 2026-11-21.xlsx"),
        ("gpj\u202eexe", "gpj exe – recipients – 2026-11-21.xlsx"),
        ("Zoe\u0308", "Zoë – recipients – 2026-11-21.xlsx"),
        ("Winter 👩\u200d👧 Größe", "Winter 👩\u200d👧 Größe – recipients – 2026-11-21.xlsx"),
    ],
)
def test_a_name_is_what_people_called_it(title: str, name: str) -> None:
    assert file_name(title, "recipients", DAY, "xlsx") == name


@given(title=TYPED, content=TYPED)
def test_every_name_can_be_stored_on_windows_and_macos(title: str, content: str) -> None:
    name = file_name(title, content[:20], DAY, "csv")
    assert name.endswith("2026-11-21.csv")
    assert not set(name) & set('<>:"/\\|?*')
    assert not [one for one in name if unicodedata.category(one) in {"Cc", "Zl", "Zp", "Cn", "Co"}]
    assert PureWindowsPath(name).name == name
    assert name == name.strip()
    assert not name.startswith(".")
    assert len(name.encode()) <= 255


def test_a_title_has_no_ending() -> None:
    assert title_of("contacts.2026.xlsx") == "contacts.2026"
    assert title_of("contacts") == "contacts"

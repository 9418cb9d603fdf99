"""DASHBOARD_COUNTRY: a country that has phone numbers, as ISO 3166 writes it."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from dashboard.words import _


@cache
def _codes_by_name() -> dict[str, str]:
    """Names in lower case, including codes; the table is that of the contacts room."""
    folder = files("dashboard") / "contacts" / "words"
    text = (folder / "countries.csv").read_text("utf-8")
    codes: dict[str, str] = {}
    for line in csv.DictReader(text.splitlines()):
        codes |= dict.fromkeys([*line["names"].split("|"), line["code"].lower()], line["code"])
    return codes


def checked_country(text: str) -> str:
    """The code, if it is one.

    Raises:
        ValueError: Says which code to write, if that is clear.
    """
    code = _codes_by_name().get(text.strip().lower())
    if text.strip().lower() == "uk":
        raise ValueError(_("write GB; that, and not UK, is the code of the United Kingdom"))
    if code is None:
        raise ValueError(_("write the two letters of a country (ISO 3166), such as GB"))
    if code != text:
        raise ValueError(_("write {code}").format(code=code))
    return code

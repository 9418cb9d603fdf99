"""Texts that a spreadsheet program would run as formulas: disarmed in what we write, restored when read.

Others write ="07400 123456" so that such a program keeps the zeros; `unwrap` gives the text in it.

A cell that begins with = + - @, a tab, a line break or NUL is a formula to such a program, whoever wrote it
(OWASP, CSV injection); so are the wide signs of East Asia, and signs after spaces or invisible characters,
which such a program strips. An apostrophe in front makes it a text; a text that begins with an apostrophe and
such a sign gets one more, so that taking one off always gives the original.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import pandas as pd

from dashboard.contacts.arrow.texts import may_hold

__all__ = ["disarm", "is_own_export", "restore", "unwrap", "unwrapped"]

_PHONE = r"\+\d{7,15}"
_TAKEN_OFF = " \x0b\x0c\x85\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff"
_SIGNS = "=+\\-@\t\r\n\\x00\uff1d\uff0b\uff0d\uff20"
_RISKY = f"'*[{_TAKEN_OFF}]*[{_SIGNS}]"
_WRAPPED = re.compile(r'\s*=\s*(?:[Tt]\s*\(\s*)?"((?:[^"]|"")*)"\s*\)?\s*')
_SENDABLE = ("row", "phone", "country", "line_type")
_VERDICT = {"status", "problem", "repairs", "explanation"}


def disarm(texts: pd.Series) -> pd.Series:
    """Put an apostrophe before whatever would be a formula; a phone in E.164 stays as is, for machines."""
    risky = texts.str.match(_RISKY) & ~texts.str.fullmatch(_PHONE)
    return texts.mask(risky, "'" + texts)


def restore(texts: pd.Series) -> pd.Series:
    """Take off the apostrophes that `disarm` put there."""
    return texts.str.replace(f"^'(?={_RISKY})", "", regex=True)


def unwrap(texts: pd.Series) -> pd.Series:
    """Take each text out of the formula that only shows it: ="no" and =T("no") are "no".

    Example:
        >>> unwrap(pd.Series(['="07400 123456"', '="Ann ""A"" Lee"', "=1+1"])).tolist()
        ['07400 123456', 'Ann "A" Lee', '=1+1']
    """
    if not may_hold(texts, b'"'):
        return texts
    may_be = texts.str.contains('"', regex=False)
    return texts.mask(may_be, texts[may_be].map(unwrapped)).astype("str") if may_be.any() else texts


def unwrapped(text: str) -> str:
    """One text, as `unwrap` gives it."""
    found = _WRAPPED.fullmatch(text)
    return text if found is None else found.group(1).replace('""', '"')


def is_own_export(titles: Collection[str]) -> bool:
    """Whether these are the columns of `checked`, `rejects` or `ContactList.sendable`.

    Only in such files is it certain that nobody typed the apostrophe.
    """
    titles = tuple(titles)
    plain = {title.partition("#")[0] for title in titles}
    return titles[:1] == ("row",) and (titles[: len(_SENDABLE)] == _SENDABLE or plain >= _VERDICT)

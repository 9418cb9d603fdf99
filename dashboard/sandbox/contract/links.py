"""Short links: URLs found in a text, codes for them, and where a code leads."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

TRACKING_KEY = "svc_campaign"

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LENGTH = 7
_SIZE = len(_ALPHABET) ** _LENGTH
# Any odd number that shares no factor with 62 spreads the codes of consecutive ids and can be undone.
_SPREAD = 2_176_477_521_929
_GATHER = pow(_SPREAD, -1, _SIZE)

_URL = re.compile(r"https?://[^\s<>\"“”„«»]+", re.IGNORECASE)
_CODE = re.compile(rf"/([0-9A-Za-z]{{{_LENGTH}}})(?![0-9A-Za-z])")
_TRAILING = ".,;:!?'\u2019*_~…"
_CLOSING = {")": "(", "]": "[", "}": "{"}


def shorten(text: str, replace: Callable[[str], str]) -> str:
    """The text with every http or https URL replaced; punctuation that ends a sentence stays.

    Example:
        >>> shorten("See https://example.com/a?b=1 (or http://example.org).", lambda url: "LINK")
        'See LINK (or LINK).'
    """
    if "://" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        url = _without_punctuation(match[0])
        return replace(url) + match[0][len(url) :]

    return _URL.sub(one, text)


def code_of(number: int) -> str:
    """The seven-letter code of a link's number; different numbers never share one."""
    rest = number * _SPREAD % _SIZE
    letters = []
    for _ in range(_LENGTH):
        rest, letter = divmod(rest, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return "".join(letters)


def number_of(code: str) -> int | None:
    """The link number for a code; None if it is not a code."""
    if len(code) != _LENGTH or any(letter not in _ALPHABET for letter in code):
        return None
    rest = 0
    for letter in reversed(code):
        rest = rest * len(_ALPHABET) + _ALPHABET.index(letter)
    number: int = rest * _GATHER % _SIZE
    return number


def numbers_in(text: str) -> list[int]:
    """The numbers of what may be short links in a text: whatever ends with a slash and a code."""
    return [number for code in _CODE.findall(text) if (number := number_of(code)) is not None]


class Shortener:
    """Replaces the URLs in texts with short links under `root`; `made` are the links to remember.

    A link is a number, its URL and its tracking value; numbers go up from `first`.
    """

    def __init__(self, root: str, first: int) -> None:
        self.made: list[tuple[int, str, str | None]] = []
        self._root = root
        self._first = first

    def __call__(self, text: str, tracking: str | None) -> str:
        """The text with short links."""

        def replace(url: str) -> str:
            number = self._first + len(self.made)
            self.made.append((number, url, tracking))
            return self._root + code_of(number)

        return shorten(text, replace)


def target(url: str, tracking: str | None) -> str:
    """Where a short link leads: the URL, with `svc_campaign` in its query if there is a tracking value.

    The rest of the query and the fragment stay as written; an older `svc_campaign` is replaced.

    Example:
        >>> target("https://example.com/a?b=1#top", "spring sale")
        'https://example.com/a?b=1&svc_campaign=spring%20sale#top'
    """
    if tracking is None:
        return url
    before, hash_mark, fragment = url.partition("#")
    address, _, query = before.partition("?")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != TRACKING_KEY]
    kept.append(f"{TRACKING_KEY}={quote(tracking, safe='')}")
    return f"{address}?{'&'.join(kept)}{hash_mark}{fragment}"


def _without_punctuation(url: str) -> str:
    while url:
        last = url[-1]
        unopened = last in _CLOSING and url.count(last) > url.count(_CLOSING[last])
        if last not in _TRAILING and not unopened:
            break
        url = url[:-1]
    return url

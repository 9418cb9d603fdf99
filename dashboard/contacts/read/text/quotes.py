"""Quotation marks that are not where RFC 4180 has them: around lines, after backslashes, after spaces.

In an ordinary file none of the odd ones can occur, because a mark within a cell is doubled there.
"""

from __future__ import annotations

import re

__all__ = ["with_doubled_quotes", "without_spaces_before_quotes"]

_SAMPLE_BYTES = 32_768
_LINE = re.compile(rb"^[^\r\n]+", re.MULTILINE)
_QUOTED_LINE = re.compile(rb'^"((?:[^"\r\n]|"")*)"(?=\r|\n|\Z)', re.MULTILINE)
_DELIMITER = re.compile(rb"[,;\t|]")
_BACKSLASH = re.compile(rb'(?<=[^\\,;\t|\r\n])\\"[^,;\t|"\r\n]')


def with_doubled_quotes(content: bytes) -> bytes:
    r"""The content without marks around whole lines, and with backslashed marks doubled.

    Example:
        >>> with_doubled_quotes(b'"phone,name"\n"1,Ann"')
        b'phone,name\n1,Ann'
        >>> with_doubled_quotes(b'1,"a \\"b\\" c"')
        b'1,"a ""b"" c"'
    """
    sample = content[:_SAMPLE_BYTES]
    if b'"' not in sample:
        return content
    if _are_quoted_lines(sample):
        content = _QUOTED_LINE.sub(lambda line: line.group(1).replace(b'""', b'"'), content)
    return content.replace(b'\\"', b'""') if _BACKSLASH.search(sample) else content


def _are_quoted_lines(sample: bytes) -> bool:
    """Whether each line is one quoted cell containing delimiters: a file that was saved as one column."""
    lines = _LINE.findall(sample)
    if len(sample) == _SAMPLE_BYTES:
        lines.pop()
    return len(lines) > 1 and all(_QUOTED_LINE.fullmatch(line) and _DELIMITER.search(line) for line in lines)


def without_spaces_before_quotes(content: bytes, delimiter: str) -> bytes:
    """The content without spaces between a delimiter and a mark.

    Example:
        >>> without_spaces_before_quotes(b'phone, "name"', ",")
        b'phone,"name"'
    """
    mark = re.escape(delimiter.encode())
    late_quote = re.compile(rb"(?<=" + mark + rb') +(?="[^"\r\n' + mark + rb"])")
    return late_quote.sub(b"", content) if late_quote.search(content[:_SAMPLE_BYTES]) else content

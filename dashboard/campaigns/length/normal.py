"""One way to write each text: Unicode NFC, and LF for a line break.

Lengths are counted after this, so that the same words cost the same whichever program typed them: an e with a
combining accent is one character, and a line break made by Windows is one too.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.length.alphabet import never_composes, uncommon_bytes
from dashboard.values import as_texts

# Combining marks, and the vowels and final consonants of decomposed Korean.
_COMPOSING = r"^[\p{M}\x{1160}-\x{11FF}]"


def normal_text(text: str) -> str:
    r"""Write a text in NFC, with LF for CRLF and for a lone CR.

    Example:
        >>> normal_text("cafe\u0301\r\n")
        'café\n'
    """
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def normal_column(texts: pa.Array) -> pa.Array:
    """Do the same for a whole Arrow column of texts; missing texts stay missing."""
    uncommon = uncommon_bytes(texts)
    if ord("\r") in uncommon:
        texts = pc.replace_substring(pc.replace_substring(texts, "\r\n", "\n"), "\r", "\n")
    if not never_composes(uncommon):
        texts = pc.utf8_normalize(texts, form="NFC")
    return texts


def begins_composing(texts: pa.Array) -> bool:
    """Whether any text begins with a character that may combine with one before it.

    Two texts in NFC join into a text in NFC unless the second begins like that.
    """
    return bool(pc.any(pc.match_substring_regex(texts, _COMPOSING)).as_py())


def as_text_column(values: Any) -> pa.Array:
    """The values of a Series as one Arrow array of large strings, as pandas stores text."""
    column = pa.array(as_texts(values), from_pandas=True)
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column.cast(pa.large_string())

"""A whole Arrow column through the kernel: chunks, threads, and the rows that are left to the library.

Rows are judged in chunks of 65,536: small enough that Ctrl-C is heard within 10 ms, large enough that
starting a chunk costs nothing. The kernel needs no lock of Python's, so threads run side by side; each chunk
has its own scratch and fills its own slice of the result.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import make_dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.phones.build.plans import country_names
from dashboard.phones.kernel import (
    COMPILED,
    INVALID,
    LONGEST_E164,
    NO_PROBLEM,
    NOWHERE,
    UNDECIDED,
    UNREAD,
    Array,
    Tables,
    Texts,
    Verdicts,
    clean_rows,
    find_homes,
    new_scratch,
)
from dashboard.phones.library import Judgement, judge_text
from dashboard.phones.tables import load_tables
from dashboard.phones.words import LINE_TYPES

CHUNK_ROWS = 1 << 16
_log = logging.getLogger(__name__)


class Judged(NamedTuple):
    """A judged column: E.164 texts, null where there is no number, and a code for each row."""

    phones: pa.ChunkedArray
    problem: Array  # int8: index into words.PROBLEMS, NO_PROBLEM when valid
    line_type: Array  # int8: index into words.LINE_TYPES
    country: Array  # int16: index into plans.country_names(), or NOWHERE


class Chunk(NamedTuple):
    """Some rows of the column, and the slices of the result that they fill."""

    texts: Texts
    problem: Array
    line_type: Array
    country: Array


def judge_column(texts: pa.ChunkedArray, homes: Array) -> Judged:
    """Judge every text.

    Args:
        texts: Strings or large strings.
        homes: int16 index into `country_names` of the country that a text is dialled from, NOWHERE for
            none: one for each text, or a single one for all.
    """
    rows = len(texts)
    judged = Judged(
        phones=pa.chunked_array([], pa.large_string()),
        problem=np.empty(rows, np.int8),
        line_type=np.empty(rows, np.int8),
        country=np.empty(rows, np.int16),
    )
    chunks = []
    first = 0
    for part in _split(texts, read_only(homes)):
        rows_of_part = slice(first, first + part.rows)
        chunks.append(Chunk(part, *(codes[rows_of_part] for codes in judged[1:])))
        first += part.rows
    return judged._replace(phones=pa.chunked_array(_judge_chunks(chunks), pa.large_string()))


def first_homes(texts: pa.ChunkedArray, homes: Array, line_types: Collection[str]) -> Array:
    """For each text the place of the first home from which it is a valid number of one of the line types.

    Args:
        texts: Strings or large strings.
        homes: int16 index into `country_names` of each country to try, in this order.
        line_types: Line types, in the contract's words.

    Returns:
        int16; NOWHERE where there is none.
    """
    found, first = np.empty(len(texts), np.int16), 0
    wanted = sum(1 << LINE_TYPES.index(line_type) for line_type in line_types)
    for part in _split(texts, read_only(homes[:1])):
        tried, places = part._replace(homes=read_only(homes)), found[first : first + part.rows]
        if COMPILED:
            find_homes(tried, wanted, load_tables(), new_scratch(), places)
        else:
            find_homes(plain(tried), wanted, _plain_tables(), plain(new_scratch()), _plain(places))
        for row in np.flatnonzero(places == UNREAD).tolist():
            kinds = [_ask(tried, row, home) for home in homes.tolist()]
            fits = [place for place, one in enumerate(kinds) if wanted >> one.line_type & 1]
            places[row] = min(fits, default=NOWHERE)
        first += part.rows
    return found


def _judge_chunks(chunks: list[Chunk]) -> list[pa.Array]:
    threads = min(os.cpu_count() or 1, len(chunks)) if COMPILED else 1
    if threads <= 1:
        return [_judge_chunk(chunk) for chunk in chunks]
    pool = ThreadPoolExecutor(threads, thread_name_prefix="phones")
    try:
        return list(pool.map(_judge_chunk, chunks))
    finally:
        pool.shutdown(cancel_futures=True)  # on Ctrl-C: the chunks under way end, the others are dropped


def _split(column: pa.ChunkedArray, homes: Array) -> Iterator[Texts]:
    """Cut the column's own buffers into chunks; only 32-bit offsets are copied.

    Every array keeps its dtype and is read-only, because Numba compiles again (7 s) for each new combination.
    """
    first = 0
    for array in column.chunks:
        validity, offsets, data = array.buffers()
        offset_type = np.int64 if pa.types.is_large_string(array.type) else np.int32
        array_offsets = _view(offsets, offset_type)
        for start in range(0, len(array), CHUNK_ROWS):
            count = min(CHUNK_ROWS, len(array) - start)
            bit = array.offset + start
            row = first + start
            yield Texts(
                rows=count,
                data=_view(data, np.uint8),
                offsets=read_only(array_offsets[bit : bit + count + 1].astype(np.int64, copy=False)),
                validity=_view(validity, np.uint8),
                first_bit=bit,
                homes=homes if len(homes) == 1 else homes[row : row + count],
            )
        first += len(array)


def _view(buffer: pa.Buffer | None, dtype: type[np.generic]) -> Array:
    return read_only(np.frombuffer(buffer if buffer is not None else b"", dtype))


def read_only(array: Array) -> Array:
    """A view that cannot be written through."""
    view = array.view()
    view.flags.writeable = False
    return view


def _judge_chunk(chunk: Chunk) -> pa.Array:
    """Fill the chunk's slices of the result. -> its phones."""
    count = chunk.texts.rows
    written = np.empty(count * LONGEST_E164, np.uint8)
    offsets = np.empty(count + 1, np.int64)
    verdicts = Verdicts(written, offsets, chunk.problem, chunk.line_type, chunk.country)
    if COMPILED:
        size = clean_rows(chunk.texts, load_tables(), new_scratch(), verdicts)
    else:
        size = clean_rows(plain(chunk.texts), _plain_tables(), plain(new_scratch()), plain(verdicts))
    written.resize(size, refcheck=False)  # gives back the room that shorter numbers left
    has_number = (chunk.problem == NO_PROBLEM) | (chunk.problem == INVALID)
    validity = np.packbits(has_number, bitorder="little")
    phones = pa.LargeStringArray.from_buffers(count, *map(pa.py_buffer, (offsets, written, validity)))
    undecided = np.flatnonzero(chunk.problem == UNDECIDED)
    return _ask_library(chunk, undecided, phones) if len(undecided) else phones


def _ask_library(chunk: Chunk, rows: Array, phones: pa.Array) -> pa.Array:
    """Let the library judge the rows that the kernel left. -> the phones with theirs."""
    texts = chunk.texts
    names = country_names()
    found = []
    for row in rows:
        judgement = _ask(texts, row, texts.homes[min(row, len(texts.homes) - 1)])
        chunk.problem[row] = judgement.problem
        chunk.line_type[row] = judgement.line_type
        chunk.country[row] = NOWHERE if judgement.country is None else names.index(judgement.country)
        found.append(judgement.phone)
    is_left = np.zeros(texts.rows, np.bool_)
    is_left[rows] = True
    return pc.replace_with_mask(phones, pa.array(is_left), pa.array(found, pa.large_string()))


def _ask(texts: Texts, row: int, home: int) -> Judgement:
    text = texts.data[texts.offsets[row] : texts.offsets[row + 1]].tobytes().decode()
    return judge_text(text, None if home == NOWHERE else country_names()[home])


def plain(arrays: Any) -> Any:
    """The kernel's arguments for plain Python: a memory view gives ints, and sooner than an array."""
    return type(arrays)(*map(_plain, arrays))


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    fields: Any = value.dtype.names
    if fields is None:
        return value.data
    record = make_dataclass("record", fields, slots=True)
    return [record(*row.tolist()) for row in value]


@cache
def _plain_tables() -> Tables:
    _log.warning(
        "Phone numbers are judged in plain Python: exactly, but 70 times slower than with Numba, "
        "which is not installed here, or is switched off by NUMBA_DISABLE_JIT."
    )
    tables: Tables = plain(load_tables())
    return tables

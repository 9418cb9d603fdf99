"""In a running program: threads, Ctrl-C, broken buffers, no Numba, and getting ready."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from patience import PATIENCE_S
from phone_samples import hostile_texts, mixed_column, mutated_numbers
from tiers import only_deep

from dashboard.phones import clean_phones, column, is_ready, kernel, warm_up

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None  # what `import numba` finds where it is not installed
import json, logging
logging.basicConfig(format="%(message)s")
import pandas as pd
from dashboard.phones import clean_phones, first_country, is_ready
texts, countries = json.load(sys.stdin)
assert not is_ready()
for _ in range(2):
    frame = clean_phones(pd.Series(texts, dtype="str"), pd.Series(countries, dtype="str"))
assert is_ready()
assert first_country(pd.Series(["079", "0612345678"]), ["GB", "FR"], ["MOBILE"]).tolist() == [-1, 1]
print(frame.to_json(orient="values"))
"""

FOREVER = """
import signal
import pandas as pd
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
from dashboard.phones import clean_phones
texts = pd.Series(["+44 20 7946 0991"]).repeat(3_000_000)
clean_phones(texts[:100_000], "GB")
print("started", flush=True)
while True:
    clean_phones(texts, "GB")
"""


def run_python(program: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE_S, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize("many", [100, *only_deep(1_500)])
def test_without_numba_verdicts_are_the_same_and_it_is_said_once(many: int) -> None:
    samples = [*mixed_column(many, seed=5), *hostile_texts(many, seed=6), *mutated_numbers(many, seed=7)]
    texts, countries = ([sample[i] for sample in samples] for i in (0, 1))
    answer = run_python(WITHOUT_NUMBA, input=json.dumps([texts, countries]).encode(), capture_output=True)
    frame = clean_phones(pd.Series(texts, dtype="str"), pd.Series(countries, dtype="str"))
    assert json.loads(answer.stdout) == json.loads(frame.to_json(orient="values"))
    assert answer.stderr.decode().count("in plain Python") == 1


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_is_heard_at_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FOREVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.readline() == b"started\n"
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        asked = time.monotonic()
        program.wait(timeout=30)
        assert time.monotonic() - asked < 5
        assert b"KeyboardInterrupt" in program.stderr.read()


@pytest.mark.parametrize(("many", "times"), [(500, 3), pytest.param(3_000, 10, marks=pytest.mark.deep)])
def test_threads_do_not_disturb_one_another(many: int, times: int) -> None:
    columns = {}
    for country in ("GB", "US", "DE", None):
        texts = pd.Series([text for text, _ in mixed_column(many, seed=len(columns))], dtype="str")
        columns[country] = (texts, clean_phones(texts, country))
    jobs = [*columns.items()] * times
    with ThreadPoolExecutor(8) as pool:
        frames = list(pool.map(lambda job: clean_phones(job[1][0], job[0]), jobs))
    for (_, (_, expected)), frame in zip(jobs, frames, strict=True):
        pd.testing.assert_frame_equal(frame, expected)


def broken_column(offsets: list[int], data: bytes) -> pa.ChunkedArray:
    shared = np.zeros(len(offsets), np.int64)
    buffers = [None, pa.py_buffer(shared), pa.py_buffer(data)]
    array = pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)
    shared[:] = offsets  # only now, for Arrow checks them when it makes an array
    return pa.chunked_array([array])


@pytest.mark.parametrize(
    "broken",
    [
        broken_column([0, 150], b"+442079460991"),
        broken_column([10**12, 10**12 + 12], b"+442079460991"),
        broken_column([0, 2], b"1\xe2"),
    ],
    ids=["text ends behind the data", "text begins behind the data", "character ends behind the data"],
)
def test_broken_buffers_raise_instead_of_reading_foreign_memory(broken: pa.ChunkedArray) -> None:
    with pytest.raises(IndexError):
        column.judge_column(broken, np.array([kernel.NOWHERE], np.int16))


@pytest.mark.parametrize(
    "strange",
    [
        broken_column([12, 0, 12], b"+442079460991"),
        broken_column([-5, 3], b"+442079460991"),
        broken_column([0, 5], b"12\xff\xfe3"),
        broken_column([0, 13], b"+442079460991"),
    ],
    ids=["offsets go down", "an offset is negative", "no UTF-8", "sound"],
)
def test_strange_buffers_do_no_harm(strange: pa.ChunkedArray) -> None:
    try:
        judged = column.judge_column(strange, np.array([kernel.NOWHERE], np.int16))
    except (IndexError, ValueError):
        return
    assert len(judged.phones) == len(strange)


def test_warming_up_makes_ready() -> None:
    warm_up().join()
    assert is_ready()

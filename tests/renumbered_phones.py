"""Numbers from before and after the renumberings of renumberings.csv, written by a way of the tests' own."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from random import Random

_FILE = files("dashboard.contacts").joinpath("renumberings.csv")
LINES = list(csv.DictReader(_FILE.read_text("utf-8").splitlines()))


def examples(line: dict[str, str], each: int = 5) -> Iterator[tuple[str, str]]:
    """Old numbers of a line, and what they became, with every choice of the digits in brackets."""
    draw = Random(line["old"])  # noqa: S311 - examples, always the same
    old, new = (line[name].replace(" ", "") for name in ("old", "new"))
    choices = [re.findall(r"\d-\d|\d", some) for some in re.findall(r"\[(.*?)\]", old)]
    digits = [[digit for one in some for digit in range(int(one[0]), int(one[-1]) + 1)] for some in choices]
    for chosen in product(*digits):
        before, now = old, new
        for digit in chosen:
            before, now = (re.sub(r"\[.*?\]", str(digit), one, count=1) for one in (before, now))
        for _ in range(each):
            rest = "".join(draw.choices("0123456789", k=before.count("x")))
            yield "+" + before.rstrip("x") + rest, "+" + now.rstrip("x") + rest

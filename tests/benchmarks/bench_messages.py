"""What `write_messages` and `estimate_credits` cost beside bare concatenation; see docs/benchmarks.md.

    python tests/benchmarks/bench_messages.py --rows 100000 1000000 5000000
    python tests/benchmarks/bench_messages.py --check        # 1,000,000 rows; fails when a promise is broken

Figures are CPU time over all threads, so other programs on the machine matter little, and ratios are of one
run. The peers give the very same texts, which is checked; pandas and Jinja2 give nothing else, where ours
also gives lengths, credits, carriers' parts, problems and cost.
"""

from __future__ import annotations

import argparse
import operator
import sys
from collections.abc import Callable
from functools import reduce

import jinja2
import numpy as np
import pandas as pd
from clocks import in_turn

from dashboard.campaigns import estimate_credits, write_messages
from dashboard.contacts import TEXTABLE, ColumnMap, ContactList, Sheet
from dashboard.contacts.contact_list import OWN_FIELDS, Cleaning

SEED = 7
TURN_ROWS = 200_000
LOOP_ROWS = 50_000  # enough for what takes microseconds a row
LONG = 1_000_000  # promises hold from here on

NAMES = [
    *("Ann", "Bob", "Clémence", "Zoë", "Ágnes", "Łukasz"),
    *("María", "John", "Christopher", "Li", "Bea", "Omar"),
]
CITIES = ["York", "Berlin", "Saint-Étienne", "Paris", "Kraków", "Leeds", "London", "Rome", "Cork", "Lyon"]

Texts = Callable[[pd.DataFrame], pd.Series]


def people(rows: int) -> pd.DataFrame:
    """Contacts as `ContactList.sendable` has them: two columns that repeat, one that never does, blanks."""
    chance = np.random.default_rng(SEED)
    name = pd.Series(np.array(NAMES)[chance.integers(0, len(NAMES), rows)])
    return pd.DataFrame(
        {
            "row": np.arange(2, rows + 2),
            "phone": "+44" + pd.Series(np.arange(7_200_000_000, 7_200_000_000 + rows)).astype("str"),
            "country": pd.Categorical.from_codes(chance.integers(0, 3, rows), ["GB", "DE", "FR"]),
            "line_type": pd.Categorical.from_codes(np.zeros(rows, np.int8), ["MOBILE"]),
            "first_name": name.astype("str"),
            "nickname": name.mask(chance.random(rows) < 0.05, "").astype("str"),
            "city": pd.Series(np.array(CITIES)[chance.integers(0, len(CITIES), rows)]).astype("str"),
            "order": pd.Series(chance.integers(100_000, 1_000_000, rows)).astype("str"),
            "note": ("No. " + name + " " + pd.Series(np.arange(rows)).astype("str")).astype("str"),
        }
    )


def joined(*parts: str | pd.Series) -> pd.Series:
    """By bare concatenation."""
    return reduce(operator.add, parts)


READY = " ready. Ann of the shop"
CASES: dict[str, tuple[str, Texts]] = {
    "three fields": (
        "Hi {{first_name|there}}, our shop in {{city}} has your order {{order}}" + READY,
        lambda p: joined(
            *("Hi ", p["first_name"], ", our shop in ", p["city"]),
            *(" has your order ", p["order"], READY),
        ),
    ),
    "three fields, 5 % blank": (
        "Hi {{nickname|there}}, our shop in {{city}} has your order {{order}}" + READY,
        lambda p: joined(
            *("Hi ", p["nickname"].where(p["nickname"] != "", "there"), ", our shop in ", p["city"]),
            *(" has your order ", p["order"], READY),
        ),
    ),
    "a column that is not ASCII and never repeats": (
        "Hi {{first_name}}, our shop in {{city}} has this for you: {{note}}. Ann of the shop",
        lambda p: joined(
            *("Hi ", p["first_name"], ", our shop in ", p["city"]),
            *(" has this for you: ", p["note"], ". Ann of the shop"),
        ),
    ),
    "a field in a URL": (
        "Hi {{first_name}}, {{city}} has it ready: https://shop.example/o/{{order}}. Ann of the shop",
        lambda p: joined(
            *("Hi ", p["first_name"], ", ", p["city"]),
            *(" has it ready: https://shop.example/o/", p["order"], ". Ann of the shop"),
        ),
    ),
}


def cleaned(contacts: pd.DataFrame) -> ContactList:
    """The contacts as a cleaned list, whose numbers need no second look."""
    rows = contacts[list(OWN_FIELDS)].assign(status=pd.Categorical(["ok"] * len(contacts)))
    nothing = rows.iloc[:0]
    how = Cleaning("GB", ColumnMap(("phone",)), TEXTABLE, "first", np.array([], np.int64))
    fields = contacts.drop(columns=list(OWN_FIELDS))
    sheet = Sheet("", fields, rows["row"])
    return ContactList(
        rows=rows, fields=fields, how=how, sheet=sheet, judged=rows, alone=rows, said=nothing, told=nothing
    )


def ours(contacts: ContactList, template: str) -> pd.DataFrame:
    """Messages and their estimate."""
    messages = write_messages(contacts, template, campaign="Spring")
    estimate_credits(messages, price_per_credit="0.05")
    return messages


def jinja(contacts: pd.DataFrame, template: str) -> list[str]:
    """The same texts by a loop over a compiled Jinja2 template."""
    text = template.replace("{{first_name|there}}", "{{first_name or 'there'}}")
    render = jinja2.Template(text.replace("{{nickname|there}}", "{{nickname or 'there'}}")).render
    names = ["first_name", "nickname", "city", "order", "note"]
    return [
        render(dict(zip(names, values, strict=True)))
        for values in zip(*(contacts[name].tolist() for name in names), strict=True)
    ]


def compare(contacts: pd.DataFrame, template: str, bare: Texts) -> dict[str, float]:
    """All ways to the same texts. -> CPU ns a row"""
    few = contacts.head(LOOP_ROWS)
    clean = cleaned(contacts)
    texts = ours(clean, template)["body"]
    if not texts.equals(bare(contacts)) or texts.head(LOOP_ROWS).tolist() != jinja(few, template):
        raise AssertionError("the ways do not give the same texts")
    del texts
    return in_turn(
        {
            "ours": (len(contacts), lambda: ours(clean, template)),
            "pandas": (len(contacts), lambda: bare(contacts)),
            "jinja": (len(few), lambda: jinja(few, template)),
        },
        TURN_ROWS,
        min,  # memory that other programs keep busy only ever adds
    )


def main() -> int:
    """Measure and print; with --check return 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, nargs="+", default=[LONG])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    is_broken = False
    for rows in options.rows:
        contacts = people(rows)
        print(f"\n{rows:,} rows\n\n| text | ours, ns a row | pandas | Jinja2 | × pandas | Jinja2 × |")
        print("|---|--:|--:|--:|--:|--:|")
        for name, (template, bare) in CASES.items():
            taken = compare(contacts, template, bare)
            dearer, faster = taken["ours"] / taken["pandas"], taken["jinja"] / taken["ours"]
            figures = " | ".join(f"{taken[way]:,.0f}" for way in ("ours", "pandas", "jinja"))
            print(f"| {name} | {figures} | {dearer:.2f} | {faster:.1f} |")
            is_promised = name.startswith("three fields") and rows >= LONG
            is_broken |= is_promised and (dearer > 2 or faster < 10)
    return int(options.check and is_broken)


if __name__ == "__main__":
    sys.exit(main())

"""Contact lists set side by side: who is on several, and how many are lost from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts import ContactList, Status
from dashboard.contacts.categories import subscribers_of
from dashboard.contacts.e164 import E164
from dashboard.errors import FrameError
from dashboard.words import _


@checks_arguments()
def list_overlap(lists: Mapping[str, ContactList | pd.DataFrame]) -> pd.DataFrame:
    """Count the people that every two lists share. A person is a number, in whichever spelling and rows.

    Numbers are compared as they were cleaned, so clean each list once and use it for all questions. Whether
    somebody may be texted does not matter here; a row without a valid number is nobody.

    Args:
        lists: By name, each as `clean_contacts` gives it, or any frame with a column `phone` in E.164, such
            as `ContactList.rows` or `Ledger.contacts` gives.

    Returns:
        One row per pair, in the order given: a and b (the names), both, only_a and only_b (people), and
        jaccard (0 to 1: both ÷ everybody on either; missing if nobody is).

    Raises:
        FrameError: A frame has no column `phone`, or numbers that were not cleaned.

    Example:
        >>> spring = pd.DataFrame({"phone": ["+447400123456", "+447400123457"]})
        >>> autumn = pd.DataFrame({"phone": ["+447400123457", "+447400123458"]})
        >>> list_overlap({"spring": spring, "autumn": autumn})[["both", "only_a", "only_b"]].iloc[0].tolist()
        [1, 1, 1]
    """
    rows = [_overlap(one, other) for one, other in combinations(_people_of(lists), 2)]
    return pd.DataFrame(rows, columns=list(_OVERLAP)).astype(_OVERLAP)


@checks_arguments()
def list_decay(lists: Mapping[str, ContactList | pd.DataFrame]) -> pd.DataFrame:
    """Follow the people of a list into the list after it: who stayed, left and came, who can still be texted.

    Clean each list with the opt-outs of its own day, or nobody seems to have opted out in the meantime.

    Args:
        lists: By name, the oldest first, each as `clean_contacts` gives it, or any frame with a column
            `phone` in E.164. Whoever has a row whose status is ok can be texted; without a column `status`,
            everybody can.

    Returns:
        One row per list that has a successor: list and next (the names); people (with a valid number, each
        once), kept (of these, also on the next), left (not on it), new (only on the next), kept_share (0 to
        1: kept ÷ people), textable (people who can be texted), still_textable (of these, by the next as
        well) and still_share (0 to 1: still_textable ÷ textable). Shares of nobody are missing.

    Raises:
        FrameError: A frame has no column `phone`, or numbers that were not cleaned.

    Example:
        >>> spring = pd.DataFrame({"phone": ["+447400123456", "+447400123457"]})
        >>> autumn = pd.DataFrame({"phone": ["+447400123457", "+447400123458"]})
        >>> list_decay({"spring": spring, "autumn": autumn})["kept_share"].tolist()
        [0.5]
    """
    rows = [_decay(one, later) for one, later in pairwise(_people_of(lists))]
    return pd.DataFrame(rows, columns=list(_DECAY)).astype(_DECAY)


_OVERLAP = {
    **dict.fromkeys(("a", "b"), "str"),
    **dict.fromkeys(("both", "only_a", "only_b"), "int64"),
    "jaccard": "float64",
}
_DECAY = {
    **dict.fromkeys(("list", "next"), "str"),
    **dict.fromkeys(("people", "kept", "left", "new"), "int64"),
    "kept_share": "float64",
    **dict.fromkeys(("textable", "still_textable"), "int64"),
    "still_share": "float64",
}


@dataclass(frozen=True)
class _People:
    """Who is on a list, each once, however the number is spelled; and of these, who can be texted."""

    name: str
    everybody: pd.Index
    textable: pd.Index


def _people_of(lists: Mapping[str, ContactList | pd.DataFrame]) -> list[_People]:
    return [_people(name, given) for name, given in lists.items()]


def _people(name: str, given: ContactList | pd.DataFrame) -> _People:
    rows = given.rows if isinstance(given, ContactList) else given
    if "phone" not in rows:
        raise FrameError(
            _("{name} has no column phone. Clean it with clean_contacts first.").format(name=repr(name))
        )
    has_number = rows["phone"].notna()
    phones = rows.loc[has_number, "phone"].astype("str")
    if not phones.str.fullmatch(E164).all():
        raise FrameError(
            _(
                "{name} has phones that are not in E.164, so the same person would count as several. Clean "
                "it with clean_contacts first."
            ).format(name=repr(name))
        )
    ok = (rows.loc[has_number, "status"] == Status.OK) if "status" in rows else phones.notna()
    whose = subscribers_of(phones)
    return _People(name, pd.Index(whose).unique(), pd.Index(whose[ok]).unique())


def _overlap(one: _People, other: _People) -> Mapping[str, Any]:
    both = _shared(one.everybody, other.everybody)
    only_a, only_b = len(one.everybody) - both, len(other.everybody) - both
    return {
        "a": one.name,
        "b": other.name,
        "both": both,
        "only_a": only_a,
        "only_b": only_b,
        "jaccard": _share(both, both + only_a + only_b),
    }


def _decay(one: _People, later: _People) -> Mapping[str, Any]:
    people, textable = len(one.everybody), len(one.textable)
    kept, still = _shared(one.everybody, later.everybody), _shared(one.textable, later.textable)
    return {
        "list": one.name,
        "next": later.name,
        "people": people,
        "kept": kept,
        "left": people - kept,
        "new": len(later.everybody) - kept,
        "kept_share": _share(kept, people),
        "textable": textable,
        "still_textable": still,
        "still_share": _share(still, textable),
    }


def _shared(one: pd.Index, other: pd.Index) -> int:
    return int(one.isin(other).sum())


def _share(some: int, of: int) -> float:
    return some / of if of else float("nan")

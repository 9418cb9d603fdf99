"""Whom a campaign was made for, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from dashboard.app.audience import DraftAudience, KeptList
from dashboard.app.phrasing.conditions import condition_words
from dashboard.words import _, listed, plural


class _Kept(BaseModel):
    lists: tuple[KeptList, ...]
    audience: DraftAudience = DraftAudience()


def left_out_campaigns(kept: Mapping[str, Any] | None) -> Sequence[str]:
    """The ids of the campaigns whose people were left out."""
    read = _read(kept)
    return () if read is None else read.audience.campaigns


def made_for(kept: Mapping[str, Any] | None, names: Mapping[str, str]) -> dict[str, str]:
    """The lists and the choice among their people, a line each; none if it is not known.

    Args:
        kept: What the ledger keeps; a program that calls it may keep what it likes there.
        names: Names of campaigns by their ids.
    """
    read = _read(kept)
    if read is None:
        return {}
    audience, lines = read.audience, {}
    for term, leaves_out in ((_("Lists"), False), (_("Left out"), True)):
        if found := [one.name for one in read.lists if one.leaves_out == leaves_out]:
            lines[term] = listed(found)
    chosen = {}
    if audience.conditions:
        chosen[_("Only if")] = "; ".join(map(condition_words, audience.conditions))
    if days := audience.not_texted_days:
        chosen[_("Not texted")] = plural(days, "in the last {count} day", "in the last {count} days")
    if audience.campaigns:
        known = [names.get(one, _("a campaign that is gone")) for one in audience.campaigns]
        chosen[_("Without those who got")] = listed(known)
    if some := audience.sample:
        chosen[_("Sample")] = plural(
            some, "at most {count} person, at random", "at most {count} people, at random"
        )
    return {**lines, **(chosen or {_("Of these"): _("everybody who was ready")})}


def _read(kept: Mapping[str, Any] | None) -> _Kept | None:
    with suppress(ValidationError):
        return _Kept.model_validate(kept)
    return None

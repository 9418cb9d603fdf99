"""What the audit trail says, as people read it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from dashboard.ledger.audit.acting import NOBODY_KNOWN
from dashboard.ledger.audit.verbs import Verb
from dashboard.settings.owned import LABELS
from dashboard.words import N_, _, count

DONE: Mapping[Verb, str] = {
    "upload": N_("Uploaded a file"),
    "begin": N_("Began a draft"),
    "edit": N_("Edited a draft"),
    "save list": N_("Saved a list"),
    "save text": N_("Saved a text"),
    "delete": N_("Deleted a list, a text or a draft"),
    "sample": N_("Showed or removed the sample history"),
    "prepare": N_("Prepared a campaign"),
    "start": N_("Started a campaign"),
    "schedule": N_("Scheduled a campaign"),
    "ask approval": N_("Asked for an approval"),
    "approve": N_("Approved a campaign"),
    "pause": N_("Paused a campaign"),
    "resume": N_("Resumed a campaign"),
    "cancel": N_("Cancelled a campaign"),
    "decision": N_("Decided about unknown messages"),
    "opt-out import": N_("Added opt-outs"),
    "opt-out removal": N_("Took a number off the opt-outs"),
    "opt-outs confirmed": N_("Confirmed that no opt-outs are missing"),
    "setting": N_("Changed settings"),
    "export": N_("Downloaded or exported a file"),
    "add person": N_("Added a person"),
    "change person": N_("Changed what a person may do"),
    "remove person": N_("Removed a person"),
    "sign-in": N_("Signed in"),
    "sign-out": N_("Signed out"),
    "refused sign-in": N_("Was refused at sign-in"),
    "bar": N_("Barred somebody"),
    "admit": N_("Admitted somebody again"),
    "forget": N_("Deleted numbers and texts"),
    "backup": N_("Copied the ledger"),
    "restore": N_("Restored a copy of the ledger"),
    "recount": N_("Recounted a campaign"),
    "upgrade": N_("Upgraded the ledger"),
}

_SHORT = 8
_ID_LENGTH = 32


def done(verb: str) -> str:
    """What was done, in words; a later version's word as it is."""
    return _(DONE[verb]) if verb in DONE else verb  # type: ignore[index] # it is one of them


def doer(who: str) -> str:
    """Who did it."""
    return _("Somebody unknown") if who == NOBODY_KNOWN else who


def told_about(about: str, details: str, names: Mapping[str, str]) -> str:
    """What it was done to, and the further facts: `Spring sale · 1,200 messages`.

    The facts are in the trail's own words, and so in English.

    Args:
        about: As the trail has it.
        details: The same.
        names: What campaigns and lists are called, by their ids.
    """
    facts: dict[str, object] = json.loads(details)
    settings = about.split(", ")
    if all(one in LABELS for one in settings):
        return ", ".join(_setting(one, facts) for one in settings)
    thing = names.get(about) or (about[:_SHORT] if len(about) == _ID_LENGTH else about)
    said = ", ".join(_fact(name.replace("_", " "), value) for name, value in facts.items())
    return " · ".join(part for part in (thing, said) if part)


def _setting(name: str, facts: Mapping[str, object]) -> str:
    return f"{_(LABELS[name])}: {_value(facts[name])}" if name in facts else _(LABELS[name])


def _fact(name: str, value: object) -> str:
    is_number_of = type(value) is int and name != "version"
    return f"{_value(value)} {name}" if is_number_of else f"{name} {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return " + ".join(map(str, value))
    return count(value) if isinstance(value, int) else str(value)

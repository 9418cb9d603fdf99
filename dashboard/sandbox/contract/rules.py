"""The contract's rules for a bulk request (section 4.1), with a sentence for every field that breaks one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import uuid4

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE

from dashboard.sandbox.contract.refusals import BrokenRulesError
from dashboard.sandbox.simulation import MICROSECONDS, Simulation

MAX_BODY = 1024
LAST_SECOND = 253_402_300_799

_PHONE = re.compile(r"\+[1-9][0-9]{1,14}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_DATETIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")
_COUNTRY_CODES = frozenset(str(code) for code in COUNTRY_CODE_TO_REGION_CODE)


class Submitted(NamedTuple):
    """One element of a request that keeps every rule; `uuid` and `sender` are filled in."""

    to: str
    body: str
    uuid: str
    sender: str
    shorten: bool
    scheduled_us: int | None
    campaign: str | None
    tracking: str | None


def read(payload: object, *, now_us: int, simulation: Simulation) -> list[Submitted]:
    """The messages of a request, all of them or none.

    Raises:
        BrokenRulesError: Any element breaks any rule.
    """
    if not isinstance(payload, list) or not payload:
        raise BrokenRulesError({"": ["The request must be a JSON array of at least one message."]})
    errors: dict[str, list[str]] = {}
    for index, element in enumerate(payload):
        for field, why in _problems(element, now_us, simulation).items():
            errors[f"{index}.{field}" if field else str(index)] = [why]
    if errors:
        raise BrokenRulesError(errors)
    return [_submitted(element, simulation) for element in payload]


def _problems(element: object, now_us: int, simulation: Simulation) -> dict[str, str]:
    if not isinstance(element, dict):
        return {"": "Each message must be a JSON object."}
    problems = {field: "This field is required." for field in ("to", "body") if field not in element}
    for field, value in element.items():
        check = _CHECKS.get(field)
        why = check(value) if check else "The contract has no such field."
        if why:
            problems[field] = why
    if problems:
        return problems
    scheduled_us = _scheduled_us(element.get("scheduled_at"))
    if scheduled_us is not None and scheduled_us <= now_us:
        problems["scheduled_at"] = "It must be in the future."
    if "campaignTracking" in element and element.get("shortenLinks") is False:
        problems["campaignTracking"] = "It cannot be combined with shortenLinks false."
    approved = simulation.approved_senders
    if approved is not None and element.get("sender", simulation.default_sender) not in approved:
        problems["sender"] = "It must be the name of an approved sender."
    return problems


def _submitted(element: dict[str, Any], simulation: Simulation) -> Submitted:
    return Submitted(
        element["to"],
        element["body"],
        element.get("uuid") or str(uuid4()),
        element.get("sender", simulation.default_sender),
        element.get("shortenLinks", True),
        _scheduled_us(element.get("scheduled_at")),
        element.get("campaign"),
        element.get("campaignTracking"),
    )


def _to(value: object) -> str:
    if not isinstance(value, str) or not _PHONE.fullmatch(value):
        return "It must be a text that starts with + and the country code, followed by digits only."
    if not any(value[1:end] in _COUNTRY_CODES for end in (2, 3, 4)):
        return "It must start with + and a country code that exists."
    return ""


def _body(value: object) -> str:
    if not isinstance(value, str) or not value:
        return "It must be a text."
    return f"It must have at most {MAX_BODY} characters." if len(value) > MAX_BODY else ""


def _uuid(value: object) -> str:
    return "" if isinstance(value, str) and _UUID.fullmatch(value) else "It must be a UUID."


def _word(value: object) -> str:
    return "" if isinstance(value, str) and value else "It must be a text; leave it out for the default."


def _switch(value: object) -> str:
    return "" if isinstance(value, bool) else "It must be true or false."


def _schedule(value: object) -> str:
    if _scheduled_us(value) is not None:
        return ""
    return "It must be YYYY-MM-DD HH:MM:SS in UTC, or whole Unix seconds."


_CHECKS: dict[str, Callable[[object], str]] = {
    "to": _to,
    "body": _body,
    "uuid": _uuid,
    "sender": _word,
    "shortenLinks": _switch,
    "scheduled_at": _schedule,
    "campaign": _word,
    "campaignTracking": _word,
}


def _scheduled_us(value: object) -> int | None:
    if type(value) is int and abs(value) <= LAST_SECOND:
        return value * MICROSECONDS
    if isinstance(value, str) and _DATETIME.fullmatch(value):
        try:
            return int(datetime.fromisoformat(value).replace(tzinfo=UTC).timestamp()) * MICROSECONDS
        except ValueError:
            return None
    return None

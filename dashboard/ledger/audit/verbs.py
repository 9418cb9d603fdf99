"""What the audit trail knows that people do: a closed list, so that it can be filtered and translated."""

from __future__ import annotations

from typing import Literal, get_args

Verb = Literal[
    "upload",
    "begin",
    "edit",
    "save list",
    "save text",
    "delete",
    "sample",
    "prepare",
    "start",
    "schedule",
    "ask approval",
    "approve",
    "pause",
    "resume",
    "cancel",
    "decision",
    "opt-out import",
    "opt-out removal",
    "opt-outs confirmed",
    "setting",
    "export",
    "add person",
    "change person",
    "remove person",
    "sign-in",
    "sign-out",
    "refused sign-in",
    "bar",
    "admit",
    "forget",
    "backup",
    "restore",
    "recount",
    "upgrade",
]

VERBS: tuple[Verb, ...] = get_args(Verb)

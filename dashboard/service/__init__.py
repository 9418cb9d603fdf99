"""The messaging service over HTTP; contract.md is the law on every field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.lazily import on_first_use

if TYPE_CHECKING:
    from dashboard.service.client import SmsService
    from dashboard.service.contact import Contact, ContactMethod
    from dashboard.service.errors import (
        AuthenticationError,
        Finding,
        IncompleteAnswerError,
        NotSentError,
        OutcomeUnknownError,
        RefusedBeforeSendingError,
        RejectedError,
        ThrottledError,
        TooLargeError,
    )
    from dashboard.service.models import Answered, Message, NumberCheck, OutgoingMessage
    from dashboard.service.reading import read_message

__all__ = [
    "Answered",
    "AuthenticationError",
    "Contact",
    "ContactMethod",
    "Finding",
    "IncompleteAnswerError",
    "Message",
    "NotSentError",
    "NumberCheck",
    "OutcomeUnknownError",
    "OutgoingMessage",
    "RefusedBeforeSendingError",
    "RejectedError",
    "SmsService",
    "ThrottledError",
    "TooLargeError",
    "read_message",
]

_PLACES = {
    "Answered": "models",
    "AuthenticationError": "errors",
    "Contact": "contact",
    "ContactMethod": "contact",
    "Finding": "errors",
    "IncompleteAnswerError": "errors",
    "Message": "models",
    "NotSentError": "errors",
    "NumberCheck": "models",
    "OutcomeUnknownError": "errors",
    "OutgoingMessage": "models",
    "RefusedBeforeSendingError": "errors",
    "RejectedError": "errors",
    "SmsService": "client",
    "ThrottledError": "errors",
    "TooLargeError": "errors",
    "read_message": "reading",
}

__getattr__ = on_first_use(__name__, _PLACES)

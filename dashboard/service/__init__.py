"""The messaging service over HTTP; contract.md is the law on every field."""

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
from dashboard.service.models import Message, NumberCheck, OutgoingMessage
from dashboard.service.reading import read_message

__all__ = [
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

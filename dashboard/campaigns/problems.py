"""Why a written message cannot be sent. The codes and their wording are here and nowhere else."""

from __future__ import annotations

from enum import StrEnum

from dashboard.arguments import checks_arguments
from dashboard.words import N_, _


class MessageProblem(StrEnum):
    """The values of the `problem` column of MESSAGES."""

    NO_PHONE = "no_phone"
    NOT_E164 = "not_e164"
    UNCLEAR_ANSWER = "unclear_answer"
    EMPTY_FIELD = "empty_field"
    LOST_CHARACTER = "lost_character"
    EMPTY_TEXT = "empty_text"
    TEXT_TOO_LONG = "text_too_long"
    NO_COMMON_HOURS = "no_common_hours"
    TOO_OFTEN = "too_often"


_WORDING = {
    MessageProblem.NO_PHONE: N_("The row has no phone number. Fill the cell."),
    MessageProblem.NOT_E164: N_(
        "The phone is not a valid number written as + and digits only, such as +447400123456. A phone "
        "stored as a number has lost its +. Clean the numbers with clean_contacts."
    ),
    MessageProblem.UNCLEAR_ANSWER: N_(
        "The template has text for those whose cell says yes, and the cell in this row says neither "
        "yes nor no. Write yes or no in it."
    ),
    MessageProblem.EMPTY_FIELD: N_(
        "A field of the template is empty in this row and has no fallback. Fill the cell, or write "
        "a fallback such as {{ first_name | there }}."
    ),
    MessageProblem.LOST_CHARACTER: N_(
        "The text contains the sign \ufffd, which stands for a character that was lost. Correct the cell, or "
        "read the file with another encoding."
    ),
    MessageProblem.EMPTY_TEXT: N_("The text is empty for this row. Fill the cell, or write a fallback."),
    MessageProblem.TEXT_TOO_LONG: N_(
        "The text is longer than 1024 characters once the fields are filled in. "
        "Shorten the template or the cell."
    ),
    MessageProblem.NO_COMMON_HOURS: N_(
        "The number may be in time zones so far apart that their texting hours never overlap. Choose "
        "longer hours, or none."
    ),
    MessageProblem.TOO_OFTEN: N_(
        "This person already gets as many texts as the cap allows. Send this one later, or raise the cap."
    ),
}


@checks_arguments()
def explain_message(code: str) -> str:
    """The sentence for a problem code of MESSAGES.

    Raises:
        ValueError: `code` is none of `MessageProblem`.

    Example:
        >>> explain_message("no_phone")
    """
    return _(_WORDING[MessageProblem(code)])

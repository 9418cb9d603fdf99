"""Every error this product raises, in one tree.

From the most general to the most particular::

    DashboardError
    ├── SettingsError            an environment variable or .env line cannot be used
    ├── SheetError               a contact sheet cannot be read
    │   └── ColumnError          it can be read, but the phone column is missing or unclear
    ├── CountryError             a country is not one of ISO 3166's two-letter codes
    ├── OptionError              an argument has a value that it cannot have
    ├── OptOutError              an opt-out list contains something that is not a number
    ├── CampaignError            a campaign cannot be prepared as asked
    │   ├── TemplateError        the message template has a mistake
    │   ├── MessageTooLongError  a text is over the contract's 1024 characters
    │   └── SentBeforeError      the same people got, or will get, the same text by another campaign
    ├── ReportFileError          a file holds no delivery reports
    ├── FrameError               a column of a frame contains something it should not
    ├── OutputError              a file cannot be written
    ├── ServiceError             the messaging service (tree in service/errors.py)
    ├── SendingError             this process cannot send now
    └── LedgerError              the ledger cannot do what was asked
        ├── UnknownCampaignError no such campaign
        ├── CampaignStateError   the campaign's state does not allow it
        ├── LedgerVersionError   the ledger is newer than this program, or too old for it
        ├── LedgerRefusedError   the database refuses what is to be written
        ├── LedgerDamagedError   what is there is not a ledger, or a damaged one
        └── LedgerUnavailableError the database cannot be reached or written now

Messages say what to do next. They never hold a phone number, a name, a message text or a key.
Bad rows are not errors: they are data, with a `problem` code on the row.
"""

from __future__ import annotations


class DashboardError(Exception):
    """Base of all errors here; catching it catches everything that has a sentence for the user.

    Example:
        >>> try:
        ...     read_sheet("nowhere.csv")
        ... except DashboardError as error:
        ...     print(type(error).__name__)
        SheetError
    """


class SettingsError(DashboardError):
    """A setting is missing, contradicts another one, or cannot be read."""


class SheetError(DashboardError):
    """A contact sheet cannot be read; the message says what was found and what to do.

    Example:
        >>> try:
        ...     read_sheet(b"")
        ... except SheetError as error:
        ...     print(error)
    """


class ColumnError(SheetError):
    """The sheet was read, but a required column is missing or was named wrongly."""


class CountryError(DashboardError):
    """A country is not a two-letter ISO 3166 code in upper case."""


class OptionError(DashboardError):
    """An argument of a call has none of the few values that it may have."""


class OptOutError(DashboardError):
    """Entries of an opt-out list cannot be read as numbers; the message names their places, not them."""


class CampaignError(DashboardError):
    """A campaign cannot be prepared as asked."""


class TemplateError(CampaignError):
    """The template has a mistake: something unclosed, an unknown field, or another tool's syntax."""


class MessageTooLongError(CampaignError):
    """A text is longer than the 1024 characters the contract allows (section 8).

    Example:
        >>> try:
        ...     count_credits("x" * 1025)
        ... except MessageTooLongError as error:
        ...     print(error)
    """


class SentBeforeError(CampaignError):
    """Most of the messages were sent, or will be, by another campaign; has its id and state."""

    def __init__(self, sentence: str, campaign: str, state: str) -> None:
        self.campaign, self.state = campaign, state
        super().__init__(sentence)


class ReportFileError(DashboardError):
    """A file holds no delivery reports; the message says what was expected."""


class FrameError(DashboardError):
    """A column of a frame that was passed in does not contain numbers, or times; the message names it."""


class OutputError(DashboardError):
    """A file cannot be written there; whatever was there before is unchanged."""


class ServiceError(DashboardError):
    """Base of everything that goes wrong between us and the messaging service; see service/errors.py.

    `status` is the HTTP status of the answer, None if there was none.
    """

    status: int | None = None


class SendingError(DashboardError):
    """This process cannot send now, for example because it is already sending."""


class LedgerError(DashboardError):
    """The ledger cannot do what was asked."""


class UnknownCampaignError(LedgerError):
    """There is no campaign with this id."""


class CampaignStateError(LedgerError):
    """The campaign's state does not allow the step, for example resuming one that is done."""


class LedgerVersionError(LedgerError):
    """The ledger was written by a newer program, or by one from longer before the first release."""


class LedgerRefusedError(LedgerError):
    """The database is there but refuses a statement; asking again would not help."""


class LedgerDamagedError(LedgerError):
    """What is in the ledger's place is damaged, or another program's; it is left as it is."""


class LedgerUnavailableError(LedgerError):
    """The database cannot be reached or written now; whether a commit under way took effect is not known."""

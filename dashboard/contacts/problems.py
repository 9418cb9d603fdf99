"""Why a row cannot be texted as it is: the codes, and the one place with their wording."""

from __future__ import annotations

from enum import StrEnum

from dashboard.arguments import checks_arguments
from dashboard.words import N_, _

__all__ = ["LINE_TYPE_PROBLEMS", "PARSE_PROBLEMS", "QUESTIONS", "Problem", "Status", "explain"]


class Status(StrEnum):
    """The verdict on a row. Only `ok` rows are sent.

    Example:
        >>> contacts.rows.query("status == @Status.REVIEW")
    """

    OK = "ok"
    REVIEW = "review"
    INVALID = "invalid"
    DUPLICATE = "duplicate"
    OPTED_OUT = "opted_out"
    EMPTY = "empty"
    NOT_CHOSEN = "not_chosen"


class Problem(StrEnum):
    """Codes for the column `problem`, grouped by the status they lead to.

    Example:
        >>> contacts.rows["problem"].eq(Problem.LANDLINE).sum()
    """

    # empty
    NO_NUMBER = "no_number"
    TOTALS_ROW = "totals_row"
    # invalid: what was typed
    DIGITS_LOST = "digits_lost"
    LETTERS = "letters"
    DATE = "date"
    DECIMAL = "decimal"
    SPREADSHEET_ERROR = "spreadsheet_error"
    FILLER = "filler"
    FOR_FICTION = "for_fiction"
    NOT_A_NUMBER = "not_a_number"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    COUNTRY_MISSING = "country_missing"
    UNKNOWN_COUNTRY_CODE = "unknown_country_code"
    OTHER_COUNTRY = "other_country"
    NO_SUCH_NUMBER = "no_such_number"
    # invalid: a real number, but not one to text
    LANDLINE = "landline"
    TOLL_FREE = "toll_free"
    PREMIUM_RATE = "premium_rate"
    SHARED_COST = "shared_cost"
    VOIP = "voip"
    PERSONAL_NUMBER = "personal_number"
    PAGER = "pager"
    UAN = "uan"
    VOICEMAIL = "voicemail"
    SHORT_CODE = "short_code"
    EMERGENCY = "emergency"
    STANDARD_RATE = "standard_rate"
    UNKNOWN_LINE_TYPE = "unknown_line_type"
    MOBILE_NOT_WANTED = "mobile_not_wanted"
    # review: a person decides
    UNUSUAL_SPELLING = "unusual_spelling"
    LABELLED_OTHERWISE = "labelled_otherwise"
    EXTENSION_DROPPED = "extension_dropped"
    SCIENTIFIC_NOTATION = "scientific_notation"
    ROUNDED = "rounded"
    TEST_NUMBER = "test_number"
    MADE_UP_SEQUENCE = "made_up_sequence"
    PLUS_GUESSED = "plus_guessed"
    PLUS_ONE = "plus_one"
    RENUMBERED = "renumbered"
    COUNTRY_UNCLEAR = "country_unclear"
    COLUMN_UNANSWERED = "column_unanswered"
    BELOW_LINE = "below_line"
    CONSENT_UNCLEAR = "consent_unclear"
    REFUSAL_NOTED = "refusal_noted"
    BESIDE_REFUSER = "beside_refuser"
    NUMBER_DOUBTED = "number_doubted"
    STRUCK_OUT = "struck_out"
    NEWSLETTER_ONLY = "newsletter_only"
    OTHER_CHANNEL_PREFERRED = "other_channel_preferred"
    # opted out
    NUMBER_REFUSED = "number_refused"
    OPTED_OUT = "opted_out"
    ON_OPT_OUT_LIST = "on_opt_out_list"
    NO_CONSENT = "no_consent"
    # duplicate
    DUPLICATE = "duplicate"
    # not chosen
    NOT_MATCHING = "not_matching"
    NOT_COMPARABLE = "not_comparable"
    ON_LEFT_OUT_LIST = "on_left_out_list"
    IN_EARLIER_CAMPAIGN = "in_earlier_campaign"
    TEXTED_LATELY = "texted_lately"
    NOT_IN_SAMPLE = "not_in_sample"


_WORDING = {
    Problem.NO_NUMBER: N_("There is no phone number in this row."),
    Problem.TOTALS_ROW: N_("This looks like a totals row, not a contact."),
    Problem.DIGITS_LOST: N_(
        "The spreadsheet shortened the number (as in 4.47E+11), and digits are lost for good. Format "
        "the column as text in the source and export it again."
    ),
    Problem.LETTERS: N_("There are letters in the number, for example O for 0. Type it in digits."),
    Problem.DATE: N_("This is a date, not a phone number. Check which column holds the phone."),
    Problem.DECIMAL: N_(
        "This is a decimal number, not a phone number. If it is a phone, write it without the dot or comma."
    ),
    Problem.SPREADSHEET_ERROR: N_(
        "The cell holds a spreadsheet error. Correct the formula and export again."
    ),
    Problem.FILLER: N_("This is filler such as 0000000000, not a phone number."),
    Problem.FOR_FICTION: N_("This number is reserved for films and books. Nobody has it."),
    Problem.NOT_A_NUMBER: N_("This is not a phone number."),
    Problem.TOO_SHORT: N_(
        "The number is too short: digits are missing, or it is an emergency or short number. "
        "Ask the person for the whole number."
    ),
    Problem.TOO_LONG: N_(
        "The number is too long. If there are two in the cell, separate them with a semicolon."
    ),
    Problem.COUNTRY_MISSING: N_("The number has no country code. Choose the country of numbers like this."),
    Problem.UNKNOWN_COUNTRY_CODE: N_("The number begins with a code that no country has."),
    Problem.OTHER_COUNTRY: N_(
        "Not a number of the chosen country. Ask the person for it: a number with a mistake may be "
        "somebody else's in another country. If many rows say this, choose the country they are from."
    ),
    Problem.NO_SUCH_NUMBER: N_("The country has no numbers of this form. Check for missing or extra digits."),
    Problem.LANDLINE: N_("This is a landline, which does not take text messages."),
    Problem.TOLL_FREE: N_("This is a toll-free number, not a person's phone."),
    Problem.PREMIUM_RATE: N_("This is a premium-rate number, not a person's phone."),
    Problem.SHARED_COST: N_("This is a shared-cost service number, not a person's phone."),
    Problem.VOIP: N_("This is an internet phone number, which seldom takes text messages."),
    Problem.PERSONAL_NUMBER: N_("This is a personal forwarding number, which may cost more."),
    Problem.PAGER: N_("This is a pager."),
    Problem.UAN: N_("This is a company's universal access number, not a person's phone."),
    Problem.VOICEMAIL: N_("This is a voicemail number."),
    Problem.SHORT_CODE: N_("This is a short code, not a person's phone."),
    Problem.EMERGENCY: N_("This is an emergency number."),
    Problem.STANDARD_RATE: N_("This is a service number at standard rate, not a person's phone."),
    Problem.UNKNOWN_LINE_TYPE: N_("Nobody can tell what kind of line this is."),
    Problem.MOBILE_NOT_WANTED: N_("This is a mobile number, which this list is set to leave out."),
    Problem.UNUSUAL_SPELLING: N_(
        "The cell contains more than a number. Approve it if the right number was found."
    ),
    Problem.LABELLED_OTHERWISE: N_(
        "Another column of the row may say that the number is a fax, or somebody else's. "
        "Approve it if it is the person's own."
    ),
    Problem.EXTENSION_DROPPED: N_(
        "Digits after the number, such as an extension, were left out. Approve it if the number is right."
    ),
    Problem.SCIENTIFIC_NOTATION: N_(
        "The number was written like 4.47911123456E+11; all digits seem to be there. Approve it if they are."
    ),
    Problem.ROUNDED: N_(
        "The number ends in many zeros: a spreadsheet may have rounded it. Approve it if it is right."
    ),
    Problem.TEST_NUMBER: N_(
        "The number is reserved for films and tests, or looks as if it was typed just to fill the "
        "cell. Approve it if it is real."
    ),
    Problem.MADE_UP_SEQUENCE: N_(
        "The number is one of five or more in consecutive rows that count up or down by one, as made-up "
        "numbers do. Approve these rows if the numbers are real."
    ),
    Problem.PLUS_GUESSED: N_(
        "This was read as a foreign number whose + was lost. Approve it if the country is right."
    ),
    Problem.PLUS_ONE: N_(
        "A +1 stands before a number that is one of the row's own country without it. Approve it if the "
        "number shown is the person's; otherwise correct it."
    ),
    Problem.RENUMBERED: N_(
        "The number looks like one from before its country changed its numbers, or a digit is missing. "
        "Approve it if the number shown is the person's; otherwise correct it."
    ),
    Problem.COUNTRY_UNCLEAR: N_(
        "The row's country is not one we know, so the list's country was used. Approve it if that is right."
    ),
    Problem.COLUMN_UNANSWERED: N_(
        "A column may say who must not be texted, and nobody has yet said what its values mean. Answer the "
        "question about it, and the row is checked again."
    ),
    Problem.BELOW_LINE: N_(
        "A line above this row may say whom it is about. Read it, and approve the rows below it if these "
        "people may be texted."
    ),
    Problem.CONSENT_UNCLEAR: N_(
        "A consent or opt-out column says neither yes nor no. Approve it if you have consent."
    ),
    Problem.REFUSAL_NOTED: N_(
        "Something about this person may mean no texts. Read it, and approve the row if they may be texted."
    ),
    Problem.BESIDE_REFUSER: N_(
        "Somebody who refuses texts has this number beside their own, for example as an emergency contact's. "
        "Approve it if it belongs to another person, who may be texted."
    ),
    Problem.NUMBER_DOUBTED: N_(
        "The sheet says that this number is wrong, is no longer in use, or could not be reached. Approve it "
        "if it is the person's own."
    ),
    Problem.STRUCK_OUT: N_(
        "This row or its phone, or those of another row with this number, are struck out in the workbook. "
        "Approve it if the person may still be texted at this number."
    ),
    Problem.NEWSLETTER_ONLY: N_(
        "The sheet says only who wants a newsletter, which is neither consent to texts nor a refusal of "
        "them. Approve it if the person may be texted."
    ),
    Problem.OTHER_CHANNEL_PREFERRED: N_(
        "The sheet says that this person prefers something other than texts, such as e-mail. Approve "
        "it if a text is still welcome."
    ),
    Problem.NUMBER_REFUSED: N_("The sheet says next to this number that it must not be texted."),
    Problem.OPTED_OUT: N_("The sheet says that this person opted out."),
    Problem.ON_OPT_OUT_LIST: N_("This number is on the opt-out list."),
    Problem.NO_CONSENT: N_("The sheet says that this person did not consent."),
    Problem.DUPLICATE: N_("Another row has the same number."),
    Problem.NOT_MATCHING: N_("The row does not meet the conditions by which people were chosen."),
    Problem.NOT_COMPARABLE: N_(
        "A condition compares dates or numbers, and the cell in this row cannot be read as one. Write it "
        "as 2026-11-30, or as 1200.50, and upload the sheet again."
    ),
    Problem.ON_LEFT_OUT_LIST: N_("This number is in a list of people to leave out."),
    Problem.IN_EARLIER_CAMPAIGN: N_("This number is in an earlier campaign whose people are left out."),
    Problem.TEXTED_LATELY: N_("This number was texted lately, or is about to be."),
    Problem.NOT_IN_SAMPLE: N_("The row is not in the sample drawn at random."),
}

LINE_TYPE_PROBLEMS = {
    "FIXED_LINE": Problem.LANDLINE,
    "MOBILE": Problem.MOBILE_NOT_WANTED,
    "FIXED_LINE_OR_MOBILE": Problem.MOBILE_NOT_WANTED,
    "TOLL_FREE": Problem.TOLL_FREE,
    "PREMIUM_RATE": Problem.PREMIUM_RATE,
    "SHARED_COST": Problem.SHARED_COST,
    "VOIP": Problem.VOIP,
    "PERSONAL_NUMBER": Problem.PERSONAL_NUMBER,
    "PAGER": Problem.PAGER,
    "UAN": Problem.UAN,
    "UNKNOWN": Problem.UNKNOWN_LINE_TYPE,
    "EMERGENCY": Problem.EMERGENCY,
    "VOICEMAIL": Problem.VOICEMAIL,
    "SHORT_CODE": Problem.SHORT_CODE,
    "STANDARD_RATE": Problem.STANDARD_RATE,
}
"""The problem of a valid number whose line type is not wanted, by the contract's words (section 4.2)."""

QUESTIONS = (
    Problem.COLUMN_UNANSWERED,
    *(Problem.STRUCK_OUT, Problem.NEWSLETTER_ONLY, Problem.NUMBER_DOUBTED, Problem.OTHER_CHANNEL_PREFERRED),
    *(Problem.BESIDE_REFUSER, Problem.BELOW_LINE, Problem.REFUSAL_NOTED, Problem.CONSENT_UNCLEAR),
)
"""What only a person can answer: may somebody be texted at this number? If there are several, the last
counts."""

PARSE_PROBLEMS = {
    "INVALID_COUNTRY_CODE": Problem.UNKNOWN_COUNTRY_CODE,
    "NOT_A_NUMBER": Problem.NOT_A_NUMBER,
    "TOO_SHORT_AFTER_IDD": Problem.TOO_SHORT,
    "TOO_SHORT_NSN": Problem.TOO_SHORT,
    "TOO_LONG": Problem.TOO_LONG,
    "INVALID": Problem.NO_SUCH_NUMBER,
}
"""Our problem for each of the phone library's."""


@checks_arguments()
def explain(code: str) -> str:
    """What a problem code means and what to do about it, as a sentence or two.

    Example:
        >>> explain("landline")
        'This is a landline, which does not take text messages.'

    Raises:
        ValueError: There is no such code.
    """
    return _(_WORDING[Problem(code)])

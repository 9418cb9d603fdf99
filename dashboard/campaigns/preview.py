"""A single text: as one contact would get it, or sent to your own phones as a trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns.frame_check import checks_frames
from dashboard.campaigns.labels import NO_LABEL
from dashboard.campaigns.problems import explain_message
from dashboard.campaigns.sent_with import one_value, require_columns
from dashboard.campaigns.text.cells import Cells
from dashboard.campaigns.text.fields import columns_of
from dashboard.campaigns.text.reader import parse_template
from dashboard.campaigns.text.sections import Share, write_shares
from dashboard.errors import CampaignError
from dashboard.phones import clean_phones
from dashboard.words import _

_TEST = "Test: "


@checks_arguments()
def preview(template: str, row: Mapping[str, object]) -> str:
    """The text one contact would get.

    Args:
        template: The template.
        row: Values by column name.

    Raises:
        TemplateError: The template has a mistake.

    Example:
        >>> preview("Hi {{ first_name | there }}!", {"First name": ""})
        'Hi there!'
    """
    parsed = parse_template(template)
    frame = pd.DataFrame({name: [value] for name, value in row.items()}, index=[0])
    written = write_shares([Share(parsed, columns_of(parsed, frame), None)], Cells(frame))
    return str(written.merged.bodies[0].as_py())


@checks_frames
def trial_messages(
    messages: pd.DataFrame, place: int, phones: Sequence[str], *, country: str | None = None
) -> pd.DataFrame:
    """Address one of a campaign's messages to your own phones, to see it arrive. It costs credits.

    Args:
        messages: MESSAGES.
        place: Which of them, counted from 0.
        phones: The numbers.
        country: ISO 3166 country of numbers without a country code.

    Returns:
        MESSAGES, one for each phone, to be sent at once. The campaign's name is prefixed with "Test: ", so
        that the service counts them separately.

    Raises:
        CampaignError: The message has a problem, or a number is not valid.

    Example:
        >>> trial_messages(messages, 0, ["07400 123456"], country="GB")["to"].tolist()
        ['+447400123456']
    """
    require_columns(messages)
    numbers = clean_phones(pd.Series(phones, dtype="str"), country)
    numbers = numbers.drop_duplicates("phone", ignore_index=True)
    if not 0 <= place < len(messages):
        raise CampaignError(_("There is no message at this position. Positions are counted from 0."))
    problem = messages["problem"].iloc[place]
    if not pd.isna(problem):
        raise CampaignError(
            _("This message cannot be sent. {problem}").format(problem=explain_message(str(problem)))
        )
    if numbers.empty or not numbers["valid"].all():
        raise CampaignError(_("Give your own numbers with + and the country code, such as +44 7400 123456."))
    trial = messages.iloc[[place] * len(numbers)].reset_index(drop=True)
    return trial.assign(
        to=numbers["phone"],
        country=numbers["country"],
        line_type=numbers["line_type"],
        texting_hours=one_value(NO_LABEL, len(numbers)),
        scheduled_at=pd.Series(pd.NaT, numbers.index, dtype=messages["scheduled_at"].dtype),
        campaign=pd.Series(f"{_TEST}{trial['campaign'].iloc[0]}", numbers.index, dtype="category"),
    )

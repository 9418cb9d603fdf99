"""What a sheet asks and how it is answered, on the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from dashboard.contacts import Question
from dashboard.contacts.columns.questions import MEANINGS, question_notes
from dashboard.contacts.columns.rules import ROLES
from dashboard.errors import ColumnError

_BLANK = "(blank)"
_ROLES = ", ".join(ROLES)


def question_lines(questions: Collection[Question]) -> list[str]:
    """The open questions with their values, and how to answer them, in words; none if all are answered.

    Example:
        >>> question_lines([Question("MKT", {"Y": 2, "": 1})])[:2]
        ['“MKT” may say who must not be texted. The rows wait until you say what its values mean.',
         '  MKT: Y (2), (blank) (1)']
    """
    if not questions:
        return []
    column, values = next(iter(values_by_column(questions).items()))
    value = next(filter(None, values), "")
    return [
        *question_notes(questions),
        *(f"  {one.column}: {one.counted}" for one in questions),
        f'Say what a whole column is, as in --column "{column}=consent" (a yes agrees; one of {_ROLES}), '
        f'or what each of its values means, as in --column "{column}:{value}=may" (or must_not, or nothing). '
        "If no column says who may be texted, add --none-of-these.",
    ]


def answer_lines(answers: Mapping[str, Mapping[str, str]]) -> list[str]:
    """What columns were said to mean, now or before, in words.

    Example:
        >>> answer_lines({"VIP": {"yes": "nothing", "": "nothing"}})
        ['As answered, VIP: yes = nothing, (blank) = nothing']
    """
    lines = []
    for column, meanings in answers.items():
        told = (f"{value or _BLANK} = {said}" for value, said in meanings.items())
        lines.append(f"As answered, {column}: {', '.join(told)}")
    return lines


def values_by_column(questions: Iterable[Question]) -> dict[str, dict[str, int]]:
    """The same for machines: how many rows have which value."""
    return {one.column: dict(one.values) for one in questions}


def answers_of(given: Iterable[str], names: Collection[str]) -> dict[str, str | dict[str, str]]:
    """The answers given with --column, as `ColumnMap.answered` takes them.

    Args:
        given: Such as "Zgoda=consent" and "Kanal:SMS=may".
        names: The sheet's columns.

    Raises:
        ColumnError: The sheet has no such column, or the answer is none.
    """
    answers: dict[str, str | dict[str, str]] = {}
    for text in given:
        left, _, answer = text.rpartition("=")
        column = left if left in names else max(_columns_before_colon(left, names), key=len, default=None)
        if column is None and text not in names:
            raise ColumnError(f'The sheet has no column "{left or text}". Choose one of those it has.')
        column = column or text
        is_value = column != left
        if answer not in (MEANINGS if is_value else ROLES):
            raise ColumnError(
                f'Write --column "{column}=consent" for the whole column (one of {_ROLES}), and '
                f'--column "{column}:VALUE=may" (or must_not, or nothing) for one of its values.'
            )
        if is_value:
            before = answers.get(column)
            answers[column] = {
                **(before if isinstance(before, Mapping) else {}),
                left[len(column) + 1 :].replace(_BLANK, ""): answer,
            }
        else:
            answers[column] = answer
    return answers


def _columns_before_colon(left: str, names: Collection[str]) -> list[str]:
    """The columns that "Kanal:SMS" may be about: names and values may have colons too."""
    return [name for name in names if left.startswith(f"{name}:")]

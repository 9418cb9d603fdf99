"""Credits: what the service bills for a text (contract, section 8).

One credit for up to 160 characters; beyond that the text is split into parts of 153, one credit each. 1024
characters at most. A character is a Unicode code point, counted after normalising; the contract does not say
so, but this is what its limits mean in JSON. What carriers count is another matter: see `carriers`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dashboard.arguments import checks_arguments
from dashboard.campaigns.length.normal import normal_text
from dashboard.errors import MessageTooLongError
from dashboard.words import _, count

SINGLE = 160
PART = 153
LIMIT = 1024


@checks_arguments()
def count_credits(text: str) -> int:
    """The credits one text costs.

    Args:
        text: The text as it will be sent, with fields filled in. Its links are counted as written.

    Returns:
        1 to 7.

    Raises:
        MessageTooLongError: The text is over 1024 characters.

    Example:
        >>> count_credits("a" * 160), count_credits("a" * 161)
        (1, 2)
    """
    length = len(normal_text(text))
    if length > LIMIT:
        raise MessageTooLongError(
            _(
                "The text has {length} characters, but the service takes at most {limit}. Shorten it "
                "by {surplus}."
            ).format(length=count(length), limit=count(LIMIT), surplus=count(length - LIMIT))
        )
    return int(credits_of(np.array([length]))[0])


def credits_of(characters: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Credits for each length in characters, ignoring the limit."""
    return split_units(characters, SINGLE, PART)


def split_units(units: npt.NDArray[np.int64], single: int, part: int) -> npt.NDArray[np.int64]:
    """Parts of each text: one for up to `single` units, otherwise as many as needed of `part` units each."""
    possible = np.arange(units.max(initial=0) + 1)  # a lookup is quicker than dividing a million lengths
    return np.where(possible <= single, 1, -(-possible // part)).take(units)

"""What a text costs, counted here independently so that the product's counter has a peer to agree with."""

from __future__ import annotations

SINGLE = 160
PART = 153


def credits_used(text: str) -> int:
    """Credits of a text (contract section 8): one up to 160 characters, else one per 153 or part of it.

    Example:
        >>> [credits_used("x" * n) for n in (1, 160, 161, 306, 307)]
        [1, 1, 2, 2, 3]
    """
    return 1 if len(text) <= SINGLE else -(-len(text) // PART)

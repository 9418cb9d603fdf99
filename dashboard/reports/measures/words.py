"""The figures in words: what each means, and how it is counted. docs/glossary.md is made from these."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """A figure's word, what it means and, where it is not plain from that, what it is counted as."""

    word: str
    meaning: str
    counted: str = ""


STANDING: dict[str, Figure] = {
    "approved": Figure("approved", "frozen with the campaign", "all messages"),
    "dropped": Figure(
        "left out later", "opted out after the approval; never handed over, never billed", "state dropped"
    ),
    "handed_over": Figure(
        "handed over",
        "its request left this machine, however that ended; not what was proved unsent, and not people left "
        "out of a batch that left",
        "accepted + refused + unknown + given up",
    ),
    "accepted": Figure(
        "accepted", "proved: the service named it", "state accepted, what waits there for its time included"
    ),
    "waiting": Figure("waiting", "accepted, and its own time has not come, to the quarter of an hour"),
    "rejected": Figure("refused", "the service said no to the request; not billed", "state rejected"),
    "unknown": Figure(
        "unknown",
        "nobody can tell whether the service took it; never sent again without a person's decision",
        "state unknown",
    ),
    "abandoned": Figure(
        "given up",
        "was unknown, and is left: a person decided so, or the recipient opted out before it was sent again",
        "state abandoned",
    ),
    "sent": Figure("sent", "accepted and left the service", "has a time of sending, or any later news"),
    "delivered": Figure(
        "delivered", "the service's last word: it arrived", "accepted, with a time of delivery"
    ),
    "failed": Figure(
        "failed", "the service's last word: it did not arrive; billed anyway", "accepted, with a reason only"
    ),
    "open": Figure("open", "accepted, and the last word has not come", "accepted - delivered - failed"),
    "not_sent_yet": Figure("not sent yet", "ready, held or being sent", "states ready and sending"),
}
"""Where messages stand, by the names of the columns of `standings`."""

OTHERS = (
    Figure(
        "final",
        "a campaign or group in which nothing changes any more",
        "no message open or not sent yet; or all are handed over, the newest more than 72 hours ago: what is "
        "open then has no news",
    ),
    Figure(
        "delivered share",
        "shown with the number open and the range in which it can end, up to (delivered + open) ÷ accepted",
        "delivered ÷ accepted",
    ),
    Figure("failed share", "refused and unknown stand beside it as numbers", "failed ÷ accepted"),
    Figure(
        "estimate",
        "credits or money before sending, low to high, at the price frozen with the campaign",
        "approved - left out later",
    ),
    Figure("billed", "credits that the service said it used", "the sum of the bills that came"),
    Figure(
        "bill missing",
        "messages that the service has, or may have, with at most so many credits; never 0",
        "accepted, unknown or given up, without a bill",
    ),
    Figure(
        "billed money",
        "exact, for each currency by itself, rounded only where it is shown; credits without a price stand "
        "beside it",
        "billed credits × price",
    ),
    Figure(
        "used against a cap",
        "the most that may come of it; unknown and given up count as well",
        "each bill above 0, or else the highest estimate",
    ),
    Figure(
        "day, month and hour",
        "of a message: when it was handed over, in the reporting time zone; files carry UTC",
    ),
)
"""What is computed from those and from credits."""

"""The invariants by name, as docs/guarantees.md names them, and what is raised when one does not hold."""

from __future__ import annotations

INVARIANTS = {
    "twice": "no message is claimed again unless its request was proved unsent or a person decided so",
    "books": "the service took no message more often than somebody allowed",
    "early": "no message is requested while an earlier request with it may be on its way",
    "frozen": "a campaign's messages are those that were frozen: uuids, numbers, texts, estimates",
    "count": "every message is in one state, in one batch, and the states add up",
    "sums": "each batch's sums are those of its messages",
    "tallies": "what every figure is added up from is what a recount of the messages finds",
    "proof": "what the service named is accepted, and stays so",
    "unproved": "nothing is accepted that neither the service named nor a person decided",
    "doubt": "what a person sent again is not rejected, cancelled or dropped: nobody knows of the first",
    "opt-out": "nothing is ready for, or claimed for, a number on the list",
    "dropped": "nobody is dropped who was never on the list",
    "stopped": "nothing is claimed of a campaign that is not running, or that a person stopped",
    "due": "nothing is claimed before its time",
    "quiet": "nobody is texted outside their hours; who is held back waits until they begin, not longer",
    "gate": "nothing is claimed before the time that the service asked for",
    "pace": "claims keep to the pace",
    "cap": "the service's books never hold more credits than a cap allows",
    "pauses": "a campaign pauses when an answer, or a row of answers, says so",
    "again": "who resumes is not stopped again by what they have seen",
    "why": "what is paused says why",
    "move": "a campaign goes only from where to where its states allow",
    "open": "what is done or cancelled has nothing left to send",
    "merged": "what is known of a message is the most of all that was said of it, in whatever order",
    "history": "every status that was ever said is kept, once",
    "stray": "what is not about a message of ours is set aside and counted",
    "forgotten": "numbers and texts of what was forgotten are gone, and nothing else",
    "copy": "an older copy sends nothing unasked, and says that opt-outs may be missing",
    "once": "a token makes one campaign, and nothing else",
    "again-sent": "the same texts to the same people are refused where that was asked for",
    "stuck": "when nothing fails any more, every campaign ends or says what it waits for",
    "raised": "nothing is raised but the product's own errors",
}


class BrokenError(AssertionError):
    """A promise is broken: which, by its name above, and how."""

    def __init__(self, invariant: str, what: str) -> None:
        self.invariant = invariant
        super().__init__(f"{invariant} ({INVARIANTS[invariant]}): {what}")


def hold(invariant: str, holds: object, what: str = "") -> None:
    """Raise unless it holds."""
    if not holds:
        raise BrokenError(invariant, what)

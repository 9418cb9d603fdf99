"""Campaigns being prepared in the background: a million messages take a while, and nobody waits for them.

Each has a thread of its own. Nothing of it is kept on disk: if the process ends in the middle, there is no
campaign, and the draft is as it was.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Lock, Thread

from dashboard.errors import DashboardError, LedgerUnavailableError
from dashboard.words import _, spoken_here

log = logging.getLogger(__name__)

Work = Callable[[Callable[[float], None]], str]
"""Makes a campaign and returns its id; what it is given is told the share that is done."""

LONGEST_S = 600.0
"""How long the process waits at its end for what is still being prepared."""


class Start:
    """A campaign being prepared.

    Attributes:
        messages: How many messages it has.
        share: How much of it is done, from 0 to 1.
    """

    def __init__(self, messages: int) -> None:
        self.messages = messages
        self.share = 0.0
        self._made: Future[str] = Future()

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        return self._made.done()

    @property
    def failure(self) -> str | None:
        """Why there is no campaign, or none that is known of, as pages say it; None if nothing failed yet."""
        error = self._made.exception() if self.is_over else None
        if error is None:
            return None
        if isinstance(error, LedgerUnavailableError):  # a commit whose answer was lost may have taken effect
            return _(
                "It is not known whether this campaign was started. Open the page again in a moment; nothing "
                "is sent twice."
            )
        unforeseen = _(
            "Something unexpected went wrong; the log says what. Send the draft again: nothing is sent twice."
        )
        why = str(error) if isinstance(error, DashboardError) else unforeseen
        return _("This campaign was not started. {why}").format(why=why)

    def result(self, wait_s: float = 0.0) -> str | None:
        """The campaign's id; None if there is none after so many seconds.

        Raises:
            DashboardError: As `freeze_campaign` raised it; or whatever else went wrong.
        """
        wait([self._made], wait_s)
        return self._made.result() if self.is_over else None

    def run(self, work: Work) -> None:
        """Do the work; in a thread of its own."""
        try:
            self._made.set_result(work(self._tell))
        except BaseException as error:
            log.warning("A campaign could not be made (%s). Its draft says why.", type(error).__name__)
            self._made.set_exception(error)

    def _tell(self, share: float) -> None:
        self.share = share


class Starts:
    """The campaigns being prepared in this process, by their drafts."""

    def __init__(self) -> None:
        self._starts: dict[str, Start] = {}
        self._threads: list[Thread] = []
        self._guard = Lock()

    def begin(self, draft_id: str, messages: int, work: Work) -> Start:
        """Prepare a draft's campaign, unless this is being done already."""
        with self._guard:
            running = self._starts.get(draft_id)
            if running is not None and not running.is_over:
                return running
            start = self._starts[draft_id] = Start(messages)
            thread = Thread(target=spoken_here(start.run), args=(work,), name="start", daemon=True)
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()
            return start

    def find(self, draft_id: str) -> Start | None:
        """What is being prepared for a draft, or was last."""
        return self._starts.get(draft_id)

    def forget(self, draft_id: str) -> None:
        """Its campaign was opened, or the draft was deleted.

        Why one failed is kept until then, or until the draft is sent again: several tabs may show it.
        """
        with self._guard:
            self._starts.pop(draft_id, None)

    def close(self) -> None:
        """Wait for what is being prepared."""
        for thread in self._threads:
            thread.join(LONGEST_S)

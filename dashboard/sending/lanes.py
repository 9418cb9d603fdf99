"""Lanes on DBOS, the durable workflow engine: it decides when and where a lane walks, never what may be sent.

A lane that is cut short by a crash is run again by DBOS when its slot comes back, or replaced by the process
that finds the slot's owner dead. That may happen too often, but it is safe: every batch is claimed in the
ledger first.

What DBOS 3.4 has to be told: an engine with WAL on SQLite (it sets none), an executor id per process (or a
second process runs the first one's lanes again), a pinned version (or lanes are ignored after an upgrade).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any
from uuid import uuid4

from dbos import DBOS, DBOSConfig, SetWorkflowID
from sqlalchemy import Engine, create_engine, event

from dashboard.errors import SendingError
from dashboard.ledger.database.connections import BUSY_TIMEOUT_S, STANDSTILL_S, Database
from dashboard.ledger.outbox.claims import Lane
from dashboard.words import _

APPLICATION = "campaign-dashboard"
VERSION = "1"
"""The version of what a lane's arguments mean, not of the program."""

POLL_S = 0.5
UNFINISHED = ["PENDING", "ENQUEUED"]

Walk = Callable[[Lane], str]


class _Process:
    """What DBOS runs lanes for in this process; there is one DBOS per process."""

    def __init__(self) -> None:
        self.guard = Lock()
        self.walk: Walk | None = None


_process = _Process()


@DBOS.workflow(name="lane", max_recovery_attempts=None)
def walk_lane(campaign: str, number: int, lanes: int) -> str:
    """Walk a lane; returns why it ended."""
    walk = _process.walk
    return walk(Lane(campaign, number, lanes)) if walk else "stopping"


class Lanes:
    """The lanes that walk in this process.

    Args:
        database: The ledger's; DBOS keeps its tables there too.
        slot: The number of the slot that this process holds.
        walk: Sends a lane's batches.

    Raises:
        SendingError: This process is already walking lanes.
    """

    def __init__(self, database: Database, slot: int, walk: Walk) -> None:
        with _process.guard:
            if _process.walk is not None:
                raise SendingError(
                    _("This process is already sending. Stop its engine before starting another one.")
                )
            _process.walk = walk
        self._slot = slot
        self._system = system_engine(database) if database.is_sqlite else None
        try:
            # In a separate thread: DBOS refuses to start where an event loop runs, as in a notebook.
            with ThreadPoolExecutor(1) as outside:
                outside.submit(self._launch, database).result()
        except BaseException:
            self.close()
            raise

    def start(self, counts: Mapping[str, int]) -> None:
        """Let this many lanes of each campaign walk here; the first of each begins before any's second."""
        round_ = uuid4().hex[:12]
        for number in range(max(counts.values(), default=0)):
            for campaign, count in counts.items():
                if number < count:
                    with SetWorkflowID(f"{campaign}-{round_}-{number}"):
                        DBOS.enqueue_workflow(_queue(self._slot), walk_lane, campaign, number, count)

    def end(self, slot: int) -> None:
        """End the lanes that a dead process left; living processes start their own for what is still ready.

        They are not resumed elsewhere: if the process is alive after all, its threads would wait for an
        outcome that nobody may ever record, and keep it from ending.
        """
        left = DBOS.list_workflows(
            name="lane", status=UNFINISHED, executor_id=_executor(slot), load_input=False, load_output=False
        )
        if left:
            DBOS.cancel_workflows([lane.workflow_id for lane in left])

    def close(self) -> None:
        """End DBOS in this process; lanes still walking are run again later."""
        DBOS.destroy()
        if self._system is not None:
            self._system.dispose()
        with _process.guard:
            _process.walk = None

    def _launch(self, database: Database) -> None:
        config = DBOSConfig(
            name=APPLICATION,
            application_version=VERSION,
            executor_id=_executor(self._slot),
            log_level="WARNING",
            enable_otlp=False,
            sys_db_idle_transaction_timeout_sec=STANDSTILL_S,
            db_engine_kwargs={"hide_parameters": True},
            system_database_url=database.url.render_as_string(hide_password=False),
        )
        if self._system is not None:
            config["system_database_engine"] = self._system
        DBOS(config=config)
        DBOS.listen_queues([_queue(self._slot)])
        DBOS.launch()
        DBOS.register_queue(_queue(self._slot), polling_interval_sec=POLL_S)


def _executor(slot: int) -> str:
    return f"slot-{slot}"


def _queue(slot: int) -> str:
    return f"lanes-{slot}"


def system_engine(database: Database) -> Engine:
    """An engine on the ledger's file for DBOS, which sets no pragmas itself."""
    engine = create_engine(database.url, connect_args={"timeout": BUSY_TIMEOUT_S}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = "IMMEDIATE"
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine

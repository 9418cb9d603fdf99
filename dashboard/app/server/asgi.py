"""The web server: Streamlit's pages, the routes alongside them, and the headers on everything."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
import uvicorn
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import config

from dashboard import __version__
from dashboard.app import runtime
from dashboard.app.door.budgets import Budgets
from dashboard.app.door.listening import listening, own_address, public_origin, trusted_hosts
from dashboard.app.door.signature import WEBHOOK_PATH
from dashboard.app.runtime import Runtime
from dashboard.app.server import webhook
from dashboard.app.server.admission import Admission
from dashboard.app.server.clicks import take_note_of_every_click
from dashboard.app.server.connections import Patient, make_room
from dashboard.app.server.headers import SecurityHeaders
from dashboard.app.server.hosts import Hosts
from dashboard.app.server.metrics import Traffic
from dashboard.app.server.opening import Opening
from dashboard.app.server.options import configure, join_log
from dashboard.app.server.requests import Requests
from dashboard.app.server.sign_in import SignIn
from dashboard.app.server.watching import Watching
from dashboard.app.widgets.plain import plain
from dashboard.errors import DashboardError
from dashboard.jobs import logs
from dashboard.settings import Settings
from dashboard.words import _

log = logging.getLogger(__name__)

MAIN = Path(__file__).parents[1] / "main.py"


def serve(settings: Settings) -> None:
    """Serve the dashboard until Ctrl-C or SIGTERM; then finish what is in flight and claim no more.

    Raises:
        SettingsError: The port is taken, a setting cannot be used, or strangers would be let in.
        LedgerError: The ledger cannot be opened.
    """
    join_log()
    take_note_of_every_click()
    configure(settings)
    make_room()
    with listening(settings) as listeners:
        wired = Runtime.open(settings)
        runtime.use(wired)
        server = uvicorn.Server(
            uvicorn.Config(
                build(wired),
                http=Patient,
                ws="websockets-sansio",
                ws_max_size=config.get_option("server.maxMessageSize") * 1_000_000,
                ws_ping_interval=30,
                server_header=False,  # which program it is helps only who looks for its holes
                access_log=False,
                log_config=None,  # its lines go the way of everybody's
                log_level="warning",
                timeout_graceful_shutdown=3,  # open pages hold their websocket for as long as they are open
            )
        )
        where = f"The dashboard is at {own_address(settings)}"
        logs.announce(settings, f"{where} (version {__version__}; Ctrl-C stops it)")
        if settings.uses_sandbox:
            logs.announce(settings, "Sandbox: no message leaves this machine.")
        server.run(sockets=listeners)


def build(wired: Runtime) -> st.App:
    """Build the ASGI application around a runtime that is already open; its lifespan closes the runtime."""

    @asynccontextmanager
    async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
        finally:
            await run_in_threadpool(wired.close)
            logs.announce(wired.given, "The dashboard has stopped, as it was asked to.")

    return st.App(
        MAIN,
        lifespan=lifespan,
        on_script_error=explain,
        routes=[
            Route(WEBHOOK_PATH, webhook.DeliveryReports),
        ],
        middleware=_doors(wired),
    )


def explain(error: Exception) -> bool:
    """Show what went wrong on a page: our own errors' sentence, and no internals of any other error."""
    if isinstance(error, DashboardError):
        st.error(plain(error), icon=":material/error:")
    else:
        st.error(
            _(
                "Something went wrong on this page. Reload it; Campaigns shows what was started. If it "
                "happens again, check the server's log for this minute."
            ),
            icon=":material/error:",
        )
    return True


def _doors(wired: Runtime) -> list[Middleware]:
    """What stands before the pages and the routes, outermost first."""
    settings = wired.given
    traffic = Traffic()
    doors = [
        Middleware(Requests, traffic=traffic),
        Middleware(SecurityHeaders, is_https=public_origin(settings).startswith("https://")),
        Middleware(Watching, wired=wired, traffic=traffic),
        Middleware(Hosts, names=trusted_hosts(settings)),
    ]
    if wired.desk is not None:
        sign_in, budgets = SignIn(settings, wired.desk), Budgets.of(settings)
        doors.append(Middleware(Admission, desk=wired.desk, sign_in=sign_in, budgets=budgets))
    return [*doors, Middleware(Opening)]

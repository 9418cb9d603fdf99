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
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import config

from dashboard.app import runtime
from dashboard.app.door.listening import listening, own_address, trusted_hosts
from dashboard.app.door.signature import WEBHOOK_PATH
from dashboard.app.runtime import Runtime
from dashboard.app.server import webhook
from dashboard.app.server.clicks import take_note_of_every_click
from dashboard.app.server.headers import SecurityHeaders
from dashboard.app.server.options import configure, join_log
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
    with listening(settings) as listeners:
        wired = Runtime.open(settings)
        runtime.use(wired)
        server = uvicorn.Server(
            uvicorn.Config(
                build(wired),
                ws="websockets-sansio",
                ws_max_size=config.get_option("server.maxMessageSize") * 1_000_000,
                ws_ping_interval=30,
                access_log=False,
                log_config=None,  # its lines go the way of everybody's
                log_level="warning",
                timeout_graceful_shutdown=3,  # open pages hold their websocket for as long as they are open
            )
        )
        logs.announce(settings, f"The dashboard is at {own_address(settings)} (Ctrl-C stops it)")
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

    return st.App(
        MAIN,
        secrets=sign_in_secrets(wired.settings),
        lifespan=lifespan,
        on_script_error=explain,
        routes=[
            Route("/healthz", healthz),
            Route(WEBHOOK_PATH, webhook.receive_reports, methods=["POST"]),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=trusted_hosts(wired.settings)),
        ],
    )


async def healthz(_: Request) -> JSONResponse:
    """Whether the ledger answers and messages can be sent: 200 or 503."""
    ok = await run_in_threadpool(runtime.current().is_healthy)
    return JSONResponse({"ok": ok}, 200 if ok else 503)


def explain(error: Exception) -> bool:
    """Show what went wrong on a page: our own errors' sentence, and no internals of any other error."""
    if isinstance(error, DashboardError):
        st.error(plain(error), icon=":material/error:")
    else:
        st.error(
            _(
                "Something went wrong on this page, and nothing was sent. Reload the page. If it "
                "happens again, check the server's log for this minute."
            ),
            icon=":material/error:",
        )
    return True


def sign_in_secrets(settings: Settings) -> dict[str, Any] | None:
    """What Streamlit needs for OpenID Connect, in memory only; None when sign-in is off."""
    if not (settings.oidc_issuer and settings.oidc_client_secret and settings.oidc_cookie_secret):
        return None
    public_url = settings.oidc_public_url or f"http://localhost:{settings.port}"
    return {
        "auth": {
            "redirect_uri": f"{public_url.rstrip('/')}/oauth2callback",
            "cookie_secret": settings.oidc_cookie_secret.get_secret_value(),
            "client_id": settings.oidc_client_id or "",
            "client_secret": settings.oidc_client_secret.get_secret_value(),
            "server_metadata_url": f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
            "client_kwargs": {"prompt": "select_account"},
        }
    }

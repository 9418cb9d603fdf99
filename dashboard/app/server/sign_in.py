"""Signing in and out: OpenID Connect's code flow, and a session that the ledger keeps.

Authlib, which Streamlit brings along, does the flow with state, nonce and PKCE and verifies the token;
Starlette's signed cookie holds the flow's own secrets for its ten minutes. Streamlit's sign-in is not used:
its cookie cannot be revoked, never expires with what it says, and is read only after a page is open.
"""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from dashboard.app.door.desk import Desk
from dashboard.app.door.listening import public_address, public_origin
from dashboard.app.people import Refusal, admit
from dashboard.app.server.sign_in_page import form, link, page
from dashboard.errors import LedgerError
from dashboard.settings import Settings
from dashboard.words import N_, _, speak

log = logging.getLogger(__name__)

NO_STORE = {"cache-control": "no-store"}
FLOW_S = 600
LONGEST_PATH = 1500
"""Percent-encoded. It waits in the cookie of the flow, and browsers keep none of more than 4096 bytes."""

REFUSED = "refused"
"""Why the last sign-in opened nothing, in the signed cookie of the flow."""

NO_PAGES = ("/sign-", "/oauth2callback")
REASONS = {
    "ended": N_("Your sign-in has ended. Sign in again to continue."),
    "out": N_("You are signed out."),
    "failed": N_("Signing in did not work. Try again."),
}
FULL = {
    "pages": N_("You have too many pages of the dashboard open. Close some of them first."),
    "full": N_("Too many pages of the dashboard are open right now. Try again in a few minutes."),
}
"""Why somebody who is signed in cannot open one more page."""

_AGAIN = N_("The dashboard cannot reach what it needs to sign you in. Try again in a minute.")


class SignIn:
    """The addresses at which people sign in and out.

    Attributes:
        paths: These addresses.
        address: Where people open the dashboard.
        cookie: Name of the cookie that a signed-in browser holds.
    """

    def __init__(self, settings: Settings, desk: Desk) -> None:
        self._settings = settings
        self._desk = desk
        self.address = public_address(settings)
        self._origin = public_origin(settings)
        self._is_https = self._origin.startswith("https://")
        # Cookies know no ports: two dashboards on one machine would sign each other out under one name.
        self.cookie = "__Host-dashboard" if self._is_https else f"dashboard-{settings.port}"
        self._provider = _provider(settings)
        routes = [
            Route("/sign-in", self._page),
            Route("/sign-in/start", self._start),
            Route("/oauth2callback", self._back),
            Route("/sign-out", self._out, methods=["POST"]),
        ]
        self.paths = frozenset(route.path for route in routes)
        self._app = Starlette(routes=routes, middleware=[self._flow(settings)])

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at one of these addresses, in the language that everybody has."""
        speak(self._desk.language)  # to this request only: each has a context of its own
        await self._app(scope, receive, send)

    def is_own_page(self, headers: Mapping[str, str]) -> bool:
        """Whether a request says that it comes from a page of ours."""
        return headers.get("origin") == self._origin

    def _flow(self, settings: Settings) -> Middleware:
        secret = settings.oidc_cookie_secret
        return Middleware(
            SessionMiddleware,
            secret_key=secret.get_secret_value() if secret else "",
            session_cookie=f"{self.cookie}-flow",
            max_age=FLOW_S,
            same_site="lax",  # a strict one would not come back from the provider
            https_only=self._is_https,
        )

    async def _page(self, request: Request) -> Response:
        """Say why to sign in, and lead on; to whoever is signed in, offer to sign out."""
        refused = request.session.pop(REFUSED, None)
        if refused is not None:
            return page(refused, link("/sign-in/start", _("Use another account")), title=_("No access"))
        seat = self._desk.seat(request.cookies.get(self.cookie))
        why = request.query_params.get("why", "")
        if seat is not None:
            ways_on = link("/", _("Open the dashboard")) + form("/sign-out", _("Sign out"))
            if why in FULL:
                return page(_(FULL[why]), ways_on)
            return page(_("You are signed in as {name}.").format(name=seat.address), ways_on)
        reason = REASONS.get(why, N_("Sign in with your company account to continue."))
        wanted = quote(local_path(request.query_params.get("next")), safe="/")
        answer = page(_(reason), link(f"/sign-in/start?next={wanted}", _("Sign in")))
        self._forget(answer)
        return answer

    async def _start(self, request: Request) -> Response:
        request.session.clear()
        request.session["next"] = local_path(request.query_params.get("next"))
        try:
            answer: Response = await self._provider.authorize_redirect(
                request, f"{self.address}/oauth2callback", prompt="select_account"
            )
        except Exception as error:  # whatever Authlib and its HTTP client raise
            log.warning("The identity provider cannot be used: %s", type(error).__name__)
            return page(_(_AGAIN), link("/sign-in", _("Try again")), status=503)
        answer.headers.update(NO_STORE)
        return answer

    async def _back(self, request: Request) -> Response:
        wanted = local_path(request.session.get("next"))
        try:  # verifies state, nonce, signature, issuer, audience and expiry
            token = await self._provider.authorize_access_token(request)
        except Exception as error:  # whatever Authlib, its HTTP client and the provider's answer raise
            log.warning("A sign-in failed: %s", type(error).__name__)
            return RedirectResponse("/sign-in?why=failed", 303, headers=NO_STORE)
        finally:
            request.session.clear()
        account = admit(
            self._settings, token.get("userinfo") or {}, people=self._desk.people, now=time.time()
        )
        if isinstance(account, Refusal):
            with suppress(LedgerError):  # whoever is refused is told so in any case
                await run_in_threadpool(self._desk.tell_refusal)
            return _refuse(request, account.reason)
        before = self._desk.seat(request.cookies.get(self.cookie))
        try:
            if before is not None:
                await run_in_threadpool(self._desk.end, before)
            cookie = await run_in_threadpool(self._desk.begin, account)
        except LedgerError:
            return page(_(_AGAIN), link("/sign-in", _("Try again")), status=503)
        if cookie is None:
            return _refuse(
                request,
                _(
                    "Your address is barred, or it belongs to another account that signed in with it before. "
                    "Ask an administrator to run “python -m dashboard admit” with your address."
                ),
            )
        answer = RedirectResponse(wanted, 303, headers=NO_STORE)
        answer.set_cookie(
            self.cookie, cookie, path="/", secure=self._is_https, httponly=True, samesite="lax"
        )  # without an age: it ends with the browser, if not before
        return answer

    async def _out(self, request: Request) -> Response:
        if not self.is_own_page(request.headers):
            return PlainTextResponse("Only a page of this dashboard may ask for this.", 403, NO_STORE)
        answer: Response = RedirectResponse("/sign-in?why=out", 303, headers=NO_STORE)
        seat = self._desk.seat(request.cookies.get(self.cookie))
        if seat is not None:
            try:
                await run_in_threadpool(self._desk.end, seat)
            except LedgerError:
                answer = page(
                    _("You are signed out in this browser, but that could not be recorded. Close it."),
                    status=503,
                )
        self._forget(answer)
        return answer

    def _forget(self, answer: Response) -> None:
        answer.delete_cookie(self.cookie, path="/", secure=self._is_https, httponly=True, samesite="lax")


def _refuse(request: Request, reason: str) -> Response:
    """Say it on the sign-in page: at this address, a reload would only say that the code was used before."""
    request.session[REFUSED] = reason
    return RedirectResponse("/sign-in", 303, headers=NO_STORE)


def _provider(settings: Settings) -> Any:
    with warnings.catch_warnings():
        from authlib.deprecate import AuthlibDeprecationWarning  # noqa: PLC0415

        warnings.simplefilter("ignore", AuthlibDeprecationWarning)  # it would rather have httpx's successor
        from authlib.integrations.starlette_client import OAuth  # noqa: PLC0415
    secret = settings.oidc_client_secret
    issuer = (settings.oidc_issuer or "").removesuffix("/")
    return OAuth().register(
        "provider",
        client_id=settings.oidc_client_id,
        client_secret=secret.get_secret_value() if secret else "",
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256", "timeout": 10},
    )


def local_path(wanted: object) -> str:
    """Where to go after signing in: a page of ours, whatever was asked for."""
    if not isinstance(wanted, str) or not wanted.isprintable() or len(quote(wanted)) > LONGEST_PATH:
        return "/"
    if not wanted.startswith("/") or wanted.startswith("//") or "\\" in wanted:
        return "/"
    parts = urlsplit(wanted)
    is_page = not parts.scheme and not parts.netloc and not parts.path.startswith(NO_PAGES)
    return wanted if is_page else "/"

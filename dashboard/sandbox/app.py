"""The sandbox as a web application: the contract's two operations, and the short links' redirects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from dashboard.sandbox import control
from dashboard.sandbox.carriers.delivery import keep_delivering, now_us
from dashboard.sandbox.carriers.faults import FaultGate, Faults
from dashboard.sandbox.carriers.reports import Reporter
from dashboard.sandbox.contract import links, phones, rules
from dashboard.sandbox.contract.gate import KeyGate
from dashboard.sandbox.contract.objects import message_object
from dashboard.sandbox.contract.refusals import HANDLERS, BrokenRulesError
from dashboard.sandbox.simulation import Simulation
from dashboard.sandbox.store import Store

MAX_REQUEST_BYTES = 64 * 1024 * 1024


def create_app(database: Path, *, api_key: str, base_url: str, instance: str) -> Starlette:
    """The application on one SQLite file.

    Args:
        database: The file, created if absent.
        api_key: What clients must send.
        base_url: Where it can be reached, for the short links.
        instance: Identifies this sandbox in its health answer.
    """
    faults = Faults()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store(database)
        reporter = Reporter(store)
        state = app.state
        state.store, state.reporter, state.faults = store, reporter, faults
        state.simulation = Simulation.model_validate(store.fact("simulation") or {})
        state.link_root, state.instance = f"{base_url}/s/", instance
        tasks = [
            asyncio.create_task(keep_delivering(store, lambda: state.simulation)),
            asyncio.create_task(reporter.keep_posting()),
        ]
        yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        store.close()

    return Starlette(
        routes=[
            Route("/api/sms/bulk", send_bulk, methods=["POST"]),
            Route("/api/validate", validate, methods=["POST"]),
            Route("/s/{code}", follow_link, methods=["GET"]),
            *control.routes,
        ],
        middleware=[Middleware(KeyGate, api_key=api_key), Middleware(FaultGate, faults=faults)],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )


async def send_bulk(request: Request) -> Response:
    """Section 4.1: all messages of the request are taken, or none."""
    _require_type(request, "application/json")
    state = request.app.state
    payload = _json(await _body(request))
    simulation: Simulation = state.simulation
    if simulation.max_batch and isinstance(payload, list) and len(payload) > simulation.max_batch:
        raise HTTPException(413, "Too many messages in one request.")
    at_us = now_us()
    submitted = rules.read(payload, now_us=at_us, simulation=simulation)
    taken = state.store.accept(submitted, now_us=at_us, simulation=simulation, link_root=state.link_root)
    answer = orjson.dumps({"data": [message_object(message) for message in taken]})
    return Response(answer, media_type="application/json")


async def validate(request: Request) -> Response:
    """Section 4.2: a number's format and line type."""
    _require_type(request, "application/x-www-form-urlencoded")
    if not {"application/json", "application/*", "*/*"} & _media_types(request.headers.get("accept", "")):
        raise HTTPException(406, "Send the header Accept: application/json.")
    await _body(request)
    async with request.form() as form:
        number, country = str(form.get("phoneNumber", "")), str(form.get("countryCode", ""))
    errors = {}
    if not number.strip():
        errors["phoneNumber"] = ["This field is required."]
    if country.upper() not in phones.COUNTRIES:
        errors["countryCode"] = ["It must be a 2-character ISO 3166 country code."]
    if errors:
        raise BrokenRulesError(errors)
    return JSONResponse(phones.check(number, country.upper()))


async def follow_link(request: Request) -> Response:
    """Redirect from a short link to the URL it stands for."""
    number = links.number_of(request.path_params["code"])
    link = request.app.state.store.link(number) if number is not None else None
    if link is None:
        raise HTTPException(404, "There is no such short link.")
    return RedirectResponse(links.target(*link), 302)


def _require_type(request: Request, wanted: str) -> None:
    if wanted not in _media_types(request.headers.get("content-type", "")):
        raise HTTPException(415, f"Send the header Content-Type: {wanted}.")


def _media_types(header: str) -> set[str]:
    return {part.partition(";")[0].strip().lower() for part in header.split(",")}


async def _body(request: Request) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_REQUEST_BYTES:
        raise HTTPException(413, "The request is too large.")
    return await request.body()


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        raise HTTPException(400, "The request is not JSON.") from None

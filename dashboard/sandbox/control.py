"""What goes beyond the contract, all under /sandbox/: export, reports, webhook, faults, settings, health."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import orjson
from pydantic import Field, TypeAdapter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from dashboard.sandbox.carriers.faults import FaultPlan
from dashboard.sandbox.carriers.reports import AT_ONCE, Webhook, post
from dashboard.sandbox.contract.objects import message_object
from dashboard.sandbox.simulation import Simulation

_OBJECT = TypeAdapter(dict[str, Any])
_SECONDS = TypeAdapter(Annotated[int, Field(ge=0, le=253_402_300_799)])


async def health(request: Request) -> Response:
    """That the sandbox answers, and which one it is."""
    return JSONResponse({"status": "ok", "instance": request.app.state.instance})


async def messages(request: Request) -> Response:
    """Every acceptance as a Message object, one JSON line each; `?campaign=` narrows it.

    DELETE empties those that were accepted before `?before=`, in Unix seconds, and are over.
    """
    if request.method == "DELETE":
        before = _SECONDS.validate_strings(request.query_params.get("before", ""))
        return JSONResponse({"forgotten": request.app.state.store.forget(before * 1_000_000)})
    pages = request.app.state.store.messages(campaign=request.query_params.get("campaign"))

    async def lines() -> AsyncIterator[bytes]:
        for page in pages:
            yield b"".join(
                orjson.dumps(message_object(message), option=orjson.OPT_APPEND_NEWLINE) for message in page
            )
            await asyncio.sleep(0)

    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def summary(request: Request) -> Response:
    """Counts of the same: messages, different uuids, credits_used, by_status, reports_waiting."""
    return JSONResponse(request.app.state.store.summary(campaign=request.query_params.get("campaign")))


async def webhook(request: Request) -> Response:
    """Where delivery reports go from now on; DELETE keeps them waiting, GET shows it."""
    reporter = request.app.state.reporter
    if request.method == "POST":
        reporter.register(Webhook.model_validate(await _object(request)))
    elif request.method == "DELETE":
        reporter.register(None)
    return JSONResponse({"url": reporter.url})


async def reports(request: Request) -> Response:
    """Post the current state of all messages, or of one campaign's, to a given URL now."""
    wanted = await _object(request)
    campaign = wanted.pop("campaign", None)
    target = Webhook.model_validate(wanted)
    posted, statuses = 0, []
    for page in request.app.state.store.messages(campaign=campaign, page=AT_ONCE):
        statuses.append(await post(target, page, report_id=f"export-{page[0].id}-{page[-1].id}"))
        posted += len(page)
    return JSONResponse({"posted": posted, "statuses": statuses})


async def faults(request: Request) -> Response:
    """Follow a plan of faults; DELETE ends it, GET shows the plan and what it has done."""
    faults = request.app.state.faults
    if request.method == "POST":
        faults.follow(FaultPlan.model_validate(await _object(request)))
    elif request.method == "DELETE":
        faults.follow(FaultPlan())
    return JSONResponse({"plan": faults.plan.model_dump(mode="json"), "done": dict(faults.done)})


async def settings(request: Request) -> Response:
    """Change some of the simulation's settings; GET shows all of them."""
    state = request.app.state
    if request.method == "POST":
        wanted = {**state.simulation.model_dump(), **await _object(request)}
        state.simulation = Simulation.model_validate(wanted)
        state.store.remember("simulation", state.simulation.model_dump(mode="json"))
    return JSONResponse(state.simulation.model_dump(mode="json"))


async def _object(request: Request) -> dict[str, Any]:
    return _OBJECT.validate_json(await request.body())


routes = [
    Route("/sandbox/health", health),
    Route("/sandbox/messages", messages, methods=["GET", "DELETE"]),
    Route("/sandbox/summary", summary),
    Route("/sandbox/webhook", webhook, methods=["GET", "POST", "DELETE"]),
    Route("/sandbox/reports", reports, methods=["POST"]),
    Route("/sandbox/faults", faults, methods=["GET", "POST", "DELETE"]),
    Route("/sandbox/settings", settings, methods=["GET", "POST"]),
]

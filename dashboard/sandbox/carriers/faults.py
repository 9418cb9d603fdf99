"""Faults on purpose: what a service, or the network in front of it, can do to a request under /api."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Kind = Literal["throttled", "error_before", "error_after", "dropped_before", "dropped_after", "slow"]
Seconds = Annotated[float, Field(ge=0)]


class Fault(BaseModel):
    """One fault, for a number of coming requests or for a share of all of them.

    Kinds: `throttled` (429 with Retry-After), `error_before` and `error_after` (an error status, before or
    after the messages were taken), `dropped_before` and `dropped_after` (the connection breaks),
    `slow` (taken, answered late).
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    kind: Kind
    next: int | None = Field(None, ge=1)
    probability: float | None = Field(None, gt=0, le=1)
    status: int = Field(500, ge=400, le=599)
    retry_after_s: Seconds | None = None
    retry_after_form: Literal["seconds", "date"] = "seconds"
    delay_s: Seconds = 3.0

    @model_validator(mode="after")
    def _when(self) -> Self:
        if (self.next is None) == (self.probability is None):
            raise ValueError("give either next (a count of requests) or probability")
        return self


class FaultPlan(BaseModel):
    """What `POST /sandbox/faults` sets; an empty plan heals the service."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    seed: int = 1
    latency_s: Seconds = 0.0
    faults: tuple[Fault, ...] = ()

    @model_validator(mode="after")
    def _shares_fit(self) -> Self:
        if sum(fault.probability or 0 for fault in self.faults) > 1:
            raise ValueError("the probabilities add up to more than 1")
        return self


class Faults:
    """The plan in force and what it has done so far."""

    def __init__(self) -> None:
        self.follow(FaultPlan())

    def follow(self, plan: FaultPlan) -> None:
        """Start a plan afresh."""
        self.plan = plan
        self.done = Counter(dict.fromkeys(get_args(Kind), 0))
        self._left = [fault.next or 0 for fault in plan.faults]
        self._random = Random(plan.seed)  # noqa: S311 - repeatable on purpose

    def draw(self) -> Fault | None:
        """The fault of the next request: counted ones first, in their order, then by chance."""
        chosen = self._counted() or self._by_chance()
        if chosen:
            self.done[chosen.kind] += 1
        return chosen

    def _counted(self) -> Fault | None:
        for index, fault in enumerate(self.plan.faults):
            if self._left[index]:
                self._left[index] -= 1
                return fault
        return None

    def _by_chance(self) -> Fault | None:
        point = self._random.random()
        for fault in self.plan.faults:
            point -= fault.probability or 0
            if point < 0:
                return fault
        return None


class FaultGate:
    """ASGI middleware that applies the plan to requests under /api."""

    def __init__(self, app: ASGIApp, faults: Faults) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, spoil or delay one request."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            return await self._app(scope, receive, send)
        if self._faults.plan.latency_s:
            await asyncio.sleep(self._faults.plan.latency_s)
        fault = self._faults.draw()
        if fault is None:
            return await self._app(scope, receive, send)
        if fault.kind in {"error_after", "dropped_after", "slow"}:
            answer = await self._taken(scope, receive)
        else:
            await _drain(receive)
            answer = []
        return await _spoil(fault, answer, scope, receive, send)

    async def _taken(self, scope: Scope, receive: Receive) -> list[Message]:
        """Let the service do its work, but hold back its answer."""
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        await self._app(scope, receive, keep)
        return answer


async def _spoil(fault: Fault, answer: list[Message], scope: Scope, receive: Receive, send: Send) -> None:
    if fault.kind in {"dropped_before", "dropped_after"}:
        await _drop(receive)
    elif fault.kind == "slow":
        await asyncio.sleep(fault.delay_s)
        for message in answer:
            await send(message)
    else:
        await _error(fault)(scope, receive, send)


def _error(fault: Fault) -> JSONResponse:
    if fault.kind == "throttled":
        pause_s = 1.0 if fault.retry_after_s is None else fault.retry_after_s
        return JSONResponse({"message": "Too many requests."}, 429, _retry_after(fault, pause_s))
    headers = {} if fault.retry_after_s is None else _retry_after(fault, fault.retry_after_s)
    return JSONResponse({"message": "Something went wrong."}, fault.status, headers)


def _retry_after(fault: Fault, pause_s: float) -> dict[str, str]:
    if fault.retry_after_form == "date":
        at = datetime.now(UTC) + timedelta(seconds=pause_s)
        return {"Retry-After": format_datetime(at, usegmt=True)}
    return {"Retry-After": f"{pause_s:g}"}


async def _drain(receive: Receive) -> None:
    while (await receive()).get("more_body"):
        pass


async def _drop(receive: Receive) -> None:
    """Break the connection. ASGI has no word for it; uvicorn's `receive` belongs to the transport's owner."""
    owner: Any = getattr(receive, "__self__", None)
    owner.transport.abort()
    while (await receive())["type"] != "http.disconnect":
        pass

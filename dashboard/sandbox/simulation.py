"""How the simulated carriers behave: settings, and each message's fate drawn from them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Share = Annotated[float, Field(ge=0, le=1)]
Delay = tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]]

MICROSECONDS = 1_000_000


class Simulation(BaseModel):
    """What `POST /sandbox/settings` sets; the defaults resolve a campaign within about twenty seconds.

    Delays are drawn evenly between their two bounds, in seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    seed: int = 1
    delivered_share: Share = 0.95
    send_delay_s: Delay = (0.5, 4.0)
    delivery_delay_s: Delay = (1.0, 12.0)
    failure_reasons: tuple[str, ...] = Field(
        ("unreachable", "unknown subscriber", "blocked by carrier", "expired"), min_length=1
    )
    default_sender: str = Field("Sandbox", min_length=1)
    approved_senders: tuple[str, ...] | None = None
    max_batch: int | None = Field(None, ge=1)

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        for low, high in (self.send_delay_s, self.delivery_delay_s):
            if low > high:
                raise ValueError("give each delay as [shortest, longest]")
        return self


class Fate(NamedTuple):
    """What will happen to a message; `failure_reason` is None if it is delivered."""

    send_delay_us: int
    delivery_delay_us: int
    failure_reason: str | None


def fate(uuid: str, simulation: Simulation) -> Fate:
    """The fate of a message: the same for the same uuid, seed and settings, whatever else happens."""
    digest = blake2b(uuid.encode(), digest_size=16, key=str(simulation.seed).encode()).digest()
    outcome, sending, delivery, reason = (
        int.from_bytes(digest[start : start + 4]) / 2**32 for start in (0, 4, 8, 12)
    )
    reasons = simulation.failure_reasons
    delivered = outcome < simulation.delivered_share
    return Fate(
        _between(simulation.send_delay_s, sending),
        _between(simulation.delivery_delay_s, delivery),
        None if delivered else reasons[int(reason * len(reasons))],
    )


def _between(bounds: Delay, share: float) -> int:
    low, high = bounds
    return int((low + (high - low) * share) * MICROSECONDS)

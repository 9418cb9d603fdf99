"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "refused"]


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        name: The check's name, as docs/hosting.md lists it.
        state: Whether all is well, something should be known, or nothing starts like this.
        sentence: What was found and, unless it is ok, what to write or to do.
    """

    name: str
    state: State
    sentence: str

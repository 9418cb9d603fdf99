"""Where the steps of a big cleaning run: in this process, or on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from dashboard.errors import OptionError
from dashboard.words import _

__all__ = ["Client", "Engine", "engine_of"]


class Client(Protocol):
    """A client of a Dask cluster (`distributed.Client`)."""

    def compute(self, collections: Any) -> Any:
        """Begin to compute."""

    def gather(self, futures: Any) -> Any:
        """Wait for the results."""


class Engine(Protocol):
    """Calls functions whose arguments may be results of other calls.

    Attributes:
        pieces: In how many pieces numbers are compared: one for each that can be at the same time.
    """

    pieces: int

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The function's result, or what stands for it."""

    def results(self, calls: Sequence[Any]) -> Sequence[Any]:
        """The results of some calls."""


class _Here:
    """One call after the other, in this process."""

    pieces = 1

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def results(self, calls: Sequence[Any]) -> Sequence[Any]:
        return calls


class _OnWorkers:
    """Calls side by side where they can be; what a worker that is lost had done is done again."""

    pieces = 16

    def __init__(self, client: Client) -> None:
        from dask.delayed import delayed  # noqa: PLC0415 - an optional extra

        self._client, self._delayed = client, delayed

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._delayed(function, pure=False)(*arguments)

    def results(self, calls: Sequence[Any]) -> Sequence[Any]:
        from distributed import KilledWorker  # noqa: PLC0415

        try:
            results: Sequence[Any] = self._client.gather(self._client.compute(list(calls)))
        except (KilledWorker, RuntimeError, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise  # a worker’s disk
            raise OptionError(
                _(
                    "The cluster did not finish ({error}). Its scheduler and workers need the versions of "
                    "Python and of the packages that this process has, and memory for a file’s rows each."
                ).format(error=type(error).__name__)
            ) from error
        return results


def engine_of(client: Client | None) -> Engine:
    """The workers of a cluster, or this process.

    Raises:
        OptionError: It is no Dask client.
    """
    if client is None:
        return _Here()
    if not hasattr(client, "compute"):
        raise OptionError(_("Give a client of dask.distributed, as in Client(address)."))
    return _OnWorkers(client)

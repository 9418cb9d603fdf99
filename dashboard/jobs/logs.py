"""The log of what serves and sends: a line each on standard error, as text or as JSON.

No line holds a number, a name, a text or a key. Our own sentences hold none, and what goes with them is
listed in FIELDS. What others quote is another matter: for an exception we log its kind and where it was
raised, for a library's sentence the template, and no run of digits that could be a number.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import traceback
import warnings
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from dashboard.errors import DashboardError
from dashboard.settings import Settings

OURS = "dashboard"
FIELDS = (
    *("request", "method", "route", "status", "took_ms"),
    *("campaign", "batch", "attempt", "messages", "outcome"),
)
"""What may stand beside a sentence: ids, counts and words of ours, given as `extra`."""

FRAMES = 12
"""The innermost places of an exception."""

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Of the HTTP request that is being answered."""

_DIGITS = re.compile(r"\+?\d(?:[\s().\-/]{0,2}\d){6,}")
"""Seven digits or more, however they are grouped: the shortest number that anybody is called by."""

_log = logging.getLogger(__name__)


def configure(settings: Settings) -> None:
    """Write this process's log as the settings say, whatever the libraries had in mind."""
    handler = logging.StreamHandler(sys.stderr)
    is_json = settings.log_format == "json"
    handler.setFormatter(JsonLines() if is_json else TextLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(OURS).setLevel(logging.INFO if is_json else logging.WARNING)
    warnings.showwarning = _log_warning
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda got: _log_uncaught(got.exc_type, got.exc_value, got.exc_traceback)


def announce(settings: Settings, sentence: str, *, err: bool = False) -> None:
    """Tell whoever started this process: in its terminal, or in a log that programs collect."""
    if settings.log_format == "json":
        _log.info(sentence)
        return
    terminal = sys.stderr if err else sys.stdout
    terminal.write(f"{sentence}\n")
    terminal.flush()


def warn(settings: Settings, sentence: str) -> None:
    """The same for what should be known before it starts."""
    if settings.log_format == "json":
        _log.warning(sentence)
    else:
        announce(settings, f"WARNING: {sentence}", err=True)


class JsonLines(logging.Formatter):
    """A JSON object per record."""

    def format(self, record: logging.LogRecord) -> str:
        """Its time, level, logger and sentence, the fields that it has, and where it went wrong."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "where": f"{record.module}:{record.lineno}",
            "message": sentence(record),
        }
        fields = {name: getattr(record, name, None) for name in FIELDS}
        fields["request"] = fields["request"] or request_id.get()
        line |= {name: value for name, value in fields.items() if value is not None}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = places(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """A line per record, with where it went wrong below."""

    def format(self, record: logging.LogRecord) -> str:
        """As `2026-11-23 09:00:00 UTC WARNING dashboard.sending.sender: No claim: …`."""
        at = datetime.fromtimestamp(record.created, UTC)
        line = f"{at:%Y-%m-%d %H:%M:%S} UTC {record.levelname} {record.name}: {sentence(record)}"
        error = record.exc_info[1] if record.exc_info else None
        return "\n  ".join([line, *(places(error) if error is not None else [])])


def sentence(record: logging.LogRecord) -> str:
    """What a record says; of other programs' only the template, as their values are anybody's."""
    is_ours = record.name == OURS or record.name.startswith(f"{OURS}.")
    said = record.getMessage() if is_ours else str(record.msg)
    return _harmless(said.strip().partition("\n")[0])


def places(error: BaseException) -> list[str]:
    """The kind of an exception and of what led to it, and where; only our own kind says what it says."""
    found = []
    for part in _chain(error):
        kind = type(part).__name__
        found.append(f"{kind}: {_harmless(str(part))}" if isinstance(part, DashboardError) else kind)
        frames = traceback.extract_tb(part.__traceback__)[-FRAMES:]
        found += [f"at {_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in reversed(frames)]
    return found


def _harmless(said: str) -> str:
    return _DIGITS.sub("…", said)


def _short(file: str) -> str:
    """A file without the folders above it, which may have somebody's name."""
    return "/".join(Path(file).parts[-3:])


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    part: BaseException | None = error
    while part is not None and part not in chain:
        chain.append(part)
        part = part.__cause__ or (None if part.__suppress_context__ else part.__context__)
    return chain


def _log_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    del message, file, line  # which may quote anything
    _log.warning("Python warns of a %s at %s:%d.", category.__name__, _short(filename), lineno)


def _log_uncaught(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    _log.critical("Nothing handled this (%s).", kind.__name__, exc_info=error and (kind, error, trace))

"""A program in which what nobody handles goes wrong, each time with words that must not be told."""

from __future__ import annotations

import sys
import threading
import warnings


def go_wrong(words: list[str]) -> None:
    """With the log and the options of `python -m dashboard`."""
    from streamlit.error_util import _log_uncaught_app_exception  # noqa: PLC0415
    from streamlit.logger import get_logger  # noqa: PLC0415

    from dashboard.app.server.options import configure, join_log  # noqa: PLC0415
    from dashboard.jobs import logs  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    (said,) = words

    def fail() -> None:
        raise ValueError(said)

    logs.configure(load_settings(log_format="json"))
    join_log()
    configure(load_settings())
    _log_uncaught_app_exception(KeyError(said))
    get_logger("streamlit.made.later").warning("Not for %s", said)
    warnings.simplefilter("always")
    warnings.warn(said, stacklevel=1)
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except ValueError:  # what Python does with what nobody handles; here multiprocessing would
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]

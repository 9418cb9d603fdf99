"""`python -m dashboard` alone: the pages, and the sending behind them."""

from __future__ import annotations

from functools import partial


def serve() -> None:
    """Serve the dashboard until it is stopped."""
    from dashboard.installed import what_is_missing  # noqa: PLC0415
    from dashboard.jobs import logs  # noqa: PLC0415
    from dashboard.jobs.start_checks.checks import refuse_unsafe  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    with what_is_missing():
        from dashboard.app.server import asgi  # noqa: PLC0415
    settings = load_settings()
    logs.configure(settings)
    refuse_unsafe(settings, listens=True, warn=partial(logs.warn, settings))
    asgi.serve(settings)

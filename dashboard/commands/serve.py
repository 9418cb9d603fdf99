"""`python -m dashboard` alone: the pages, and the sending behind them."""

from __future__ import annotations


def serve() -> None:
    """Serve the dashboard until it is stopped."""
    from dashboard.app.server import asgi  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    asgi.serve(load_settings())

"""Figures that also show where no script runs.

Code hosts and mail strip scripts, so an interactive figure leaves a blank there, while an image stored next
to it in the notebook is shown. Bars are drawn by ourselves, as SVG (`bars.py`). Other figures need a browser:
name one in BROWSER_PATH, with kaleido installed, and they are stored as PNG; otherwise only their sentence
is.
"""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

import orjson
import plotly.graph_objects as go

from dashboard.reports.figures.bars import bars_as_svg
from dashboard.reports.figures.look import alt_text

_WIDTH = 720


@dataclass(frozen=True)
class Still:
    """A figure as the last line of a notebook cell: interactive where possible, else an image.

    Example:
        >>> Still(figures.by_country(messages))
    """

    figure: go.Figure

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {
            "application/vnd.plotly.v1+json": orjson.loads(self.figure.to_json()),
            **self._image(),
            "text/plain": alt_text(self.figure),
        }

    def _image(self) -> dict[str, str]:
        if all(trace.type == "bar" for trace in self.figure.data):
            return {"image/svg+xml": self.svg}
        if not os.environ.get("BROWSER_PATH"):
            return {}
        height = self.figure.layout.height or self.figure.layout.template.layout.height
        image = self.figure.to_image("png", width=_WIDTH, height=height)
        return {"image/png": b64encode(image).decode()}

    @property
    def svg(self) -> str:
        """A bar figure as an SVG image."""
        return bars_as_svg(self.figure)

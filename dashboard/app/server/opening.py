"""What stands in the page before the pages' program has arrived: a script, and an outline in its colours.

The script keeps pages alive that a browser translates. Streamlit's page is empty until its program comes,
which takes seconds on a slow line; and it draws the page over the whole width first and moves it aside once
the side bar comes.
"""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STYLE = b"""<style>
body { margin: 0; background: #ffffff; }
.opening { display: flex; min-height: 100vh; --line: #e9eef4; }
.opening aside { box-sizing: border-box; width: 281.25px; padding: 1.75rem 1.5rem; background: #f7f9fb;
  color: #556275; font: 600 15px system-ui, sans-serif; }
.opening main { flex: 1; padding: 5rem 5rem 0; }
.opening i { display: block; height: 1rem; margin-bottom: 1.25rem; border-radius: 0.5rem;
  background: var(--line); }
.opening i:first-child { height: 2rem; width: 14rem; max-width: 60%; margin-bottom: 2.5rem; }
.opening i:last-child { width: 60%; }
@media (prefers-color-scheme: dark) {
  body { background: #0f141a; }
  .opening { --line: #18212b; }
  .opening aside { background: #0b0f14; color: #a9b6c6; }
}
@media (max-width: 767px) {
  .opening { display: block; }
  .opening aside { width: auto; background: none; padding: 1rem; }
  .opening main { padding: 2rem 1rem 0; }
}
@media (min-width: 768px) {
  [data-testid="stApp"]:not(:has([data-testid="stSidebar"], h1))
    [data-testid="stAppViewContainer"] > :has([data-testid="stMain"]) {
    margin-left: 281.25px;
  }
}
[data-testid="stMainBlockContainer"]:not(:has([data-testid="stElementContainer"])) { visibility: hidden; }
[data-testid="stMain"]:not(:focus-within) :is(
  :has([data-testid="stElementContainer"]:not([class*="st-key-chart-"]) > [data-testid="stSkeleton"]),
  [data-testid="stElementContainer"]:not([class*="st-key-chart-"]):has(> [data-testid="stSkeleton"])
) ~ * {
  &, & * { animation: held 5s step-end; }
}
@keyframes held { from { visibility: hidden; } }
</style>"""
"""Colours and the width of the side bar as config.toml makes them.

The place for all elements is narrow until the first of them comes: what is hidden is not seen to move.

The program of each kind of element comes when the first of them is drawn; until then its place has another
size. What stands below is not shown meanwhile, for five seconds at most, as it would move; but nothing is
hidden while somebody is at work on the page, as it would lose the focus. A chart's place has its size from
the beginning.
"""
OUTLINE = (
    b'<div class="opening"><aside>Campaign dashboard</aside>'
    b'<main aria-hidden="true"><i></i><i></i><i></i><i></i></main></div>'
)
"""Replaced by the pages' program."""
SCRIPT = (Path(__file__).parents[1] / "static" / "translated.js").read_bytes()
"""Runs before the pages' program. Its first lines say why it is there."""

CHANGES = {
    b"<title>Streamlit</title>": b"<title>Campaign dashboard</title>",
    b"<head>": b"<head><script>" + SCRIPT + b"</script>",
    b"</head>": STYLE + b"</head>",
    b'<div id="root">': b'<div id="root">' + OUTLINE,
}
"""In Streamlit's page."""
CACHED = ("etag", "last-modified", "accept-ranges")
"""What a browser would keep Streamlit's own page by."""


class Opening:
    """ASGI middleware that puts the outline into Streamlit's page, at the address of any page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _is_page(scope["path"]):
            await self._app(scope, receive, send)
            return
        asked = MutableHeaders(raw=list(scope["headers"]))
        for name in ("accept-encoding", "if-none-match", "if-modified-since", "range"):
            del asked[name]
        start: Message = {}
        body = b""

        async def send_outlined(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body", False):
                return
            drawn = body
            for theirs, ours in CHANGES.items():
                drawn = drawn.replace(theirs, ours, 1)
            answered = MutableHeaders(scope=start)
            answered["content-length"] = str(len(drawn))
            for name in CACHED:
                del answered[name]
            await send(start)
            await send({"type": "http.response.body", "body": drawn})

        await self._app({**scope, "headers": asked.raw}, receive, send_outlined)


def _is_page(path: str) -> bool:
    return path.count("/") == 1 and "." not in path

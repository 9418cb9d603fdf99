"""The pages of the sign-in: plain HTML, because nothing of Streamlit's is served to strangers."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse

from dashboard.words import _, locale

ICON = Path(__file__).parents[1] / "static" / "icon.png"
HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "same-origin",  # with no-referrer, a browser would hide the form's origin from us
}
STYLE = """
:root { color-scheme: light dark; --ground: #fff; --text: #0f1620; --quiet: #556275; --button: #0b5cad }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f141a; --text: #e6ebf1; --quiet: #a9b6c6; --button: #1f6fc4 }
}
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 Inter, system-ui, sans-serif }
main { box-sizing: border-box; max-width: 452px; margin: 0 auto; padding: 18vh 16px 16px; text-align: left }
h1 { font-size: 1.6rem; margin: 1rem 0 .5rem }
p { color: var(--quiet); margin: 0 0 1.5rem }
a, button { display: inline-block; padding: .5rem 1.1rem; border: 0; border-radius: .5rem; font: inherit;
  background: var(--button); color: #fff; text-decoration: none; cursor: pointer }
form { display: inline-block; margin: 0 .75rem }
form button { background: none; color: inherit; box-shadow: inset 0 0 0 1px var(--quiet) }
a:focus-visible, button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
"""


def page(reason: str, way_on: str = "", *, title: str | None = None, status: int = 200) -> HTMLResponse:
    """A page with a heading, a sentence and a way on.

    Args:
        reason: The sentence, as text.
        way_on: A link or a form, as HTML.
        title: The heading; the product's name if left out.
        status: Of HTTP.
    """
    name = escape(_("Campaign dashboard"))
    heading = escape(title) if title else name
    html = (
        f'<!doctype html><html lang="{locale().language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{name}</title><link rel="icon" href="{_icon()}"><style>{STYLE}</style></head>'
        f'<body><main><img src="{_icon()}" width="56" height="56" alt=""><h1>{heading}</h1>'
        f"<p>{escape(reason)}</p>{way_on}</main></body></html>"
    )
    return HTMLResponse(html, status, HEADERS)


def link(address: str, words: str) -> str:
    """A link that looks like a button, as HTML."""
    return f'<a href="{escape(address)}">{escape(words)}</a>'


def form(address: str, words: str) -> str:
    """A button that posts to an address, as HTML."""
    return f'<form method="post" action="{escape(address)}"><button>{escape(words)}</button></form>'


@cache
def _icon() -> str:
    return f"data:image/png;base64,{b64encode(ICON.read_bytes()).decode()}"

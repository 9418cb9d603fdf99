"""A campaign's report as one HTML file to mail or print: it loads nothing, and nobody's number is in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from html import escape

import pandas as pd
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from dashboard.campaigns import SentText
from dashboard.reports import figures
from dashboard.reports.files.workbook import heading
from dashboard.reports.measures.counting import counts
from dashboard.reports.measures.course import course
from dashboard.reports.tables.comparing.rates import delivery_rates
from dashboard.reports.tables.comparing.verdicts import better_text
from dashboard.reports.tables.money.reconcile import reconcile
from dashboard.reports.tables.one_campaign.campaign import campaign_facts, in_words
from dashboard.reports.tables.one_campaign.summary import campaign_summary
from dashboard.words import _, amount, count, day_and_time, locale, share

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
_LOWEST_PX, _HEIGHT_PX = 150, 300
_FONT = "system-ui, sans-serif"
_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 16%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; color: #0f1620; background: #fff; margin: 0 auto;
  max-width: 1040px; padding: 32px 20px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 17px; margin: 0 0 8px; }
p { margin: 0 0 24px; color: #56616f; }
section, figure { border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 0 0 16px; }
figcaption { font-size: 13px; color: #56616f; }
table { border-collapse: collapse; width: 100%; } section { overflow-x: auto; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border: 0; font-weight: 600; } .number { text-align: right; font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { body { color: #e8edf3; background: #0f1620; }
  p, figcaption { color: #a9b4c0; } }
h3 { font-size: 15px; margin: 12px 0 4px; }
blockquote { margin: 0 0 8px; padding: 10px 14px; border-radius: 10px; white-space: pre-wrap;
  unicode-bidi: plaintext; text-align: start;
  background: color-mix(in srgb, currentColor 7%, transparent); }
@page { margin: 14mm; }
@media print { :root { color-scheme: light; } body { color: #0f1620; background: #fff; padding: 0; }
  p, figcaption { color: #56616f; } section, figure { break-inside: avoid; } h1, h2 { break-after: avoid; }
  main { zoom: 0.66; } }
"""


def campaign_page(
    campaign: pd.DataFrame,
    messages: pd.DataFrame,
    *,
    texts: Sequence[SentText] = (),
    events: pd.DataFrame | None = None,
    tz: str = "UTC",
    now: datetime | None = None,
) -> bytes:
    """A campaign's figures and tables as a file to open in any browser, without a network, light or dark.

    Args:
        campaign: Its row of `Ledger.campaigns()`.
        messages: As `Ledger.messages` gives them.
        texts: As `Ledger.sent_texts` gives them: shown as they were written, with the names of fields.
        events: As `Ledger.events` gives them, which tell when messages failed.
        tz: Time zone of the times.
        now: The current time; the clock's if absent.

    Example:
        >>> Path("spring.html").write_bytes(campaign_page(one, ledger.messages(one["campaign"].iloc[0])))
    """
    name = escape(str(campaign["name"].iloc[0]))
    counted, happened = counts(messages, now=now), course(messages, events=events, campaigns=campaign)
    causes, rates = reconcile(counted), delivery_rates(counted, "variant", now=now)
    which = _("Which text gets through")
    compared = {which: figures.delivery_rates(rates)} if len(rates) > 1 else {}
    verdicts = {which: better_text(rates)} if compared else {}
    drawn = {
        _("How far the messages got"): figures.funnel(counted),
        _("Status over time"): figures.status_over_time(happened, tz=tz),
        _("Why messages failed"): figures.failure_reasons(counted),
        _("Countries"): figures.by_country(counted),
        _("Line types"): figures.by_line_type(counted),
        _("When messages get through"): figures.by_hour(counted, tz=tz, now=now),
        **compared,
        _("From the estimate to the bill"): figures.estimate_to_bill(causes),
    }
    tables = [
        _texts(texts),
        _table(_("At a glance"), campaign_facts(campaign, messages=messages, tz=tz)),
        *(
            _figure(title, shown, f"figure-{place}", verdicts.get(title, ""))
            for place, (title, shown) in enumerate(drawn.items())
        ),
        _table(
            _("Estimate and bill"),
            in_words(causes[causes["messages"] > 0].drop(columns=["credits_low", "credits_high"])),
        ),
        _table(
            _("Messages by stage"),
            in_words(campaign_summary(counted).drop(columns="share").query("messages > 0")),
        ),
    ]
    head = (
        f'<!doctype html><html lang="{locale().language}"><head><meta charset="utf-8"><title>{name}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style><script>{get_plotlyjs()}</script></head>"
    )
    note = _("Times are in {zone}. This file contains nobody's number and nobody's message.").format(zone=tz)
    opening = f"<h1><bdi>{name}</bdi></h1><p>{escape(note)}</p>"
    return f"{head}<body><main>{opening}{''.join(tables)}</main></body></html>".encode()


def _texts(texts: Sequence[SentText]) -> str:
    """What the campaign says, as it was written; nothing if nobody knows any more."""
    if not texts:
        return ""
    title = _("The text") if len(texts) == 1 else _("The texts")
    said = "".join(
        (f"<h3>{escape(_('Text {name}').format(name=text.variant))}</h3>" if len(texts) > 1 else "")
        + f'<blockquote dir="auto">{escape(text.template)}</blockquote>'
        for text in texts
    )
    return f"<section><h2>{escape(title)}</h2>{said}</section>"


def _figure(title: str, shown: go.Figure, name: str, verdict: str) -> str:
    """A figure below its title, with its sentence for people who cannot see it; without data, only that."""
    drawing = ""
    if shown.data:
        height = max(_LOWEST_PX, shown.layout.height or _HEIGHT_PX)
        drawing = go.Figure(shown, layout_font_family=_FONT, layout_height=height).to_html(
            full_html=False,
            include_plotlyjs=False,
            div_id=name,
            config={"displayModeBar": False, "responsive": True},
            default_height=f"{height}px",
        )
    words = escape(f"{figures.alt_text(shown)} {verdict}".strip())
    return f"<figure><h2>{escape(title)}</h2>{drawing}<figcaption>{words}</figcaption></figure>"


def _table(title: str, frame: pd.DataFrame) -> str:
    kinds = ["" if frame[name].dtype.kind in "OTUS" else ' class="number"' for name in frame]
    titles = (heading(str(name)) for name in frame)
    head = _cells("th", zip(titles, kinds, strict=True), ' scope="col"')
    units = frame["unit"] if "unit" in frame else [""] * len(frame)
    rows = (
        f"<tr>{_cells('td', zip((_words(cell, unit) for cell in row), kinds, strict=True))}</tr>"
        for row, unit in zip(frame.itertuples(index=False, name=None), units, strict=True)
    )
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _cells(tag: str, cells: Iterable[tuple[str, str]], more: str = "") -> str:
    return "".join(f"<{tag}{more}{kind}>{escape(words)}</{tag}>" for words, kind in cells)


def _words(value: object, unit: str) -> str:
    if isinstance(value, datetime):
        return day_and_time(value)
    if isinstance(value, float):
        return share(value)
    if isinstance(value, Decimal):
        return amount(value, unit)
    return count(value) if isinstance(value, int) else str(value)

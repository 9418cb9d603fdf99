"""What people typed, for places that read Markdown: titles, captions, labels, dialogs, messages.

Names of campaigns, lists, files and columns, reasons, senders, addresses of people, and sentences containing
any of these go through `plain`, whatever draws them. What `st.html` draws is escaped in marks.py, what plotly
draws in dashboard/reports/figures/look.py; tables and the options of a selectbox are drawn as they are.
"""

from __future__ import annotations

import re

JOINER = "\u2060"
"""A character without width at which no line breaks. Streamlit looks for links, emoji, icons and arrows after
backslashes have been processed; this keeps their two halves apart."""

_MARKS = re.compile(r"[\\`*\[\]<>$~&|]|(?<![a-z0-9])_|_(?![a-z0-9])", re.IGNORECASE | re.ASCII)
_AT_THE_START = re.compile(r"^\d{1,9}(?=[.)](\s|$))|^(?=#{1,6}(\s|$)|[+-](\s|$)|--|=)")
_FOUND_LATER = re.compile(r":(?=[a-z_+:-]|\d+:|//)|www(?=\.|$)|@(?=[-\w]+\.)", re.ASCII | re.IGNORECASE)
_ARROWS = re.compile(r"(?<!\S)(<->|->|<-|--|>=|<=|~=)(?!\S)")


def plain(text: object) -> str:
    r"""The text as Markdown that shows it literally, on one line.

    Example:
        >>> print(plain("1. *Sale*"))
        1\. \*Sale\*
    """
    line = " ".join(str(text).split())
    line = _ARROWS.sub(lambda arrow: JOINER.join(arrow[0]), line)
    line = _FOUND_LATER.sub(lambda found: f"{found[0]}{JOINER}", line)
    return _AT_THE_START.sub(r"\g<0>\\", _MARKS.sub(r"\\\g<0>", line))

"""Writes dashboard/locale/dashboard.pot: every message of the interface, for translators.

python docs/generate_catalogue.py            writes it
python docs/generate_catalogue.py --check    exits 1 when it is stale
"""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po
from generated_page import write_or_check

PACKAGE = Path(__file__).parents[1] / "dashboard"
TARGET = PACKAGE / "locale" / "dashboard.pot"
KEYWORDS = {"_": None, "N_": None, "plural": (2, 3)}
"""The functions of dashboard/words.py that take messages, and at which places where not at the first."""

COMMENTS = ("Translators:",)
_HEADER = "# Words of the campaign dashboard. docs/translating.md says how to translate them."
_MADE = datetime(2026, 1, 1, tzinfo=UTC)  # so that the same words give the same file


def document() -> str:
    """The whole file."""
    catalogue = Catalog(
        project="Campaign dashboard", version="1", header_comment=_HEADER, creation_date=_MADE, fuzzy=False
    )
    found = extract_from_dir(PACKAGE, [("**.py", "python")], keywords=KEYWORDS, comment_tags=COMMENTS)
    for _file, _line, message, comments, _context in sorted(found, key=lambda each: (each[0], each[1])):
        catalogue.add(message, auto_comments=comments)
    written = io.BytesIO()
    write_po(written, catalogue, width=110)
    return written.getvalue().decode()


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, document))

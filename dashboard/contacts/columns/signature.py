"""What tells a sheet with the same columns from other sheets."""

from __future__ import annotations

from hashlib import sha256

from dashboard.arguments import checks_arguments
from dashboard.contacts.read.sheet import Sheet

__all__ = ["header_signature"]


@checks_arguments()
def header_signature(sheet: Sheet) -> str | None:
    r"""A digest of the column names in order; None without a header.

    Example:
        >>> one = header_signature(read_sheet(b"Phone,First name\n1,Ann\n"))
        >>> one == header_signature(read_sheet(b"Phone;First name\n2;Ben\n"))
        True
    """
    if sheet.header_row is None:
        return None
    return sha256("\n".join(map(str, sheet.frame.columns)).encode()).hexdigest()

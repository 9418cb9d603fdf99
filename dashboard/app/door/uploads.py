"""The files that Streamlit holds in memory for open pages."""

from __future__ import annotations

from collections.abc import Collection

from streamlit.runtime import Runtime as Streamlit
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager


def held_in(tabs: Collection[str] | None = None) -> int:
    """Bytes of the files of these sessions of Streamlit's; of all of them when None."""
    if not Streamlit.exists():  # a page that nobody serves, in a test
        return 0
    manager = Streamlit.instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)  # noqa: S101  Streamlit has no other
    held = manager.file_storage.copy()
    files = (held.get(tab, {}).copy() for tab in (held if tabs is None else tabs))
    return sum(len(file.data) for of_tab in files for file in of_tab.values())

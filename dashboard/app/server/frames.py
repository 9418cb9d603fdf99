"""What goes over a page's websocket, read from Streamlit's own messages. Pure.

What a browser may say is listed; whatever a later version of Streamlit adds is refused until it is listed
too. What a page says is only looked at, to know which files and which session of Streamlit's were opened to
whom.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

MAY_SAY = frozenset(
    {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
)
"""Not clear_cache, which empties everybody's, and nothing that is meant for a developer at work."""

MAY_ASK = frozenset({"deferred_file", "dataframe_chunk"})

_MEDIA = re.compile(rb"/media/([0-9A-Za-z]{16,128})")
_NO_BUTTON_BYTES = 1 << 16
"""Neither a button nor the beginning of a session is that long, and a long frame takes time to parse."""


def may_pass(frame: bytes, was_shown: Callable[[str], bool]) -> bool:
    """Whether what a browser says may reach Streamlit.

    Args:
        frame: What it says.
        was_shown: Whether it was shown the file with this id.
    """
    said = BackMsg()
    try:
        said.ParseFromString(frame)
    except DecodeError:
        return False
    kind = said.WhichOneof("type")
    if kind != "backend_operation_request":
        return kind in MAY_SAY
    request = said.backend_operation_request
    asked = request.WhichOneof("payload")
    if asked == "deferred_file":
        return was_shown(request.deferred_file.file_id)
    return asked in MAY_ASK


@dataclass(frozen=True)
class Shown:
    """What a frame opens to its reader.

    Attributes:
        files: Ids of files that can be fetched, now or when a button is pressed.
        tab: Streamlit's session, when it begins.
    """

    files: tuple[str, ...] = ()
    tab: str | None = None


def shown_in(frame: bytes) -> Shown:
    """What a frame that a page sends opens to whoever reads it."""
    files = tuple(name.decode() for name in _MEDIA.findall(frame)) if b"/media/" in frame else ()
    if len(frame) > _NO_BUTTON_BYTES:
        return Shown(files)
    told = ForwardMsg.FromString(frame)
    kind = told.WhichOneof("type")
    if kind == "new_session":
        return Shown(files, told.new_session.initialize.session_id or None)
    if kind == "delta" and told.delta.new_element.WhichOneof("type") == "download_button":
        deferred = told.delta.new_element.download_button.deferred_file_id
        return Shown((*files, deferred) if deferred else files)
    return Shown(files)


def redirect(address: str) -> bytes:
    """The frame that makes a page go to an address, as Streamlit's own sign-in does."""
    told = ForwardMsg()
    told.auth_redirect.url = address
    frame: bytes = told.SerializeToString()
    return frame

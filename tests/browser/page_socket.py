"""A page's websocket without a browser, as a program of an attacker's would use it."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from patience import PATIENCE_S
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

TOKEN = "0" * 32


class PageSocket:
    """An open websocket, and all that came through it."""

    def __init__(
        self,
        address: str,
        cookies: dict[str, str],
        *,
        origin: str | None = "ours",
        headers: dict[str, str] | None = None,
        going_on_with: str | None = None,
    ) -> None:
        held = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self._open = ExitStack()
        wanted = connect(
            f"ws://localhost:{urlsplit(address).port}/_stcore/stream",
            origin=address if origin == "ours" else origin,
            additional_headers={"Cookie": held, **(headers or {})},
            subprotocols=["streamlit", TOKEN, *([going_on_with] if going_on_with else [])],
            max_size=None,
            open_timeout=PATIENCE_S,
        )
        self._socket = self._open.enter_context(wanted)
        self.frames: list[bytes] = []
        self.closed_with: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def say(self, message: BackMsg) -> None:
        with suppress(ConnectionClosed):
            self._socket.send(message.SerializeToString())

    def open_page(self, name: str, query: str = "") -> None:
        """Ask for a page, and wait until it has run."""
        wanted = BackMsg()
        wanted.rerun_script.page_name = name
        wanted.rerun_script.query_string = query
        wanted.rerun_script.context_info.timezone = "UTC"
        self.say(wanted)
        self.wait_for("script_finished")

    def wait_for(self, kind: str) -> ForwardMsg:
        """The next message of a kind."""
        while True:
            told = self.next()
            assert told is not None, f"closed with {self.closed_with} before {kind} came"
            if told.WhichOneof("type") == kind:
                return told

    def next(self) -> ForwardMsg | None:
        """The next message; None once it is closed."""
        try:
            frame = self._socket.recv(timeout=PATIENCE_S)
        except ConnectionClosed as closed:
            self.closed_with = closed.rcvd.code if closed.rcvd else None
            return None
        assert isinstance(frame, bytes)
        self.frames.append(frame)
        told = ForwardMsg()
        told.ParseFromString(frame)
        return told

    def rest(self) -> list[str | None]:
        """The kinds of all that still comes until it is closed."""
        kinds = []
        while (told := self.next()) is not None:
            kinds.append(told.WhichOneof("type"))
        return kinds

    @property
    def told(self) -> list[ForwardMsg]:
        """Everything that came, read."""
        return [ForwardMsg.FromString(frame) for frame in self.frames]

    @property
    def session(self) -> str:
        """Streamlit's id for it."""
        begun = next(told for told in self.told if told.WhichOneof("type") == "new_session")
        return str(begun.new_session.initialize.session_id)

    @property
    def deferred(self) -> list[str]:
        """Ids of the files that buttons of the page would make."""
        buttons = [told.delta.new_element.download_button for told in self.told]
        return [button.deferred_file_id for button in buttons if button.deferred_file_id]

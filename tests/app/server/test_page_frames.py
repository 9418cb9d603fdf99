"""What may go over a page's websocket: every kind there is, and what nobody has heard of yet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dashboard.app.server.frames import Shown, may_pass, redirect, shown_in

KINDS = {kind.name for kind in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields}
OPERATIONS = {kind.name for kind in BackendOperationRequest.DESCRIPTOR.oneofs_by_name["payload"].fields}
HARMLESS = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request"}
FILE = "0123456789abcdef0123456789abcdef"


def said(kind: str) -> bytes:
    message = BackMsg()
    if BackMsg.DESCRIPTOR.fields_by_name[kind].message_type is None:
        setattr(message, kind, True)
    else:
        getattr(message, kind).SetInParent()
    return bytes(message.SerializeToString())


def asked(operation: str, file: str = "") -> bytes:
    message = BackMsg()
    part = getattr(message.backend_operation_request, operation)
    part.SetInParent()
    if file:
        part.file_id = file
    return bytes(message.SerializeToString())


def everything(_: str) -> bool:
    return True


def nothing(_: str) -> bool:
    return False


def test_only_what_a_page_needs_may_be_said_or_asked() -> None:
    passed = {kind for kind in KINDS - {"backend_operation_request"} if may_pass(said(kind), everything)}
    assert passed == HARMLESS
    passed = {operation for operation in OPERATIONS if may_pass(asked(operation), everything)}
    assert passed == {"deferred_file", "dataframe_chunk"}
    of_a_later_streamlit = b"\xfa\x3f\x00"  # field 1023, empty
    assert not may_pass(of_a_later_streamlit, everything)
    assert not may_pass(b"", everything)


def test_a_file_is_made_only_for_whom_its_button_was_shown_to() -> None:
    assert may_pass(asked("deferred_file", FILE), lambda file: file == FILE)
    assert not may_pass(asked("deferred_file", FILE), nothing)
    assert not may_pass(asked("deferred_file"), nothing)


@given(st.binary(max_size=200))
def test_what_cannot_be_read_says_nothing(frame: bytes) -> None:
    message = BackMsg()
    try:
        message.ParseFromString(frame)
        kind = message.WhichOneof("type")
    except Exception:
        kind = None
    assert not may_pass(frame, nothing) or kind in {*HARMLESS, "backend_operation_request"}


def test_what_a_page_shows_is_found_wherever_it_stands() -> None:
    begun = ForwardMsg()
    begun.new_session.initialize.session_id = "a session"
    assert shown_in(begun.SerializeToString()) == Shown(tab="a session")
    button = ForwardMsg()
    button.delta.new_element.download_button.deferred_file_id = FILE
    assert shown_in(button.SerializeToString()).files == (FILE,)
    picture = ForwardMsg()
    picture.delta.new_element.imgs.imgs.add().url = f"/media/{FILE}.png"
    assert shown_in(picture.SerializeToString()).files == (FILE,)
    answer = ForwardMsg()
    answer.backend_operation_response.request_id = f"x /media/{FILE}.csv" + "y" * 70_000
    assert shown_in(answer.SerializeToString()).files == (FILE,)
    assert shown_in(redirect("/sign-in")) == Shown()

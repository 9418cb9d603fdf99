"""The format check of contract section 4.2; the vectors hold a number for each of its 15 line types."""

from __future__ import annotations

import httpx
from each import each
from fixtures_sandbox import SandboxPeer
from vector_files import vectors

CASES = vectors("line_types.csv")


def check(sandbox: SandboxPeer, form: dict[str, str], **headers: str) -> httpx.Response:
    return sandbox.http.post("/api/validate", data=form, headers={"Accept": "application/json", **headers})


@each("case", CASES)
def test_numbers(sandbox: SandboxPeer, case: dict[str, str]) -> None:
    answer = check(sandbox, {"phoneNumber": case["number"], "countryCode": case["country"]})
    assert answer.status_code == 200
    assert answer.json() == {
        "valid_format": case["valid_format"] == "true",
        "country": case["answered_country"],
        "type": case["type"],
    }


def test_the_vectors_hold_all_fifteen_line_types() -> None:
    words = (
        "fixed_line mobile fixed_line_or_mobile toll_free premium_rate shared_cost voip personal_number "
        "pager uan unknown emergency voicemail short_code standard_rate"
    )
    assert {case["type"] for case in CASES} == set(words.split())


@each(
    "form, fields",
    [
        ({"phoneNumber": " ", "countryCode": "GB"}, ["phoneNumber"]),
        ({"phoneNumber": "07400 123456"}, ["countryCode"]),
        ({"phoneNumber": "07400 123456", "countryCode": "GBR"}, ["countryCode"]),
        ({"phoneNumber": "07400 123456", "countryCode": "XX"}, ["countryCode"]),
        ({"phonenumber": "07400 123456", "countrycode": "GB"}, ["phoneNumber", "countryCode"]),
    ],
)
def test_required_fields(sandbox: SandboxPeer, form: dict[str, str], fields: list[str]) -> None:
    answer = check(sandbox, form, **{"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == fields
    assert "123456" not in answer.text


def test_the_request_is_a_form(sandbox: SandboxPeer) -> None:
    answer = sandbox.http.post("/api/validate", json={"phoneNumber": "07400 123456", "countryCode": "GB"})
    assert answer.status_code == 415
    assert "application/x-www-form-urlencoded" in answer.json()["message"]


def test_the_answer_is_asked_for_as_json(sandbox: SandboxPeer) -> None:
    form = {"phoneNumber": "07400 123456", "countryCode": "gb"}
    assert check(sandbox, form, Accept="text/html").status_code == 406
    for either in ("text/html, application/json;q=0.9", "*/*"):
        assert check(sandbox, form, Accept=either).json()["country"] == "GB"

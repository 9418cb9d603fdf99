"""How the sandbox says no: always JSON, naming the element and the field, quoting no value.

422 {"message": "...", "errors": {"3.to": ["It must start with + and a country code that exists."]}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response


class BrokenRulesError(Exception):
    """A request that breaks rules: `errors` maps `index.field`, or a field, to sentences."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        super().__init__("the request breaks the contract")
        self.errors = errors


def _refuse(_request: Request, error: Exception) -> Response:
    refused = cast("HTTPException", error)
    return JSONResponse({"message": refused.detail}, refused.status_code, refused.headers)


def _list_broken_rules(_request: Request, error: Exception) -> Response:
    broken = cast("BrokenRulesError", error)
    message = "The request breaks the contract; nothing was taken."
    return JSONResponse({"message": message, "errors": broken.errors}, 422)


def _list_invalid_fields(_request: Request, error: Exception) -> Response:
    errors: dict[str, list[str]] = {}
    invalid = cast("ValidationError", error)
    for problem in invalid.errors(include_input=False, include_url=False, include_context=False):
        errors.setdefault(".".join(map(str, problem["loc"])), []).append(problem["msg"])
    return JSONResponse({"message": "This cannot be set; nothing was changed.", "errors": errors}, 422)


HANDLERS = {
    HTTPException: _refuse,
    BrokenRulesError: _list_broken_rules,
    ValidationError: _list_invalid_fields,
}
"""For Starlette's `exception_handlers`."""

"""Whatever is posted as a delivery report, signed or not, is answered as docs/openapi.yaml says."""

from __future__ import annotations

import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
import requests
import schemathesis
from dashboard_server import ROOT, serve
from hypothesis import HealthCheck, settings
from patience import PATIENCE_S
from schemathesis.specs.openapi.checks import (
    missing_required_header,
    negative_data_rejection,
    positive_data_acceptance,
)
from tiers import draws

from dashboard.app.door.signature import sign

SECRET = "dGhpcyBpcyBmaWN0aW9uYWwsIG5vIHNlY3JldA"
DESCRIPTION = schemathesis.openapi.from_path(ROOT / "docs" / "openapi.yaml")
REPORTS = DESCRIPTION.include(path="/webhooks/delivery-reports")
ANY = settings(max_examples=draws(20), deadline=None, suppress_health_check=list(HealthCheck))
OF_SIGNED = [
    positive_data_acceptance,  # some bodies are too long
    negative_data_rejection,  # a report that cannot be read is counted: others of the same request are taken
    missing_required_header,  # they are all put in here
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(tmp_path_factory.mktemp("reports"), DASHBOARD_WEBHOOK_SECRET=SECRET) as address:
        yield address


@REPORTS.parametrize()
@ANY
def test_unsigned_nothing_is_taken(case: schemathesis.Case, server: str) -> None:
    answer = case.call_and_validate(base_url=server, excluded_checks=[positive_data_acceptance])
    assert answer.status_code in {401, 405, 413}


@REPORTS.parametrize()
@ANY
def test_signed_every_body_is_answered(case: schemathesis.Case, server: str) -> None:
    asked = requests.Request(**case.as_transport_kwargs(base_url=server)).prepare()
    body = asked.body.encode() if isinstance(asked.body, str) else asked.body or b""
    own, at = uuid4().hex, str(int(time.time()))
    signature = sign(SECRET.encode(), own, at, body)
    asked.headers.update({"webhook-id": own, "webhook-timestamp": at, "webhook-signature": signature})
    with requests.Session() as session:
        answer = session.send(asked, timeout=PATIENCE_S)
    case.validate_response(answer, excluded_checks=OF_SIGNED)

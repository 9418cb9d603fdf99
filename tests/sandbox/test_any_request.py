"""Whatever is asked of the sandbox, right or wrong, is answered as docs/openapi.yaml says."""

from __future__ import annotations

from pathlib import Path

import schemathesis
from fixtures_sandbox import SandboxPeer
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tiers import draws

DESCRIPTION = schemathesis.openapi.from_path(Path(__file__).parents[2] / "docs" / "openapi.yaml")
ITS_OWN = [
    positive_data_acceptance,  # no schema knows the country codes, or what lies in the future
]

ANY = settings(max_examples=draws(60), deadline=None, suppress_health_check=list(HealthCheck))


def answered_as_described(case: schemathesis.Case, sandbox: SandboxPeer) -> None:
    case.call_and_validate(
        base_url=sandbox.base_url,
        headers={"Authorization": f"Bearer {sandbox.api_key}"},
        excluded_checks=ITS_OWN,
    )


@DESCRIPTION.include(path="/api/sms/bulk").parametrize()
@ANY
def test_any_batch(case: schemathesis.Case, sandbox: SandboxPeer) -> None:
    answered_as_described(case, sandbox)


@DESCRIPTION.include(path="/api/validate").parametrize()
@ANY
def test_any_check_of_a_number(case: schemathesis.Case, sandbox: SandboxPeer) -> None:
    answered_as_described(case, sandbox)

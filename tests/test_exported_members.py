"""The public Python API: its names are fixed, and each loads."""

from __future__ import annotations

import inspect
import subprocess
import sys

import dashboard

SIGNATURES = {
    "read_sheet": ["source", "worksheet", "encoding", "delimiter", "header_row"],
    "guess_columns": ["sheet"],
    "clean_phones": ["texts", "country"],
    "clean_contacts": ["sheet_or_frame", "country", "columns", "opt_outs", "line_types", "keep"],
    "write_messages": [
        "contacts",
        "template",
        "campaign",
        "sender",
        "shorten_links",
        "tracking",
        "schedule",
    ],
    "count_credits": ["text"],
    "estimate_credits": ["messages", "price_per_credit"],
    "SmsService": ["base_url", "api_key", "timeout", "transport"],
    "campaign_summary": ["messages"],
    "failure_reasons": ["messages"],
    "reconcile": ["messages"],
}
LEDGER_METHODS = {"open", "create_campaign", "messages", "campaigns", "record_reports"}


def test_every_exported_name_loads() -> None:
    for name in dashboard.__all__:
        assert getattr(dashboard, name) is not None


def test_signatures_keep_their_parameters_in_order() -> None:
    for name, expected in SIGNATURES.items():
        parameters = list(inspect.signature(getattr(dashboard, name)).parameters)
        assert parameters[: len(expected)] == expected, name


def test_the_ledger_keeps_its_methods() -> None:
    assert set(dir(dashboard.Ledger)) >= LEDGER_METHODS


def test_only_public_names_are_offered() -> None:
    """Whatever rooms were imported since: tab completion asks `dir`."""
    assert dashboard.errors.DashboardError is dashboard.DashboardError
    assert dir(dashboard) == sorted([*dashboard.__all__, "__version__"])


def test_the_import_alone_loads_no_library() -> None:
    libraries = ["pandas", "pyarrow", "numpy", "sqlalchemy", "httpx", "streamlit", "plotly", "dbos"]
    code = f"import sys, dashboard; dir(dashboard); print([one for one in {libraries} if one in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"

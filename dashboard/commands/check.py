"""`python -m dashboard check`: would it be safe to start, and what is to be changed if not."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from dashboard.commands.steps.options import json_option
from dashboard.errors import SettingsError

if TYPE_CHECKING:
    from dashboard.jobs.start_checks.finding import Finding
    from dashboard.settings import Settings

MARKS = {"ok": "ok", "warning": "WARNING", "refused": "REFUSED"}


@click.command()
@click.option("--online", is_flag=True, help="Also ask the identity provider and the messaging service.")
@json_option
def check(*, online: bool, as_json: bool) -> None:
    """Look at everything that the start looks at, and say what is not safe and what to write.

    Nothing is changed and nothing is sent. The exit code is 1 if the dashboard would refuse to start or,
    with --online, if somebody does not answer as they should.
    """
    found = _findings(online=online)
    refused = any(one.state == "refused" for one in found)
    if as_json:
        checks = [{"name": one.name, "state": one.state, "sentence": one.sentence} for one in found]
        click.echo(json.dumps({"ok": not refused, "checks": checks}))
    else:
        width = max(len(one.name) for one in found)
        for one in found:
            click.secho(f"{MARKS[one.state]:<8} {one.name:<{width}}  {one.sentence}", bold=one.state != "ok")
    sys.exit(1 if refused else 0)


def _findings(*, online: bool) -> list[Finding]:
    from dashboard.jobs.start_checks.checks import start_checks  # noqa: PLC0415
    from dashboard.jobs.start_checks.finding import Finding  # noqa: PLC0415
    from dashboard.jobs.start_checks.online import issuer, service  # noqa: PLC0415
    from dashboard.settings import read_settings, unknown_names  # noqa: PLC0415

    try:
        settings = read_settings()
        strange = unknown_names()
    except SettingsError as error:
        return [Finding("settings", "refused", str(error))]
    found = [
        Finding("settings", "ok", "Every setting can be read."),
        Finding("names", "warning", " ".join(strange))
        if strange
        else Finding("names", "ok", "Every name that begins like one of ours is a setting."),
        *start_checks(settings),
        _page_options(settings),
    ]
    return [*found, issuer(settings), *service(settings)] if online else found


def _page_options(settings: Settings) -> Finding:
    from dashboard.installed import what_is_missing  # noqa: PLC0415
    from dashboard.jobs.start_checks.finding import Finding  # noqa: PLC0415

    try:
        with what_is_missing():
            from dashboard.app.server.options import configure  # noqa: PLC0415
    except SettingsError as error:
        return Finding("page-options", "warning", str(error))
    try:
        configure(settings)
    except SettingsError as error:
        return Finding("page-options", "refused", str(error))
    return Finding("page-options", "ok", "The pages' safe options are in force.")

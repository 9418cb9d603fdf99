"""The group of commands. Rooms load inside the commands, so that `--help` is quick."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from dashboard import __version__
from dashboard.errors import DashboardError


class Commands(click.Group):
    """A group whose errors are sentences: no traceback for anything the user can fix."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a DashboardError ends it with its sentence and exit code 2."""
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # whoever started this has closed it, as `2>&-` does
                setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - to the end of the process
        if sys.stdin is None:
            sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - so is this
        for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show € gets a ? instead of nothing
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except DashboardError as error:
            raise _Sentence(str(error)) from error


class _Sentence(click.ClickException):
    exit_code = 2


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="campaign-dashboard")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Clean contact sheets, price and send text campaigns, and follow them up.

    Without a command it serves the dashboard on http://127.0.0.1:8501.
    """
    if ctx.invoked_subcommand is None:
        from dashboard.commands.serve import serve  # noqa: PLC0415

        serve()


def _register() -> None:
    from dashboard.commands.audit import audit  # noqa: PLC0415
    from dashboard.commands.backup import backup  # noqa: PLC0415
    from dashboard.commands.bar import admit, bar  # noqa: PLC0415
    from dashboard.commands.cancel import cancel  # noqa: PLC0415
    from dashboard.commands.check import check  # noqa: PLC0415
    from dashboard.commands.clean import clean  # noqa: PLC0415
    from dashboard.commands.decide import decide  # noqa: PLC0415
    from dashboard.commands.export import export  # noqa: PLC0415
    from dashboard.commands.forget import forget  # noqa: PLC0415
    from dashboard.commands.recount import recount  # noqa: PLC0415
    from dashboard.commands.restore import restore  # noqa: PLC0415
    from dashboard.commands.sandbox import sandbox  # noqa: PLC0415
    from dashboard.commands.send import send  # noqa: PLC0415
    from dashboard.commands.settings import settings  # noqa: PLC0415
    from dashboard.commands.start import start  # noqa: PLC0415
    from dashboard.commands.statement import statement  # noqa: PLC0415
    from dashboard.commands.upgrade import upgrade  # noqa: PLC0415
    from dashboard.commands.worker import worker  # noqa: PLC0415

    sending = (send, worker, start, cancel, decide)
    keeping = (recount, backup, restore, upgrade, forget, settings, check)
    for command in (clean, *sending, statement, export, *keeping, bar, admit, audit, sandbox):
        cli.add_command(command)


_register()

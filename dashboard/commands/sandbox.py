"""`python -m dashboard sandbox`: the messaging service of the contract, alone, for trying things out."""

from __future__ import annotations

from pathlib import Path

import click

from dashboard.errors import ServiceError


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Where to listen. [default: any free port]")
@click.option("--api-key", help="The key it accepts. [default: its own, which it prints]")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where it keeps its messages. [default: the folder sandbox in DASHBOARD_DATA]",
)
def sandbox(port: int | None, api_key: str | None, folder: Path | None) -> None:
    """Serve the sandbox on 127.0.0.1 until Ctrl-C."""
    from dashboard.sandbox import SandboxError, serve  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    def listening(base_url: str, key: str) -> None:
        click.echo("The sandbox is listening; no message leaves this machine. For another terminal:")
        click.echo(f"SMS_BASE_URL={base_url}\nSMS_API_KEY={key}")

    try:
        serve(folder or load_settings().data / "sandbox", port=port, api_key=api_key, ready=listening)
    except SandboxError as error:
        raise ServiceError(str(error)) from error
    except OSError as error:
        raise ServiceError(
            f"The sandbox cannot keep its messages there ({error.strerror}). Name a folder with --folder."
        ) from error

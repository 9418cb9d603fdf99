"""The command `python -m dashboard`; the only place that wires every room together."""

from __future__ import annotations

from dashboard.commands.cli import cli


def main() -> None:
    """Run the command line."""
    cli(prog_name="python -m dashboard")


if __name__ == "__main__":
    main()

"""`python -m dashboard.sandbox FOLDER`: what `process.Sandbox` starts."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dashboard.sandbox.folder import BUSY, SandboxBusyError, SandboxError
from dashboard.sandbox.server import serve


def main() -> int:
    """Serve until the end; the exit code is 0, BUSY if another process serves the folder, or 1."""
    parser = argparse.ArgumentParser(prog="python -m dashboard.sandbox", description="Run the sandbox.")
    parser.add_argument("folder", type=Path, help="where its database, port and key are kept")
    parser.add_argument("--port", type=int, help="where to listen on 127.0.0.1")
    parser.add_argument(
        "--until-stdin-ends", action="store_true", help="end with the process that started it"
    )
    wanted = parser.parse_args()
    try:
        serve(wanted.folder, port=wanted.port, until_stdin_ends=wanted.until_stdin_ends)
    except SandboxBusyError:
        return BUSY
    except SandboxError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

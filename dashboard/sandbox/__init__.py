"""The messaging service, built in: a real HTTP peer in its own process. It imports nothing of ours."""

from dashboard.sandbox.folder import SandboxBusyError, SandboxError
from dashboard.sandbox.process import Sandbox
from dashboard.sandbox.server import serve

__all__ = ["Sandbox", "SandboxBusyError", "SandboxError", "serve"]

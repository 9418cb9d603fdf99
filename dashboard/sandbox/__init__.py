"""The messaging service, embedded: a real HTTP peer in its own process. Imports nothing of ours."""

from dashboard.sandbox.folder import SandboxBusyError, SandboxError
from dashboard.sandbox.process import Sandbox
from dashboard.sandbox.server import serve

__all__ = ["Sandbox", "SandboxBusyError", "SandboxError", "serve"]

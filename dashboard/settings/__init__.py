"""What can be set, read from the environment or a `.env` file."""

from dashboard.settings.addresses import is_safe_base_url, plain_address
from dashboard.settings.loading import load_settings, read_settings, unknown_names
from dashboard.settings.names import variable
from dashboard.settings.people import ROLES, person_address
from dashboard.settings.secret_files import SECRETS
from dashboard.settings.settings import MOST_DAYS, Settings

__all__ = [
    "MOST_DAYS",
    "ROLES",
    "SECRETS",
    "Settings",
    "is_safe_base_url",
    "load_settings",
    "person_address",
    "plain_address",
    "read_settings",
    "unknown_names",
    "variable",
]

"""What can be set, read from the environment or a `.env` file."""

from dashboard.settings.addresses import is_safe_base_url, plain_address
from dashboard.settings.names import variable
from dashboard.settings.people import ROLES
from dashboard.settings.settings import MOST_DAYS, Settings, load_settings

__all__ = [
    "MOST_DAYS",
    "ROLES",
    "Settings",
    "is_safe_base_url",
    "load_settings",
    "plain_address",
    "variable",
]

"""Whether what should be secret can be, and whether there is a key for the service."""

from __future__ import annotations

from pydantic import SecretStr

from dashboard.jobs.start_checks.finding import Finding
from dashboard.settings import Settings, variable

KEY_CHARACTERS = 8
"""No service gives out shorter keys: a shorter one was not copied whole, or is somebody's placeholder."""

_PLACEHOLDERS = ("changeme", "change-me", "change_me", "placeholder", "your-", "your_", "example", "xxxx")


def service_key(settings: Settings) -> Finding:
    """Whether there is a key where there is a service."""
    name = "service-key"
    if settings.uses_sandbox:
        return Finding(
            name,
            "ok",
            "No service is set, so the sandbox takes its place and no message leaves this machine.",
        )
    if _is_no_key(settings.sms_api_key):
        return Finding(name, "refused", _again("sms_api_key", "messaging service"))
    return Finding(name, "ok", "There is a key for the messaging service.")


def secrets(settings: Settings) -> Finding:
    """Whether the secrets are some; of those that we could have made, the settings ask for more."""
    if settings.oidc_issuer is not None and _is_no_key(settings.oidc_client_secret):
        return Finding("secrets", "refused", _again("oidc_client_secret", "identity provider"))
    return Finding("secrets", "ok", "Every secret that is set is long enough.")


def _is_no_key(secret: SecretStr | None) -> bool:
    value = "" if secret is None else secret.get_secret_value()
    return len(value) < KEY_CHARACTERS or value.lower().startswith(_PLACEHOLDERS)


def _again(field: str, whose: str) -> str:
    return (
        f"{variable(field)} is a placeholder or shorter than {KEY_CHARACTERS} characters, so it is no key. "
        f"Copy it again from the {whose}."
    )

"""Settings, read from the environment or a `.env` file. README.md has the same list as a table."""

from __future__ import annotations

import os
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from dashboard.errors import SettingsError
from dashboard.words import ENGLISH, N_, languages

MOST_DAYS = 36_500
"""A hundred years; a date further back than the calendar goes cannot be reckoned with."""

ROLES = ("viewer", "sender", "admin")


class Settings(BaseSettings):
    """What whoever runs the dashboard can set. Use `load_settings()`, which explains mistakes in words."""

    model_config = SettingsConfigDict(
        env_prefix="DASHBOARD_",
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
        frozen=True,
        populate_by_name=True,
    )

    language: str = Field(
        ENGLISH, description=N_("Language of the pages and reports: a file of dashboard/locale, such as de")
    )
    data: Path = Field(Path(".dashboard"), description=N_("Folder for the ledger, uploads and the sandbox"))
    database_url: str | None = Field(
        None, description=N_("SQLAlchemy address of the ledger; SQLite in the data folder when absent")
    )
    host: str = Field("127.0.0.1", description=N_("Address the dashboard listens on"))
    port: int = Field(8501, ge=1, le=65535, description=N_("Port the dashboard listens on"))
    sms_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("SMS_BASE_URL", "sms_base_url"),
        description=N_("Root address of the messaging service"),
    )
    sms_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("SMS_API_KEY", "sms_api_key"),
        description=N_("API key of it"),
    )
    country: str | None = Field(
        None,
        pattern="^[A-Z]{2}$",
        description=N_("Country of numbers without a country code, such as GB"),
    )
    currency: str = Field("EUR", pattern="^[A-Z]{3}$", description=N_("Currency of prices, ISO 4217"))
    price_per_credit: Decimal | None = Field(
        None, ge=0, description=N_("What one credit costs; without it costs are shown in credits only")
    )
    price_list: Path | None = Field(
        None, description=N_("CSV file with the price of a credit by country, such as data/prices.csv")
    )
    batch_size: int = Field(100, ge=1, le=10_000, description=N_("Messages in one request to the service"))
    messages_per_second: float = Field(
        200.0, ge=0, description=N_("Pace over all campaigns; 0 sends as fast as the service takes them")
    )
    upload_mb: int = Field(100, ge=1, description=N_("Largest contact sheet, in MB"))
    inflated_mb: int = Field(1024, ge=1, description=N_("Largest size of a workbook once unpacked, in MB"))
    workbook_rows: int = Field(
        1_048_576,
        ge=1,
        le=1_048_576,
        description=N_("Most rows of a workbook; spreadsheet programs hold no more"),
    )
    csv_rows: int = Field(5_000_000, ge=1, description=N_("Most rows of any other sheet"))
    sheet_columns: int = Field(500, ge=1, le=16_384, description=N_("Most columns of a sheet"))
    cell_characters: int = Field(32_767, ge=1, description=N_("Most characters in a cell of a sheet"))
    reader_memory_mb: int = Field(
        4096, ge=256, description=N_("Memory of the process that reads a workbook, in MB (not on Windows)")
    )
    reader_seconds: float = Field(60.0, gt=0, description=N_("Time that this process may take"))
    credits_per_campaign: int | None = Field(
        None, ge=0, description=N_("Most credits that a campaign may use; it pauses before it uses more")
    )
    credits_per_day: int | None = Field(
        None, ge=0, description=N_("Most credits that all campaigns may use on a day (UTC)")
    )
    texts_per_person: int | None = Field(
        None,
        ge=1,
        description=N_("Most texts that a person may get within some days, all campaigns together"),
    )
    texts_within_days: float = Field(7, gt=0, le=366, description=N_("These days"))
    keep_days: int | None = Field(
        None,
        ge=1,
        le=MOST_DAYS,
        description=N_(
            "Days after a campaign's end when its numbers and texts are deleted; never when absent"
        ),
    )
    pause_at_failures: float = Field(
        0.25,
        ge=0,
        le=1,
        description=N_(
            "Share of the newest messages that may fail before a campaign pauses; 0 for all of them"
        ),
    )
    pause_on_opt_outs: bool = Field(
        default=True, description=N_("A campaign pauses when people it still has to text opt out")
    )
    refusals_are_unknown: bool = Field(
        default=False,
        description=N_("For a service known to take part of a request that it answers with a 4xx"),
    )
    unavailable_is_unsent: bool = Field(
        default=False,
        description=N_("For a service known to take nothing when it answers 503 with Retry-After"),
    )
    webhook_secret: SecretStr | None = Field(
        None, description=N_("Secret that signs delivery reports; one is made for the sandbox when absent")
    )
    oidc_issuer: str | None = Field(None, description=N_("OpenID Connect issuer; sign-in is off when absent"))
    oidc_client_id: str | None = Field(None, description=N_("Client id at the issuer"))
    oidc_client_secret: SecretStr | None = Field(None, description=N_("Client secret at the issuer"))
    oidc_cookie_secret: SecretStr | None = Field(
        None, description=N_("Signs the cookie, 32 characters or more")
    )
    oidc_public_url: str | None = Field(
        None, description=N_("Address people open, for the sign-in's way back")
    )
    people: Annotated[dict[str, str], NoDecode] = Field(
        default_factory=dict, description=N_("Who may sign in: ann@example.com=admin,bob@example.com=viewer")
    )

    @field_validator("language")
    @classmethod
    def _there_are_words(cls, value: str) -> str:
        if value not in languages():
            raise ValueError(
                f"there are words in {', '.join(languages())} only; docs/translating.md adds more"
            )
        return value

    @field_validator("people", mode="before")
    @classmethod
    def _read_people(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        people = {}
        for part in filter(None, (p.strip() for p in value.split(","))):
            email, _, role = part.partition("=")
            if role.strip() not in ROLES:
                raise ValueError(
                    f"each person needs a role of {', '.join(ROLES)}, as in ann@example.com=admin"
                )
            people[email.strip().lower()] = role.strip()
        return people

    @model_validator(mode="after")
    def _service_is_whole_and_safe(self) -> Self:
        if (self.sms_base_url is None) != (self.sms_api_key is None):
            raise ValueError("set SMS_BASE_URL and SMS_API_KEY together, or neither to use the sandbox")
        if self.sms_base_url is not None and not is_safe_base_url(self.sms_base_url):
            raise ValueError("SMS_BASE_URL must start with https:// unless it is on this machine")
        return self

    @model_validator(mode="after")
    def _sign_in_is_whole(self) -> Self:
        if self.oidc_issuer and not (
            self.oidc_client_id and self.oidc_client_secret and self.oidc_cookie_secret
        ):
            raise ValueError(
                "with DASHBOARD_OIDC_ISSUER set DASHBOARD_OIDC_CLIENT_ID, DASHBOARD_OIDC_CLIENT_SECRET "
                "and DASHBOARD_OIDC_COOKIE_SECRET too"
            )
        return self

    @property
    def uses_sandbox(self) -> bool:
        """Whether no real service is set, so that no message leaves this machine."""
        return self.sms_base_url is None

    def make_data_folder(self) -> Path:
        """The data folder, made for its owner's eyes only when it is not there yet.

        Raises:
            SettingsError: It cannot be made or written to.
        """
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            made = False
        else:
            made = os.access(self.data, os.W_OK)
        if not made:
            raise SettingsError(
                "The data folder cannot be written to. Set DASHBOARD_DATA to a folder of yours, "
                "or start in a folder where you may write."
            )
        return self.data

    @property
    def ledger_url(self) -> str:
        """SQLAlchemy address of the ledger."""
        if self.database_url:
            return self.database_url
        return f"sqlite:///{(self.data / 'ledger.sqlite').resolve().as_posix()}"


def is_safe_base_url(url: str) -> bool:
    """Whether a key may be sent there: https anywhere, plain http only on this machine (loopback)."""
    parts = urlsplit(url)
    if not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def variable(field: str) -> str:
    """The environment variable of a settings field, as README.md lists it."""
    return field.upper() if field.startswith("sms_") else f"DASHBOARD_{field.upper()}"


def load_settings(**overrides: Any) -> Settings:
    """Read the settings.

    Args:
        overrides: Values that win over the environment, by field name.

    Raises:
        SettingsError: Names each variable that cannot be used and why, never its value.
    """
    try:
        return Settings(**overrides)
    except ValidationError as error:
        lines = []
        for problem in error.errors(include_input=False, include_url=False):
            where = ", ".join(variable(str(part)) for part in problem["loc"][:1])
            why = problem["msg"].removeprefix("Value error, ")
            lines.append(f"{where}: {why}" if where else why)
        raise SettingsError("The settings cannot be used. " + "; ".join(lines) + ".") from None

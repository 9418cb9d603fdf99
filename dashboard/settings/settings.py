"""The settings themselves. README.md has the same list as a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, PrivateAttr, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from dashboard.errors import SettingsError
from dashboard.settings.addresses import is_safe_base_url, read_hosts, split
from dashboard.settings.environment import Environment
from dashboard.settings.names import variable
from dashboard.settings.owned import OwnedSettings
from dashboard.settings.people import checked_people, read_people
from dashboard.settings.secrecy import (
    COOKIE_CHARACTERS,
    TOKEN_CHARACTERS,
    guess_proof,
    usable,
    webhook_proof,
)
from dashboard.settings.secret_files import Rotating
from dashboard.words import N_

MOST_SESSION_HOURS = 720
MOST_DAYS = 36_500
"""A hundred years; a date further back than the calendar goes cannot be calculated with."""


class Settings(OwnedSettings, BaseSettings):
    """What the dashboard's operator can set. Use `load_settings()`, which explains mistakes in words."""

    model_config = SettingsConfigDict(
        extra="forbid",
        hide_input_in_errors=True,
        frozen=True,
        allow_inf_nan=False,
    )

    data: Path = Field(Path(".dashboard"), description=N_("Folder for the ledger, uploads and the sandbox"))
    database_url: str | None = Field(
        None, description=N_("SQLAlchemy address of the ledger; SQLite in the data folder when absent")
    )
    host: str = Field("127.0.0.1", description=N_("Address the dashboard listens on"))
    port: int = Field(8501, ge=1, le=65535, description=N_("Port the dashboard listens on"))
    hosts: tuple[str, ...] = Field(
        (), description=N_("Names under which people open it, such as texts.example.com or *.example.com")
    )
    sms_base_url: str | None = Field(None, description=N_("Base address of the messaging service"))
    sms_api_key: SecretStr | None = Field(None, description=N_("API key of the messaging service"))
    batch_size: int = Field(100, ge=1, le=10_000, description=N_("Messages in one request to the service"))
    messages_per_second: float = Field(
        200.0, ge=0, description=N_("Pace across all campaigns; 0 sends as fast as the service takes them")
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
    reader_seconds: float = Field(
        60.0, gt=0, description=N_("Time that the process that reads a workbook may take")
    )
    strangers: int = Field(
        10, ge=1, description=N_("Requests a second from one address (or proxy) where nobody is signed in")
    )
    readers: int = Field(2, ge=1, description=N_("Sheets that are read at once; more wait their turn"))
    keep_days: int | None = Field(
        None,
        ge=1,
        le=MOST_DAYS,
        description=N_(
            "Days after a campaign's end until its numbers and texts are deleted; never when absent"
        ),
    )
    keep_lists_days: int | None = Field(
        None,
        ge=1,
        le=MOST_DAYS,
        description=N_("Days until a saved list that nobody has saved again is deleted; never when absent"),
    )
    keep_drafts_days: int = Field(
        14,
        ge=1,
        le=MOST_DAYS,
        description=N_("Days until a draft that nobody has used is deleted, with its sheets"),
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
    webhook_secret_before: SecretStr | None = Field(
        None,
        description=N_("The previous secret, still valid while the service changes to the new one"),
    )
    oidc_issuer: str | None = Field(None, description=N_("OpenID Connect issuer; sign-in is off when absent"))
    oidc_client_id: str | None = Field(None, description=N_("Client id at the issuer"))
    oidc_client_secret: SecretStr | None = Field(None, description=N_("Client secret at the issuer"))
    oidc_cookie_secret: SecretStr | None = Field(
        None, description=N_("Signs the cookie, 32 characters or more")
    )
    oidc_public_url: str | None = Field(
        None, description=N_("Address people open, to which sign-in returns them")
    )
    oidc_addresses_are_verified: bool = Field(
        default=False,
        description=N_("For an issuer known to check every address, although it never sends email_verified"),
    )
    session_hours: float = Field(
        12, gt=0, le=MOST_SESSION_HOURS, description=N_("Hours after which people have to sign in again")
    )
    open_without_sign_in: bool = Field(
        default=False,
        description=N_("Lets other machines in without sign-in; whoever reaches the dashboard can send"),
    )
    metrics_token: SecretStr | None = Field(
        None, description=N_("Token with which a monitor may read /metrics; without it there is no such page")
    )
    log_format: Literal["text", "json"] = Field(
        "text",
        description=N_("How the log is written: text, or json for programs that collect it"),
    )
    people: dict[str, str] = Field(
        default_factory=dict, description=N_("Who may sign in: ann@example.com=admin,bob@example.com=viewer")
    )

    _secret_files: Mapping[str, Path] = PrivateAttr(default_factory=dict)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *_: PydanticBaseSettingsSource,
        **__: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Values passed in win, then the environment, then the file."""
        return init_settings, Environment(settings_cls)

    @field_validator("people", mode="before")
    @classmethod
    def _read_people(cls, value: object) -> object:
        if isinstance(value, str):
            return read_people(value)
        return checked_people(value) if isinstance(value, Mapping) else value

    @field_validator("hosts", mode="before")
    @classmethod
    def _read_hosts(cls, value: object) -> object:
        if isinstance(value, str):
            return read_hosts(value.split(","))
        return read_hosts(value) if isinstance(value, tuple | list) else value

    @field_validator("sms_api_key", "oidc_client_secret")
    @classmethod
    def _is_usable(cls, value: SecretStr | None) -> SecretStr | None:
        return value and SecretStr(usable(value.get_secret_value()))

    @field_validator("oidc_cookie_secret")
    @classmethod
    def _keeps_cookies(cls, value: SecretStr | None) -> SecretStr | None:
        return value and SecretStr(guess_proof(value.get_secret_value(), characters=COOKIE_CHARACTERS))

    @field_validator("webhook_secret", "webhook_secret_before")
    @classmethod
    def _keeps_reports(cls, value: SecretStr | None) -> SecretStr | None:
        return value and SecretStr(webhook_proof(value.get_secret_value()))

    @field_validator("metrics_token")
    @classmethod
    def _keeps_metrics(cls, value: SecretStr | None) -> SecretStr | None:
        return value and SecretStr(guess_proof(value.get_secret_value(), characters=TOKEN_CHARACTERS))

    @field_validator("oidc_issuer")
    @classmethod
    def _is_safe(cls, value: str | None) -> str | None:
        if value is not None and not is_safe_base_url(value):
            raise ValueError("write an address that starts with https://, unless it is on this machine")
        return value

    @field_validator("oidc_public_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is not None and split(value) is None:
            raise ValueError("write the address that people open, such as https://texts.example.com")
        return value

    @model_validator(mode="after")
    def _service_is_whole_and_safe(self) -> Self:
        if (self.sms_base_url is None) != (self.sms_api_key is None):
            raise ValueError("set SMS_BASE_URL and SMS_API_KEY together, or neither to use the sandbox")
        if self.sms_base_url is not None and not is_safe_base_url(self.sms_base_url):
            raise ValueError(
                "SMS_BASE_URL must start with https:// unless it is on this machine, and hold no password, "
                "no ? and no #, such as https://sms.example"
            )
        return self

    @model_validator(mode="after")
    def _webhook_is_whole(self) -> Self:
        if self.webhook_secret_before is not None and self.webhook_secret is None:
            raise ValueError(
                "DASHBOARD_WEBHOOK_SECRET_BEFORE is for the time after a change; set "
                "DASHBOARD_WEBHOOK_SECRET too"
            )
        return self

    @model_validator(mode="after")
    def _sign_in_is_whole(self) -> Self:
        needed = ("oidc_issuer", "oidc_client_id", "oidc_client_secret", "oidc_cookie_secret")
        missing = [variable(name) for name in needed if getattr(self, name) is None]
        if len(missing) < len(needed) or self.oidc_public_url is not None or self.oidc_addresses_are_verified:
            missing += [] if self.people else [variable("people")]
            if missing:
                raise ValueError(f"to make people sign in, set {', '.join(missing)} too")
        return self

    def reading(self, files: Mapping[str, Path]) -> Self:
        """These settings, with the files that secrets are read from again when they change."""
        self._secret_files = files
        return self

    def secret(self, field: str) -> Callable[[], str | None]:
        """What tells a secret each time it is used: as its file has it then, if it is in one.

        Args:
            field: `sms_api_key`, `webhook_secret` or `webhook_secret_before`.
        """
        given: SecretStr | None = getattr(self, field)
        value = None if given is None else given.get_secret_value()
        path = self._secret_files.get(field)
        check = usable if field == "sms_api_key" else webhook_proof
        return (lambda: value) if path is None else Rotating(field, path, value, check)

    @property
    def uses_sandbox(self) -> bool:
        """Whether no real service is set, so that no message leaves this machine."""
        return self.sms_base_url is None

    @property
    def is_open_to_everyone(self) -> bool:
        """Whether nobody has to sign in, whatever the address."""
        return self.open_without_sign_in and not self.oidc_issuer

    def make_data_folder(self) -> Path:
        """The data folder, created readable only by its owner if it does not exist yet.

        Raises:
            SettingsError: It cannot be created or written to.
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
                "or start in a folder where you can write."
            )
        return self.data

    @property
    def ledger_url(self) -> str:
        """SQLAlchemy address of the ledger."""
        return self.database_url or f"sqlite:///{self.own_ledger.as_posix()}"

    @property
    def own_ledger(self) -> Path:
        """The file of the ledger that is used if no other database is named."""
        return (self.data / "ledger.sqlite").resolve()

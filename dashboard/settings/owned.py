"""What the marketers of a dashboard decide themselves: on its page, unless the environment says it.

What is changed on the page is kept in the ledger, so that every process has it; `now` puts the two together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import available_timezones

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from dashboard.errors import SettingsError
from dashboard.settings.country import checked_country
from dashboard.settings.hours import TextingTimes, read_times
from dashboard.settings.price import mistake_in_currency, read_price
from dashboard.settings.wording import sentence
from dashboard.words import ENGLISH, N_, _, languages

if TYPE_CHECKING:
    from dashboard.settings.settings import Settings

MOST = 1_000_000
"""Above this, a number of texts is a typing error."""

MOST_CREDITS = 10**12
"""Above this, a cap is a typing error too; the ledger keeps it in 64 bits."""

MOST_MESSAGES = 10**9

SENDER_CHARACTERS = 50
LINE_CHARACTERS = 160

TOGETHER: Mapping[str, tuple[str, ...]] = {
    "price_list": ("price_per_credit", "currency"),
    "price_per_credit": ("currency",),
    "texts_per_person": ("texts_within_days",),
}
"""What the environment decides along with a setting, because an amount means nothing without the other."""


_Price = Annotated[Decimal, BeforeValidator(read_price)]


class OwnedSettings(BaseModel):
    """The settings that marketers own; None, or what a field begins with, where nobody has decided."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, frozen=True, allow_inf_nan=False)

    language: str = Field(
        ENGLISH, description=N_("Language of the pages and reports: a file in dashboard/locale, such as de")
    )
    country: str | None = Field(None, description=N_("Country of numbers without a country code, such as GB"))
    time_zone: str = Field(
        "UTC",
        description=N_(
            "Time zone of days, months and hours in figures and statements, such as Europe/Berlin"
        ),
    )
    currency: str = Field("EUR", description=N_("Currency of prices, ISO 4217"))
    price_per_credit: _Price | None = Field(
        None, description=N_("What one credit costs; without it, costs are shown in credits only")
    )
    price_list: Path | dict[str, _Price] | None = Field(
        None, description=N_("CSV file with the price of a credit by country, such as data/prices.csv")
    )
    senders: tuple[str, ...] = Field(
        (), description=N_("Approved senders that are offered for messages, such as ACME,+447700900123")
    )
    opt_out_line: str | None = Field(
        None,
        description=N_("Added to texts that do not say how to opt out, such as Reply STOP to opt out"),
    )
    texting_hours: TextingTimes | None = Field(
        None,
        description=N_(
            "Hours and days in which campaigns begun on the pages text people, such as 09:00-20:00 Mon,Tue"
        ),
    )
    credits_per_campaign: int | None = Field(
        None,
        ge=0,
        le=MOST_CREDITS,
        description=N_("Most credits that a campaign may use; it pauses before it uses more"),
    )
    credits_per_day: int | None = Field(
        None,
        ge=0,
        le=MOST_CREDITS,
        description=N_("Most credits that all campaigns may use in a day (UTC)"),
    )
    approve_above: int | None = Field(
        None,
        ge=0,
        le=MOST_MESSAGES,
        description=N_(
            "Messages that a person may start within a day before somebody else has to approve the next "
            "campaign; everybody may start anything when absent"
        ),
    )
    texts_per_person: int | None = Field(
        None,
        ge=1,
        le=MOST,
        description=N_("Most texts that a person may get within a number of days, across all campaigns"),
    )
    texts_within_days: float = Field(
        7, ge=0.001, le=366, description=N_("Days over which texts to a person are counted")
    )

    @field_validator("language")
    @classmethod
    def _there_are_words(cls, value: str) -> str:
        if value not in languages():
            raise ValueError(
                _("choose one of {languages}; docs/translating.md says how to add another").format(
                    languages=", ".join(languages())
                )
            )
        return value

    @field_validator("country")
    @classmethod
    def _is_a_country(cls, value: str | None) -> str | None:
        return None if value is None else checked_country(value)

    @field_validator("time_zone")
    @classmethod
    def _is_a_time_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError(_("write a time zone as the tz database names it, such as Europe/Berlin or UTC"))
        return value

    @field_validator("currency")
    @classmethod
    def _is_a_currency(cls, value: str) -> str:
        if mistake := mistake_in_currency(value):
            raise ValueError(mistake)
        return value

    @field_validator("price_list")
    @classmethod
    def _is_a_price_list(cls, value: Path | dict[str, Decimal] | None) -> Path | dict[str, Decimal] | None:
        if not isinstance(value, dict):
            return value
        return {checked_country(country): price for country, price in value.items()} or None

    @field_validator("senders", mode="before")
    @classmethod
    def _read_senders(cls, value: object) -> object:
        return value.split(",") if isinstance(value, str) else value

    @field_validator("senders")
    @classmethod
    def _are_senders(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        senders = tuple(dict.fromkeys(sender for each in value if (sender := each.strip())))
        if not all(sender.isprintable() and len(sender) <= SENDER_CHARACTERS for sender in senders):
            raise ValueError(
                _("write each sender as the service approved it, in up to {most} characters").format(
                    most=SENDER_CHARACTERS
                )
            )
        return senders

    @field_validator("opt_out_line")
    @classmethod
    def _is_a_line(cls, value: str | None) -> str | None:
        line = (value or "").strip()
        if not all(character.isprintable() for character in line) or "{{" in line:
            raise ValueError(_("write one line of text, without fields of the sheet"))
        if len(line) > LINE_CHARACTERS:
            raise ValueError(_("write up to {most} characters").format(most=LINE_CHARACTERS))
        return line or None

    @field_validator("texting_hours", mode="before")
    @classmethod
    def _read_texting_hours(cls, value: object) -> object:
        return read_times(value) if isinstance(value, str) else value


OWNED = tuple(OwnedSettings.model_fields)


def stored(name: str, value: object) -> Any:
    """A marketer's value of a setting, checked, in a form that JSON can hold.

    Raises:
        SettingsError: It cannot be used; the sentence says what to write.
    """
    if name not in OWNED:
        raise SettingsError(_("There is no such setting: {name}.").format(name=name))
    if value is None:
        return None
    if isinstance(value, str | Path) and name == "price_list":  # a file of this machine is the operator's
        raise SettingsError(_("Give the prices themselves, by country."))
    return _checked({name: value}).model_dump(mode="json", include={name})[name]


def decided_outside(given: Settings) -> frozenset[str]:
    """Which of marketers' settings the environment decides, so that nobody can change them on the page."""
    named = {name for name in OWNED if name in given.model_fields_set}
    return frozenset(named.union(*(TOGETHER.get(name, ()) for name in named)))


def together(names: Collection[str]) -> list[str]:
    """These settings and those with which they form one statement: a price and its currency."""
    statements = ({first, *rest} for first, rest in TOGETHER.items())
    along = set(names).union(*(each for each in statements if not each.isdisjoint(names)))
    return [name for name in OWNED if name in along]


def now(given: Settings, kept: Mapping[str, Any]) -> Settings:
    """The settings that are in force: the environment's, then those kept, then what they begin with.

    Args:
        given: What is set outside.
        kept: What marketers decided, as `stored` gave it.

    Raises:
        SettingsError: What was kept cannot be used here; the sentence names the setting.
    """
    outside = decided_outside(given)
    wanted = {name: value for name, value in kept.items() if name in OWNED and name not in outside}
    chosen = _checked({name: value for name, value in wanted.items() if value is not None})
    return given.model_copy(update={name: getattr(chosen, name) for name in chosen.model_fields_set})


def _checked(values: Mapping[str, Any]) -> OwnedSettings:
    try:
        return OwnedSettings.model_validate(values)
    except ValidationError as error:
        lines = {
            f"{_(LABELS[str(problem['loc'][0])])}: {sentence(problem['type'], problem.get('ctx', {}))}"
            for problem in error.errors(include_input=False, include_url=False)
            if problem["type"] != "path_type"  # the other kind of price list
        }
        raise SettingsError("; ".join(sorted(lines)) + ".") from None


LABELS: Mapping[str, str] = {
    "language": N_("Language"),
    "country": N_("Country"),
    "time_zone": N_("Reporting time zone"),
    "currency": N_("Currency"),
    "price_per_credit": N_("Price per credit"),
    "price_list": N_("Prices by country"),
    "senders": N_("Saved senders"),
    "opt_out_line": N_("Line for opting out"),
    "texting_hours": N_("Texting hours"),
    "credits_per_campaign": N_("Credits per campaign"),
    "credits_per_day": N_("Credits per day"),
    "approve_above": N_("Messages without approval"),
    "texts_per_person": N_("Texts per person"),
    "texts_within_days": N_("Counted over (days)"),
}
"""What marketers call them."""

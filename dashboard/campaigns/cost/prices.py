"""What a credit costs: one price for all, or a price list by country, read from a CSV file.

    country,price_per_credit,currency
    GB,0.042,EUR
    DE,0.079,EUR
    *,0.11,EUR

`*` stands for every country that is not listed. Other columns are left alone. Money is Decimal throughout.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

from dashboard.arguments import check_fields, checks_arguments
from dashboard.contacts.words.countries import country_codes
from dashboard.errors import CampaignError, SettingsError
from dashboard.own_connections import content
from dashboard.settings import Settings
from dashboard.settings.price import mistake_in_currency, read_price
from dashboard.words import _

ELSEWHERE = "*"
_COLUMNS = ("country", "price_per_credit", "currency")


@dataclass(frozen=True)
class Prices:
    """Price of a credit by ISO 3166 country, and `elsewhere` (None: not known). One currency, ISO 4217.

    Raises:
        CampaignError: A price is negative, above a million, not a number, or has more than six decimals; a
            country or the currency is not a code of its standard.

    Example:
        >>> prices = Prices({"GB": Decimal("0.042")}, elsewhere=Decimal("0.06"), currency="EUR")
        >>> prices.of("FR")
        Decimal('0.06')
    """

    by_country: Mapping[str, Decimal]
    elsewhere: Decimal | None
    currency: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.by_country.keys() <= country_codes():
            raise CampaignError(
                _("A country with a price is not a two-letter ISO 3166 code such as GB. Correct it.")
            )
        if self.currency is not None:
            check_currency(self.currency)
        listed = {country: _checked(price) for country, price in self.by_country.items()}
        object.__setattr__(self, "by_country", MappingProxyType(listed))
        if self.elsewhere is not None:
            object.__setattr__(self, "elsewhere", _checked(self.elsewhere))

    def of(self, country: str | None) -> Decimal | None:
        """The price for a country; None if it is not known."""
        return self.by_country.get(country, self.elsewhere) if country is not None else self.elsewhere


def _checked(price: object) -> Decimal:
    try:
        return read_price(price)
    except ValueError as mistake:
        raise CampaignError(
            _("The price of a credit cannot be used: {mistake}.").format(mistake=mistake)
        ) from None


def check_currency(currency: str) -> None:
    """Refuse what is no code of a currency.

    Raises:
        CampaignError: It is not three capital letters, as in ISO 4217.
    """
    if mistake := mistake_in_currency(currency):
        raise CampaignError(_("The currency cannot be used: {mistake}.").format(mistake=mistake))


def one_price(given: Decimal | float | str) -> Prices:
    """The same price everywhere.

    Raises:
        CampaignError: It is negative, above a million, not a number, or has more than six decimals.
    """
    return Prices({}, _checked(given))


@checks_arguments()
def prices_from(price_per_credit: Decimal | float | str | None, prices: Prices | None) -> Prices | None:
    """A price list with the single price wherever it has none; None without either.

    Raises:
        CampaignError: The price is negative or not a number.
    """
    if price_per_credit is None:
        return prices
    everywhere = one_price(price_per_credit)
    if prices is None:
        return everywhere
    return prices if prices.elsewhere is not None else replace(prices, elsewhere=everywhere.elsewhere)


@checks_arguments()
def prices_of(settings: Settings) -> Prices | None:
    """What credits cost according to the settings: a price list, one price, both or neither.

    Returns:
        The prices with their currency; None if there are none.

    Raises:
        SettingsError: The price list has a mistake, or its currency differs from that of the single price.
    """
    listed = None
    if isinstance(settings.price_list, dict):
        listed = Prices(settings.price_list, None, settings.currency)
    elif settings.price_list is not None:
        try:
            listed = read_prices(settings.price_list)
        except CampaignError as error:
            raise SettingsError(f"DASHBOARD_PRICE_LIST: {error}") from None
        if settings.price_per_credit is not None and listed.currency != settings.currency:
            raise SettingsError(
                f"DASHBOARD_PRICE_LIST has prices in {listed.currency}, and DASHBOARD_PRICE_PER_CREDIT, for "
                f"other countries, is in {settings.currency}. Set DASHBOARD_CURRENCY to {listed.currency}."
            )
    known = prices_from(settings.price_per_credit, listed)
    return known and replace(known, currency=known.currency or settings.currency)


@checks_arguments()
def read_prices(source: str | Path | bytes) -> Prices:
    r"""Read a price list.

    Args:
        source: Path of a CSV file with the columns country, price_per_credit and currency; or its content.

    Raises:
        CampaignError: The file cannot be read, or a line has a mistake; the sentence names the line.

    Example:
        >>> read_prices(b"country,price_per_credit,currency\nGB,0.042,EUR\n").of("GB")
        Decimal('0.042')
    """
    prices: dict[str, Decimal] = {}
    currencies: set[str] = set()
    for line, row in _rows(_text(source)):
        country, price, currency = row["country"].upper(), row["price_per_credit"], row["currency"].upper()
        if country != ELSEWHERE and country not in country_codes():
            raise _mistake(
                line, _("the country is not a two-letter ISO 3166 code such as GB, or * for all others")
            )
        if country in prices:
            raise _mistake(line, _("{country} is listed twice").format(country=country))
        prices[country] = _price(price, line)
        if mistake := mistake_in_currency(currency):
            raise _mistake(line, mistake)
        currencies.add(currency)
    if len(currencies) > 1:
        raise CampaignError(
            _(
                "The price list has prices in {currencies}. A campaign has one currency: make a list for "
                "each."
            ).format(currencies=" and ".join(sorted(currencies)))
        )
    if not prices:
        raise CampaignError(_("The price list has no prices. Add a line for each country below the header."))
    return Prices(prices, prices.pop(ELSEWHERE, None), currencies.pop())


def _price(written: str, line: int) -> Decimal:
    try:
        return read_price(written)
    except ValueError as mistake:
        raise _mistake(line, str(mistake)) from None


def _text(source: str | Path | bytes) -> str:
    try:
        if not isinstance(source, bytes) and Path(source).exists() and not Path(source).is_file():
            raise CampaignError(_("The price list is not a file. Give the path of a CSV file."))
        return (source if isinstance(source, bytes) else content(Path(source))).decode("utf-8-sig")
    except OSError:
        raise CampaignError(_("The price list cannot be opened. Check that the file is there.")) from None
    except UnicodeDecodeError:
        raise CampaignError(_("The price list is not UTF-8. Save it as CSV UTF-8.")) from None


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines that are not blank, numbered as in an editor."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        lines = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error:
        what = _("it cannot be read as CSV; look for a quotation mark that is not closed, here or above")
        raise _mistake(reader.line_num, what) from None
    header = [name.lower() for name in lines[0][1]] if lines else []
    missing = [column for column in _COLUMNS if column not in header]
    if missing:
        raise CampaignError(
            _(
                "The price list lacks the columns {missing}. Its first line must name its columns, "
                "separated by commas: {columns}."
            ).format(missing=", ".join(missing), columns=",".join(_COLUMNS))
        )
    if twice := [column for column in _COLUMNS if header.count(column) > 1]:
        raise _mistake(lines[0][0], _("the column {column} appears twice").format(column=twice[0]))
    for line, cells in lines[1:]:
        if any(cells):
            named = dict(zip(header, cells, strict=False))
            yield line, {column: named.get(column, "") for column in _COLUMNS}


def _mistake(line: int, what: str) -> CampaignError:
    return CampaignError(
        _("Line {line} of the price list: {what}. Correct it and read the list again.").format(
            line=line, what=what
        )
    )

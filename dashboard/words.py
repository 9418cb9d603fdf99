"""The words of the interface in the chosen language, and the numbers within them.

The English text is in the code. Every other language is one file, `locale/<language>.po`, with a translation
of each message of `locale/dashboard.pot`; docs/translating.md says how to make one. Message ids, plural forms
and the format of the file are GNU gettext's, so any translator's tool opens it. Unicode CLDR, through Babel,
knows how numbers and times are written.

    _("Save the list")                                    a message
    plural(rows, "{count} row", "{count} rows")           a message with a count
    LABELS = {"ok": N_("Ready")}; _(LABELS[status])       marked in a table, translated when drawn
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from decimal import MAX_PREC, ROUND_HALF_UP, Context, Decimal, localcontext
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, ParamSpec, TypeVar

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime
from babel.lists import format_list
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import (
    format_currency,
    format_decimal,
    format_percent,
    get_currency_name,
    get_currency_precision,
    get_decimal_symbol,
    get_group_symbol,
    get_territory_currencies,
)

from dashboard.errors import SettingsError

P = ParamSpec("P")
R = TypeVar("R")

ENGLISH = "en"
DASH = "–"
FOLDER = files("dashboard") / "locale"
_LETTERS_AT_DIGITS = re.compile(r"(?<=[A-Za-z])(?=\d)")
_DAY_WITH_A_DOT = re.compile(r"(?<=\d\.) ")
_DAY_FORMATS = {
    sign.join(order)
    for sign in "/.-"
    for order in (("YYYY", "MM", "DD"), ("DD", "MM", "YYYY"), ("MM", "DD", "YYYY"))
}
_UNREAD = "X-Read-By-Native-Speaker: no"
_PLACEHOLDER = re.compile(r"%\{[^}]*\}|\{\w+\}")
"""Ours, as in {count}, and plotly's, as in %{y:,}."""


@dataclass(frozen=True)
class _Language:
    catalogue: NullTranslations
    locale: Locale


_usual = _Language(NullTranslations(), Locale.parse(ENGLISH))
"""What this process speaks where nobody says otherwise."""

_own: ContextVar[_Language | Literal["usual"] | None] = ContextVar("language", default=None)
"""What is spoken to whoever is looking, in the thread that serves them; None where nobody has told it."""


def _asks() -> bool:
    return False


def languages(folder: Traversable | None = None) -> list[str]:
    """The available languages: English, and one for each file."""
    found = (
        entry.name.removesuffix(".po") for entry in (folder or FOLDER).iterdir() if entry.name.endswith(".po")
    )
    return sorted({ENGLISH, *found})


def language_name(language: str) -> str:
    """What a language calls itself: `Deutsch`."""
    name = Locale.parse(language).get_display_name()
    return language if name is None else name[:1].upper() + name[1:]


def is_proofread(language: str) -> bool:
    """Whether a native speaker has read the words of a language; its file says so in its header."""
    return language == ENGLISH or not _is_unread(str(FOLDER / f"{language}.po"))


@cache
def _is_unread(file: str) -> bool:
    return _UNREAD in Path(file).read_text("utf-8")


def currencies() -> dict[str, str]:
    """The currencies of today by their ISO 4217 codes, with their names in the current language."""
    used = {code for place in _spoken().locale.territories for code in get_territory_currencies(str(place))}
    return {code: get_currency_name(code, locale=_spoken().locale) for code in sorted(used)}


def use(language: str, folder: Traversable | None = None) -> None:
    """Speak this language from now on, everywhere in this process.

    Args:
        language: Such as "en", "de" or "pt_BR"; names the file, and says how numbers and times are written.
        folder: Where the files are.

    Raises:
        SettingsError: There is no such language, or its file has a mistake; the sentence says where.
    """
    global _usual  # noqa: PLW0603 - one per process is what it is
    _usual = _language(language, folder or FOLDER)


def speak(language: str | None) -> None:
    """Speak this language from now on to whoever this thread serves; None for the usual one.

    Raises:
        SettingsError: As for `use`.
    """
    _own.set("usual" if language is None else _known(language, str(FOLDER)))


def ask(whom: Callable[[], bool]) -> None:
    """Have a thread that was not told what to `speak` ask; `whom` tells it, or returns False if it cannot."""
    global _asks  # noqa: PLW0603
    _asks = whom


def spoken_here(function: Callable[P, R]) -> Callable[P, R]:
    """A function that speaks the language of now, in whichever thread it is called."""
    spoken = _spoken()

    def speaking(*args: P.args, **kwargs: P.kwargs) -> R:
        before = _own.set(spoken)
        try:
            return function(*args, **kwargs)
        finally:
            _own.reset(before)

    return speaking


def _spoken() -> _Language:
    own = _own.get()
    if own is None:
        _own.set("usual")  # while it is asked, which may need words
        own = _own.get() if _asks() else None
        _own.set(own)
    return own if isinstance(own, _Language) else _usual


@cache
def _known(language: str, folder: str) -> _Language:
    """A language, read once from each folder."""
    return _language(language, FOLDER)


def _language(language: str, folder: Traversable) -> _Language:
    if language not in languages(folder):
        raise SettingsError(
            f"There are no words in the language “{language}”. Choose one of: {', '.join(languages(folder))}."
        )
    try:
        spoken = Locale.parse(language)
    except (ValueError, UnknownLocaleError):
        raise SettingsError(
            f"“{language}” is no language's code. Name its file as Unicode CLDR does: de.po, pt_BR.po."
        ) from None
    if language == ENGLISH:
        return _Language(NullTranslations(), spoken)
    return _Language(_read(folder / f"{language}.po"), spoken)


def _read(file: Traversable) -> GNUTranslations:
    compiled = io.BytesIO()
    try:
        with file.open("rb") as content:
            translated = read_po(content, abort_invalid=True)
    except (PoFileError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{file.name} cannot be read: {error}. Correct it as docs/translating.md says."
        ) from None
    for message in translated:
        if message.id and not message.fuzzy and not _keeps_placeholders(message):
            raise SettingsError(
                f"{file.name}: the translation of “{message.id}” has other {{placeholders}} than the "
                "message. Use the same."
            )
    write_mo(compiled, translated)
    compiled.seek(0)
    return GNUTranslations(compiled)


def _keeps_placeholders(message: Message) -> bool:
    """Whether each translation has the placeholders of its message; a plural form may leave out the count."""
    ids = [message.id] if isinstance(message.id, str) else message.id
    texts = [message.string] if isinstance(message.string, str) else message.string or ()
    needed = {name for text in ids for name in _PLACEHOLDER.findall(text)}
    return all(_can_be_filled(text, needed) for text in texts if text)


def _can_be_filled(text: str, needed: set[str]) -> bool:
    found = set(_PLACEHOLDER.findall(text))
    if not found <= needed or not found | {"{count}"} >= needed:
        return False
    try:
        ours = {name[1:-1]: "" for name in needed if name.startswith("{")}
        return not ours or bool(text.format(**ours))
    except (ValueError, LookupError):  # a lone brace, or a placeholder of another kind
        return False


def locale() -> Locale:
    """How numbers, money and times are written in the current language."""
    return _spoken().locale


def _(message: str) -> str:
    """The message in the current language."""
    return _spoken().catalogue.gettext(message) if message else ""  # gettext keeps the file's header under ""


def N_(message: str) -> str:  # noqa: N802 - gettext's own name
    """Mark a message for the catalogue where it cannot be translated yet, such as in a table of constants."""
    return message


def plural(number: int, one: str, many: str, **values: object) -> str:
    """The message for this many, `{count}` filled in with the number and the other placeholders with values.

    Example:
        >>> plural(1200, "{count} row in {file}", "{count} rows in {file}", file="contacts.csv")
        '1,200 rows in contacts.csv'
    """
    return _spoken().catalogue.ngettext(one, many, int(number)).format(count=count(number), **values)


def quoted(name: str) -> str:
    """A name, such as a column's, in the quotation marks of the language: `“Notes”`."""
    # Translators: a name, such as a column's, in the quotation marks of your language
    return _("“{name}”").format(name=name)


def count(number: float | None) -> str:
    """A whole number as the language writes it, `1,000,000`; a dash if there is none."""
    return DASH if number is None else format_decimal(round(number), locale=_spoken().locale)


def decimal(number: float | Decimal, digits: int = 1) -> str:
    """A number with this many decimals: `4.1`."""
    return format_decimal(
        number, format=f"#,##0.{'0' * digits}" if digits else "#,##0", locale=_spoken().locale
    )


def money(amount: Decimal, currency: str) -> str:
    """An amount as its currency writes it, rounded half up to its decimals: `€72,500.00`, `¥1,250`.

    Babel alone rounds half to even, so that a bill of 0.125 would read 0.12.
    """
    with localcontext(Context(prec=MAX_PREC)):
        return spaced(format_currency(_rounded(amount, currency), currency, locale=_spoken().locale))


def amount(of: Decimal, currency: str) -> str:
    """The same without the currency's sign, for places that already name the currency: `72,500.00`."""
    with localcontext(Context(prec=MAX_PREC)):
        return decimal(_rounded(of, currency), digits_of(currency))


def digits_of(currency: str) -> int:
    """How many decimals amounts of a currency have: 2 of EUR, 0 of JPY."""
    return get_currency_precision(currency)


def _rounded(of: Decimal, currency: str) -> Decimal:
    return of.quantize(Decimal(1).scaleb(-digits_of(currency)), ROUND_HALF_UP)


def spaced(written: str) -> str:
    """Money with the currency spacing of CLDR, which Babel leaves out: no letter touches a digit."""
    return _LETTERS_AT_DIGITS.sub(" ", written)


def listed(words: Sequence[str]) -> str:
    """Several things as a list: `€5.00, $7.00, and 3 credits`."""
    return format_list(words, locale=_spoken().locale)


def share(part: float) -> str:
    """A share or a change in percent, 1 being 100 %, with a decimal where there is one: `33.3%`."""
    pattern = str(_spoken().locale.percent_formats[None].pattern).replace("0", "0.#")
    return format_percent(part, format=pattern, locale=_spoken().locale)


def clock(local: datetime, pattern: str) -> str:
    """A time by its own clock, in the letters of CLDR's date patterns: `d MMM y, HH:mm`."""
    return _kept_together(format_datetime(local, pattern, locale=_spoken().locale))


def day_and_time(local: datetime) -> str:
    """A time with its day: `20 Nov 2026, 10:00`."""
    # Translators: a date and a time in the letters of CLDR's date patterns, as in 20 Nov 2026, 10:00
    return clock(local, _("d MMM y, HH:mm"))


def time_of_day(local: datetime) -> str:
    """A time without its day: `10:00`."""
    # Translators: a time of a day in the letters of CLDR's date patterns, as in 18:00
    return clock(local, _("HH:mm"))


def time_with_seconds(local: datetime) -> str:
    """A time without its day, to the second: `10:00:00`."""
    return clock(local, _("HH:mm").replace("mm", "mm:ss"))


def day_of_week(day: date) -> str:
    """A day in the next week or the last: `Tue 24 Nov`."""
    # Translators: a day in the letters of CLDR's date patterns, as in Tue 24 Nov
    return _kept_together(format_date(day, _("EEE d MMM"), locale=_spoken().locale))


def day_of_year(day: date) -> str:
    """A day of any year: `20 Nov 2026`."""
    # Translators: a day in the letters of CLDR's date patterns, as in 20 Nov 2026
    return _kept_together(format_date(day, _("d MMM y"), locale=_spoken().locale))


def _kept_together(written: str) -> str:
    """A day that no line breaks behind its dot: with a plain space, Markdown takes `23. Nov.` for a list."""
    return _DAY_WITH_A_DOT.sub("\N{NO-BREAK SPACE}", written)


def day_format() -> str:
    """How a day is typed into a field, in the letters that Streamlit knows: `DD/MM/YYYY`."""
    # Translators: how a day is typed into a field: YYYY, MM and DD in your order, with / - or . between
    typed = _("DD/MM/YYYY")
    return typed if typed in _DAY_FORMATS else "YYYY-MM-DD"


def weekdays() -> list[str]:
    """Short names of the days from Monday on: `Mon`."""
    names = _spoken().locale.days["format"]["abbreviated"]
    return [names[day] for day in range(7)]


def number_signs() -> str:
    """The decimal sign and the sign between thousands, `.,`, as plotly takes them."""
    return get_decimal_symbol(_spoken().locale) + get_group_symbol(_spoken().locale)

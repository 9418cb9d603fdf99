"""Texts that people, spreadsheets and attackers put into phone columns.

All numbers are examples of the library, or random.

Each generator gives (text, country) pairs; the same seed gives the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import phonenumbers
from phonenumbers import PhoneMetadata, PhoneNumberFormat, PhoneNumberType

Sample = tuple[str | None, str | None]

COUNTRIES = sorted(phonenumbers.SUPPORTED_REGIONS)
CALLING_CODES = sorted(phonenumbers.COUNTRY_CODE_TO_REGION_CODE)
BUSY_COUNTRIES = (
    "US GB DE FR IN BR AU ES IT MX AR JP CA NL PL ZA AE EG TR SE RU CN NG ID KZ BS GG SM HU MG".split()
)
DIGITS = "0123456789"
DESCRIPTIONS = ["general_desc", "fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost"]
DESCRIPTIONS += ["personal_number", "voip", "pager", "uan", "voicemail"]


def example_nationals(metadata: PhoneMetadata) -> Iterator[str]:
    """The national number of each example in a plan."""
    for name in DESCRIPTIONS:
        description = getattr(metadata, name)
        if description is not None and description.example_number:
            yield description.example_number


def metadata_examples() -> Iterator[Sample]:
    """Every example number of the library, in many spellings, dialled from several countries."""
    for country in COUNTRIES:
        metadata = PhoneMetadata.metadata_for_region(country)
        for national in example_nationals(metadata):
            yield from ((national, country), (national, "US"), (f"+{metadata.country_code}{national}", None))
        for line_type in PhoneNumberType.values():
            number = phonenumbers.example_number_for_type(country, line_type)
            if number is not None:
                yield from spellings(number, country)
        number = phonenumbers.invalid_example_number(country)
        if number is not None:
            yield from spellings(number, country)
    for code in sorted(phonenumbers.COUNTRY_CODES_FOR_NON_GEO_REGIONS):
        for national in example_nationals(PhoneMetadata.metadata_for_nongeo_region(code)):
            yield f"+{code}{national}", "US"
        yield from spellings(phonenumbers.example_number_for_non_geo_entity(code), "GB")


def spellings(number: phonenumbers.PhoneNumber, country: str) -> Iterator[Sample]:
    """One number as people in several countries write it."""
    e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    for style in (PhoneNumberFormat.E164, PhoneNumberFormat.INTERNATIONAL, PhoneNumberFormat.RFC3966):
        text = phonenumbers.format_number(number, style)
        yield from ((text, country), (text, None), (text, "US"), (text, "GB"))
    national = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    significant = phonenumbers.national_significant_number(number)
    for text in (national, significant, e164[1:], f"00{e164[1:]}", f"011{e164[1:]}"):
        yield from ((text, country), (text, "US"), (text, "AR"))
    abroad = phonenumbers.format_out_of_country_calling_number(number, "AU")
    yield from ((abroad, "AU"), (abroad, country))
    yield phonenumbers.format_number_for_mobile_dialing(number, country, with_formatting=True), country
    yield phonenumbers.format_national_number_with_carrier_code(number, "15"), country
    yield f"{e164};ext=3", country
    yield f"{e164[:3]} (0) {e164[3:]}", country


def random_digits(count: int, seed: int) -> Iterator[Sample]:
    """Digits that mean nothing, half of them behind a real calling code."""
    random = Random(seed)
    for _ in range(count):
        digits = "".join(random.choices(DIGITS, k=random.randrange(4, 20)))
        code = str(random.choice(CALLING_CODES))
        text = random.choice([digits, f"+{digits}", code + digits, f"+{code}{digits}", f"+{code}{digits}"])
        yield text, random.choice(COUNTRIES) if random.random() < 0.97 else None


def mutated_numbers(count: int, seed: int) -> Iterator[Sample]:
    """Example numbers with digits changed, added and lost, behind all kinds of prefixes."""
    random = Random(seed)
    plans = [(country, PhoneMetadata.metadata_for_region(country)) for country in COUNTRIES]
    pool = [(country, plan, text) for country, plan in plans for text in example_nationals(plan)]
    abroad = "00 011 0011 001 010 810 119 8~10 0000 009 00141 0015 0019".split()
    for _ in range(count):
        country, plan, national = random.choice(pool)
        national = mutate(national, DIGITS, random, random.randrange(4))
        trunk = random.choice([*"0 1 8 06 00 01 9 15 015 041 90".split(), plan.national_prefix or ""])
        code = str(plan.country_code)
        text = random.choice(
            [
                *(national, national, trunk + national, f"+{code}{national}", f"+{code}{trunk}{national}"),
                *(code + national, code + trunk + national, random.choice(abroad) + code + national),
                national[-random.randrange(2, 9) :],
            ]
        )
        yield text, country if random.random() < 0.85 else random.choice(COUNTRIES)


def mutate(text: str, alphabet: str | list[str], random: Random, changes: int) -> str:
    """Change, insert or delete some characters."""
    characters = list(text)
    for _ in range(changes):
        at = random.randrange(len(characters) + 1)
        what = random.random()
        if what < 0.4:
            characters.insert(at, random.choice(alphabet))
        elif at < len(characters):
            characters[at : at + 1] = [random.choice(alphabet)] if what < 0.8 else []
    return "".join(characters)


HOSTILE = [
    *DIGITS * 6,
    *"++++ ----...()()//[]~~xxXX##;;,,**::_&@!\\\t\n\r\v\x00\x1c'\"",
    *"abcdefghijklmnopqrstuvwxyzABCKSZ",
    *"ext| ext. | x|tel:|;ext=|;isub=1|;phone-context=|;phone-context=+1| доб |anexo|int".split("|"),
    *"extensión|extensio\u0301n|ｅｘｔ|ｘ|＃|＋|ｉｎｔ|,,| or |/ x|\\x|(0)".split("|"),
    *"+1|+44|00|011|800 FLOWERS|- 503#|.0|e+11".split("|"),
    *"٣7۵१߁\U0001d7d7½²中①Ⅷ\U0001f4de\ufffd\uffff",
    *"\u00a0\u00ad\u200b\u2060\u3000\u2028\u202a\ufeff\u0301\u2010\u2013\u2212\u30fc\uff0d\uff0e",
    *"（）［］～∼⁓ſı\u212aİéß",
]


@cache
def _spelled_examples() -> list[str]:
    return [text for text, _ in metadata_examples() if text]


def hostile_texts(count: int, seed: int) -> Iterator[Sample]:
    """Unicode, extensions, vanity letters and control characters, alone and inside real numbers."""
    random, spelled = Random(seed), _spelled_examples()
    for _ in range(count):
        if random.random() < 0.35:
            text = "".join(random.choices(HOSTILE, k=random.randrange(22)))
        else:
            text = mutate(random.choice(spelled), HOSTILE, random, random.randrange(1, 5))
            if random.random() < 0.3:
                text += random.choice(HOSTILE) + str(random.randrange(10 ** random.randrange(1, 22)))
        yield text, random.choice(BUSY_COUNTRIES) if random.random() < 0.95 else None


MIXED_COUNTRIES = dict(
    zip(
        "US GB DE FR IN BR AU ES IT MX AR JP CA NL PL ZA AE EG TR SE".split(),
        (30, 12, 10, 8, 8, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1),
        strict=True,
    )
)
ARABIC_DIGITS = str.maketrans(DIGITS, "٠١٢٣٤٥٦٧٨٩")
FULL_WIDTH = str.maketrans(DIGITS + "+", "０１２３４５６７８９＋")


def mixed_column(count: int, seed: int) -> Iterator[Sample]:
    """What a contact sheet holds: 60 % E.164, 25 % national, 10 % odd spellings, 5 % no number at all."""
    random = Random(seed)
    examples = {country: list(_templates(country)) for country in MIXED_COUNTRIES}
    for country in random.choices(list(MIXED_COUNTRIES), list(MIXED_COUNTRIES.values()), k=count):
        e164, national, international, free = random.choice(examples[country])
        tail = "".join(random.choices(DIGITS, k=free))
        kind = random.random()
        if kind < 0.60:
            text: str | None = fill(e164, tail)
        elif kind < 0.85:
            text = _as_typed(fill(national, tail), random)
        elif kind < 0.95:
            text = _oddly(fill(e164, tail), fill(national, tail), fill(international, tail), random)
        else:
            text = _no_number(fill(e164, tail), random)
        yield text, country


def _templates(country: str) -> Iterator[tuple[str, str, str, int]]:
    for line_type in (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE):
        number = phonenumbers.example_number_for_type(country, line_type)
        if number is not None:
            free = min(6, len(phonenumbers.national_significant_number(number)) - 3)
            styles = (PhoneNumberFormat.E164, PhoneNumberFormat.NATIONAL, PhoneNumberFormat.INTERNATIONAL)
            yield *(phonenumbers.format_number(number, style) for style in styles), free


def fill(template: str, tail: str) -> str:
    """The template with its last digits replaced by `tail`."""
    characters = list(template)
    places = [i for i, character in enumerate(characters) if character.isdigit()][-len(tail) :]
    for place, digit in zip(places, tail, strict=True):
        characters[place] = digit
    return "".join(characters)


def _as_typed(national: str, random: Random) -> str:
    kind = random.random()
    if kind < 0.2:
        return national.replace(" ", "-")
    if kind < 0.3:
        return national.replace(" ", ".")
    return "".join(filter(str.isdigit, national)) if kind < 0.45 else national


def _oddly(e164: str, national: str, international: str, random: Random) -> str:
    return random.choice(
        [
            f"00{international[1:]}",
            international.replace(" ", " (0)", 1),
            f"{national} ext. {random.randrange(10, 9999)}",
            f"{international} x{random.randrange(10, 999)}",
            f"  {international.replace(' ', '   ')} ",
            international.replace(" ", "."),
            international.replace(" ", "\u2011").replace("-", "\u2013"),
            international.translate(FULL_WIDTH),
            international.translate(ARABIC_DIGITS),
            f"tel:{international.replace(' ', '-')}",
            international.replace(" ", "\u00a0"),
            random.choice([f"Tel. {international} (office)", e164[1:], e164[1:]]),
            f"{national};ext=12",
        ]
    )


def _no_number(e164: str, random: Random) -> str | None:
    digits = "".join(random.choices(DIGITS, k=random.randrange(3, 16)))
    written = ["n/a", "unknown", "12345", "0000000000", "+999123456789", "ann@example.com"]
    return random.choice([None, "", *written, digits, f"{e164[1:]}.0"])

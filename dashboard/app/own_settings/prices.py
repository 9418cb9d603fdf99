"""What a credit costs: one price, other prices by country, and their currency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.own_settings.form import Form, form
from dashboard.contacts.words.country_names import country_names
from dashboard.errors import SettingsError
from dashboard.settings.owned import LABELS
from dashboard.words import N_, _, currencies

NAMES = ("price_per_credit", "currency", "price_list")
COUNTRY, PRICE = N_("Country"), N_("Price per credit")
Row = tuple[str | None, str | None]


def prices(own: Form) -> None:
    """Draw the form."""
    known = currencies()
    current = runtime.current().currency
    rows = _rows(own)

    def read() -> dict[str, Any]:
        price = str(own.typed("price_per_credit") or "").strip()
        values = {"price_per_credit": price or None, "currency": own.typed("currency")}
        if "price_list" not in own.outside:
            values["price_list"] = price_list(edited(rows, own.typed("price_list")))
        return values

    with form("prices", own, NAMES, read):
        with st.container(horizontal=True):
            listed = runtime.current().listed
            price = listed.elsewhere if listed else own.settings.price_per_credit
            st.text_input(
                value="" if price is None else str(price),
                placeholder="0.0375",
                help=_(
                    "For every country without a price of its own below. Write it with a point, such as "
                    "0.0375."
                ),
                width=150,
                **own.field("price_per_credit"),
            )
            codes = sorted({*known, current})
            st.selectbox(
                options=codes,
                index=codes.index(current),
                format_func=lambda code: f"{code} – {known.get(code, code)}",
                width=250,
                **own.field("currency"),
            )
        field = own.field("price_list")
        st.caption(
            _("Other prices in some countries. A campaign keeps the prices with which it was started."),
        )
        st.data_editor(
            pd.DataFrame(rows, columns=[COUNTRY, PRICE], dtype="object"),
            key=field["key"],
            disabled=field["disabled"],
            num_rows="fixed" if field["disabled"] else "dynamic",
            hide_index=True,
            width=520,
            height="content",
            placeholder="",
            column_config={
                COUNTRY: st.column_config.SelectboxColumn(_(COUNTRY), options=list(country_names().values())),
                PRICE: st.column_config.TextColumn(_(PRICE)),
            },
        )


def _rows(own: Form) -> list[Row]:
    """The price list as it is shown: names of countries with their prices."""
    listed, names = runtime.current().listed, country_names()
    by_country = listed.by_country if listed else own.settings.price_list
    found = by_country if isinstance(by_country, Mapping) else {}
    return sorted((names.get(code, code), str(price)) for code, price in found.items())


def edited(rows: Sequence[Row], edits: Mapping[str, Any]) -> list[Row]:
    """The rows with what was typed into their table, as Streamlit keeps it; rows left blank are no rows."""
    typed: list[Row] = []
    for place, (country, price) in enumerate(rows):
        if place not in edits["deleted_rows"]:
            change = edits["edited_rows"].get(place, {})
            typed.append((change.get(COUNTRY, country), change.get(PRICE, price)))
    typed += [(row.get(COUNTRY), row.get(PRICE)) for row in edits["added_rows"]]
    return [row for row in typed if any(str(cell or "").strip() for cell in row)]


def price_list(rows: Sequence[Row]) -> dict[str, Decimal | str] | None:
    """Prices by country code; None if there are none.

    Raises:
        SettingsError: A row is incomplete, or a country is there twice.
    """
    codes = {name: code for code, name in country_names().items()}
    found: dict[str, Decimal | str] = {}
    for country, price in rows:
        code = codes.get(country or "", country)
        if not code:
            raise _wrong(_("choose the country of the price {price}").format(price=price))
        if not str(price or "").strip():
            raise _wrong(_("write a price beside {country}").format(country=country))
        if code in found:
            raise _wrong(_("{country} is listed twice").format(country=country))
        found[code] = str(price).strip()
    return found or None


def _wrong(what: str) -> SettingsError:
    return SettingsError(f"{_(LABELS['price_list'])}: {what}.")

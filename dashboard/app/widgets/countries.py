"""The choice of a country."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.contacts.words.country_names import country_name, country_names


def country_field(label: str, chosen: str | None, **how: Any) -> str | None:
    """Draw the choice among all countries; returns the code (ISO 3166). `how` is passed on to Streamlit.

    Args:
        label: What is asked.
        chosen: The code to begin with; none of them if it is no country's.
        how: Whatever else Streamlit takes for it.
    """
    codes = list(country_names())
    index = codes.index(chosen) if chosen in codes else None
    return st.selectbox(label, codes, index=index, format_func=country_with_code, **how)


def country_with_code(code: str | None) -> str:
    """A country as people choose it: `Germany (DE)`."""
    return f"{country_name(code)} ({code})"

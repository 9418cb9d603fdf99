"""The notebook API: clean contacts, write messages, estimate, send, follow up.

`__init__.pyi` lists the names. They load on first use, so `import dashboard.contacts` loads neither
Streamlit, nor SQL, nor HTTP.

Example:
    >>> import dashboard as d
    >>> sheet = d.read_sheet("data/contacts.xlsx")
    >>> contacts = d.clean_contacts(sheet, country="GB")
    >>> messages = d.write_messages(contacts, "Hi {{first_name|there}}!", campaign="Spring")
    >>> d.estimate_credits(messages).credits_high
    1900
"""

from dashboard.lazily import on_first_use

__version__ = "0.1.0"

__all__, __getattr__ = on_first_use(__name__, __file__)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

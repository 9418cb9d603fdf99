"""Languages as people choose among them. Pure."""

from __future__ import annotations

from dashboard.words import _, is_proofread, language_name


def language_offered(language: str) -> str:
    """What a language calls itself, and what is yet to be said of its words: `Deutsch (not yet read …)`."""
    name = language_name(language)
    return (
        name
        if is_proofread(language)
        else _("{language} (not yet read by a native speaker)").format(language=name)
    )

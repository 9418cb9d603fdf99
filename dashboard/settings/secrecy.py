"""Whether a secret can be used, and is one: nobody can guess it."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error

COOKIE_CHARACTERS = TOKEN_CHARACTERS = 32
WEBHOOK_CHARACTERS = 24
"""Standard Webhooks asks for 24 bytes or more."""

DIFFERENT = 8
"""A random secret of 24 characters, even hexadecimal ones, has fewer distinct characters once in 200,000."""

HOW = 'python -c "import secrets; print(secrets.token_urlsafe(32))" makes one'


def usable(secret: str) -> str:
    """A secret without the spaces and line breaks around it, which come along when it is copied.

    Raises:
        ValueError: It is blank, or what is left cannot be put in a header.
    """
    bare = secret.strip()
    if not bare:
        raise ValueError("it is blank; write the secret, or leave the setting out")
    if not bare.isascii() or not bare.isprintable() or " " in bare:
        raise ValueError("it has a space, a line break or a letter in it that no key has; copy it again")
    return bare


def guess_proof(secret: str, *, characters: int) -> str:
    """A secret that nobody can guess.

    Raises:
        ValueError: It is too short, or repeats itself.
    """
    bare = usable(secret)
    if len(bare) < characters:
        raise ValueError(f"it is too short; write {characters} characters or more: {HOW}")
    if len(set(bare)) < DIFFERENT or bare in (bare + bare)[1:-1]:
        raise ValueError(f"it repeats itself and can be guessed: {HOW}")
    return bare


def webhook_proof(secret: str) -> str:
    """A webhook secret that nobody can guess, as text or as base64 after `whsec_`.

    Raises:
        ValueError: As `guess_proof`, or what follows `whsec_` is not base64.
    """
    bare = usable(secret)
    if not bare.startswith("whsec_"):
        return guess_proof(bare, characters=WEBHOOK_CHARACTERS)
    try:
        key = b64decode(bare.removeprefix("whsec_"), validate=True)
    except Base64Error:
        raise ValueError("what follows whsec_ must be base64, as the service shows it") from None
    guess_proof(key.hex(), characters=2 * WEBHOOK_CHARACTERS)
    return bare

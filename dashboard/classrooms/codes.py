"""The codes by which participants join: short to type, and too many to be guessed."""

from __future__ import annotations

from secrets import choice
from typing import Final

# Nothing that is mistaken for something else when it is read aloud or from a projector: no I, L, O, U, 0 or 1.
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
# 30 to the power of 8 are 656,100,000,000 codes, of which a few are in use.
LENGTH: Final = 8
_HALF: Final = LENGTH // 2
# What people put between the halves.
_SEPARATORS: Final = str.maketrans("", "", " -–—_.")


def new_code() -> str:
    """Return a code that nobody can predict."""
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def code_in(text: str) -> str:
    """Return the code that somebody typed, in any case and with or without a dash; nothing for what is none."""
    code = text.translate(_SEPARATORS).upper()
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def shown(code: str) -> str:
    """Write a code in two halves."""
    return f"{code[:_HALF]}-{code[_HALF:]}"

"""Messages that a page shows and no catalogue of its language has."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.urls import get_resolver
from django.utils.translation import trans_real

if TYPE_CHECKING:
    from collections.abc import Iterator

_BETWEEN_CONTEXT_AND_TEXT = "\x04"


class Untranslated:
    """Stands in for the language that Django falls back to, and notes what is looked up there."""

    def __init__(self) -> None:
        self.messages: set[str] = set()

    def gettext(self, message: str) -> str:
        """Note a message, which is shown as it is."""
        self.messages.add(message)
        return message

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Note a message with a number."""
        self.messages.add(singular)
        return singular if number == 1 else plural


@contextmanager
def untranslated(language: str) -> Iterator[Untranslated]:
    """Note what pages show in a language that its catalogues do not have."""
    # Views are imported with the first page that is asked for, and the forms of some write their labels down then.
    assert get_resolver().url_patterns
    # The standard library keeps what is asked next there, and Django's types do not say so.
    catalogue: Any = trans_real.translation(language)
    before, found = catalogue._fallback, Untranslated()
    catalogue._fallback = found
    try:
        yield found
    finally:
        catalogue._fallback = before


def readable(messages: set[str]) -> list[str]:
    """Write messages as a catalogue does, the context before the text."""
    return sorted(message.replace(_BETWEEN_CONTEXT_AND_TEXT, " | ") for message in messages)

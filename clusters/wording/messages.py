"""Messages declared once, and said with their values by name: ``FIT(nodes=3)``."""

from __future__ import annotations

import re
from operator import index
from typing import TYPE_CHECKING, Final, SupportsIndex

from django.utils import translation

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")


class Message:
    """A template with its placeholders as ``%(name)s``; called with a value for each, it is said in the language asked.

    Whole numbers are written as `grouped` does, texts stay as they are. ``plural``: the template for other numbers of
    what ``by`` names than those of the first; ``context`` is for translators. ``values``: what a call has to give.
    """

    def __init__(self, text: str, plural: str = "", *, by: str = "", context: str = "") -> None:
        self.text, self.plural, self.by, self.context = text, plural, by, context
        self.values = frozenset(_PLACEHOLDER.findall(text + plural)) | ({by} if by else set())

    def __call__(self, counted: SupportsIndex | None = None, /, **values: str | SupportsIndex | _StrPromise) -> str:
        """Say the message; what it counts may be given without its name."""
        if counted is not None:
            values[self.by] = counted
        return self._template(values) % {
            name: grouped(index(value)) if isinstance(value, SupportsIndex) else value for name, value in values.items()
        }

    def _template(self, values: dict[str, str | SupportsIndex | _StrPromise]) -> str:
        if not self.by:
            if self.context:
                return translation.pgettext(self.context, self.text)
            return translation.gettext(self.text)
        number = values[self.by]
        if not isinstance(number, SupportsIndex):
            raise TypeError(f"{self.by} is counted, so it has to be a whole number")
        if self.context:
            return translation.npgettext(self.context, self.text, self.plural, index(number))
        return translation.ngettext(self.text, self.plural, index(number))


def message(text: str, *, context: str = "") -> Message:
    """Declare a message."""
    return Message(text, context=context)


def plural(one: str, many: str, *, by: str, context: str = "") -> Message:
    """Declare a message for one and one for many; ``by``: the value that is counted."""
    return Message(one, many, by=by, context=context)

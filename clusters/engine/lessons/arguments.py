"""The arguments of a question as a file has them, read strictly: what is unknown or of another type names its field."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from clusters.engine.problems import Missing, NotABoolean, NotAText, NotOneOf, UnknownField
from clusters.engine.registry import PLUGINS
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.reading import ChangeFields

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.problems import Problem

_LONGEST: Final = 253


class QuestionError(ValueError):
    """A question that cannot be read: where, as in ``question.nodes.which``, and what is wrong."""

    def __init__(self, path: str, problem: Problem) -> None:
        super().__init__(f"{path}: {problem!r}")
        self.path = path
        self.problem = problem


class QuestionArguments:
    """What stands under the key of a question; ``path`` leads to it. Nothing at all is a map without entries."""

    def __init__(self, entry: object, path: str) -> None:
        self.path = path
        self.entry: object = {} if entry is None else entry

    def fields(self, *known: str) -> ArgumentFields:
        """The entries, none of which may have another name. Raises ChangeError."""
        return ArgumentFields(self.entry, self.path, known)


class ArgumentFields(ChangeFields):
    """The entries of one map of a question. Every method raises ChangeError."""

    def given(self, name: str) -> object:
        """An entry as it is written, None where it is not given."""
        return self._entry.get(name)

    def only(self, *names: str) -> None:
        """Raise ChangeError for an entry that is none of these, though it is known beside other ones."""
        for name in self._entry:
            if name not in names:
                raise ChangeError(self.path, UnknownField(shown(name), names))

    def names(self, name: str) -> tuple[str, ...]:
        """A list of at least one text."""
        found = self.texts(name)
        if not found:
            raise self.bad(name, Missing())
        return found

    def inner(self, name: str, *known: str) -> ArgumentFields:
        """The entries of a map below this one."""
        return ArgumentFields(self.given(name), f"{self.path}.{name}", known)

    def flag(self, name: str) -> bool:
        """Whether something is so, which it is not where nothing is said."""
        value = self.given(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.bad(name, NotABoolean(shown(value)))
        return value

    def choice(self, name: str, words: Collection[str]) -> str:
        """One of several words; of another one the closest is told."""
        value = self.given(name)
        if value is None:
            raise self.bad(name, Missing(tuple(words)))
        if not isinstance(value, str):
            raise self.bad(name, NotAText(shown(value)))
        if value not in words:
            raise self.bad(name, not_one_of(value, words))
        return value

    def plugin(self, name: str) -> str:
        """The name of a plugin of kube-scheduler."""
        return self.choice(name, tuple(sorted(PLUGINS)))

    def plugins(self, name: str) -> tuple[str, ...]:
        """A list of plugins of kube-scheduler, empty where it is not given."""
        known = tuple(sorted(PLUGINS))
        for number, value in enumerate(found := self.texts(name)):
            if value not in PLUGINS:
                raise self.bad(f"{name}[{number}]", not_one_of(value, known))
        return found

    def key(self, name: str) -> str:
        """An object as ``namespace/name``; without a namespace it is in ``default``."""
        value = self.text(name)
        return value if "/" in value else f"default/{value}"


def not_one_of(found: str, known: Collection[str]) -> NotOneOf:
    """A word that is none of the known ones, with the closest of those."""
    close = get_close_matches(found[:_LONGEST], known, n=1)
    return NotOneOf(shown(found), tuple(known), close[0] if close else "")

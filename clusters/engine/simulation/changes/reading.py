"""The fields of a change, read strictly: what is not known, missing or of another type is an error that names it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from clusters.engine.matching.selectors import key_fault, value_fault
from clusters.engine.matching.taints import Taint
from clusters.engine.problems import (
    Empty,
    Missing,
    NotALabelKey,
    NotALabelValue,
    NotAList,
    NotAMap,
    NotAnAmount,
    NotAnObject,
    NotAnObjectName,
    NotAText,
    NotOneOf,
    OutOfRange,
    TooMany,
    UnknownField,
)
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import (
    MoreThanAnyNode,
    NotATaintName,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem

_QUANTITY = re.compile(r"([0-9]{1,16}(?:\.[0-9]{1,9})?)(m|[kMGTP]|[KMGTP]i)?")
_SIZES = {unit: 1000.0**power for power, unit in enumerate("kMGTP", 1)}
_SIZES |= {f"{unit}i": 1024.0**power for power, unit in enumerate("KMGTP", 1)}
_MOST_OF_A_RESOURCE = 1e16
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_MOST_LISTED = 20_000
_MOST_LABELS = 200
_LONGEST_NAME = 253
_LONGEST_TEXT = 4096


class ChangeFields:
    """The fields of one map; ``path`` leads to it. Every method raises ChangeError."""

    def __init__(self, entry: object, path: str, known: Collection[str]) -> None:
        if not isinstance(entry, Mapping):
            raise ChangeError(path, NotAMap(shown(entry), tuple(known)))
        self.path = path
        self._entry = entry
        for name in entry:
            if name not in known:
                close = get_close_matches(str(name)[:60], known, n=1)
                raise ChangeError(path, UnknownField(shown(name), tuple(known), close[0] if close else ""))

    def bad(self, name: str, problem: Problem) -> ChangeError:
        """The error of one field."""
        return ChangeError(f"{self.path}.{name}", problem)

    def has(self, name: str) -> bool:
        """Whether a field is given; null counts as not given."""
        return self._entry.get(name) is not None

    def text(self, name: str) -> str:
        """A text that is not empty."""
        value = self._needed(name)
        if not isinstance(value, str) or not value.isprintable() or len(value) > _LONGEST_TEXT:
            raise self.bad(name, NotAText(shown(value)))
        if not value:
            raise self.bad(name, Empty())
        return value

    def text_or_none(self, name: str) -> str | None:
        """A text, None where the field is not given."""
        return self.text(name) if self.has(name) else None

    def name(self, name: str) -> str:
        """The name of an object."""
        value = self.text(name)
        if len(value) > _LONGEST_NAME or any(character in value for character in "/ \\"):
            raise self.bad(name, NotAnObjectName(shown(value)))
        return value

    def word(self, name: str, words: Collection[str]) -> str:
        """One of several words."""
        value = self._needed(name, *words)
        if not isinstance(value, str) or value not in words:
            raise self.bad(name, NotOneOf(shown(value), tuple(words)))
        return value

    def integer(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self._needed(name)
        if type(value) is not int or not least <= value <= most:
            raise self.bad(name, OutOfRange(shown(value), least, most))
        return value

    def integer_or_none(self, name: str, least: int, most: int) -> int | None:
        """A whole number within bounds, None where the field is not given."""
        return self.integer(name, least, most) if self.has(name) else None

    def document(self, name: str) -> Document:
        """A Kubernetes object."""
        value = self._needed(name)
        if not isinstance(value, Mapping):
            raise self.bad(name, NotAnObject(shown(value)))
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, empty where the field is not given."""
        values = self.listed(name, _MOST_LISTED)
        for number, value in enumerate(values):
            if not isinstance(value, str) or not value or len(value) > _LONGEST_TEXT:
                raise self.bad(f"{name}[{number}]", NotAText(shown(value)))
        return tuple(values)

    def listed(self, name: str, most: int) -> list[Any]:
        """A list of at most so many entries, empty where the field is not given."""
        value = self._entry.get(name)
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            raise self.bad(name, NotAList(shown(value)))
        if len(value) > most:
            raise self.bad(name, TooMany(len(value), most))
        return list(value)

    def labels(self, name: str, *, removable: bool = False) -> dict[str, str | None]:
        """Labels by key; ``removable``: null takes a label away."""
        given = self._map(name)
        found: dict[str, str | None] = {}
        for key, value in given.items():
            if not isinstance(key, str) or key_fault(key):
                raise self.bad(name, NotALabelKey(shown(key)))
            if value is None and removable:
                found[key] = None
                continue
            if not isinstance(value, str):
                raise self.bad(f"{name}.{key}", NotAText(shown(value)))
            if value_fault(value):
                raise self.bad(f"{name}.{key}", NotALabelValue(shown(value)))
            found[key] = value
        return found

    def plain_labels(self, name: str) -> dict[str, str]:
        """Labels by key, empty where the field is not given."""
        return {key: value for key, value in self.labels(name).items() if value is not None}

    def label_values(self, name: str) -> tuple[str, ...]:
        """Values of labels, empty where the field is not given."""
        values = self.texts(name)
        for number, value in enumerate(values):
            if value_fault(value):
                raise self.bad(f"{name}[{number}]", NotALabelValue(shown(value)))
        return values

    def taints(self, name: str) -> tuple[Taint, ...]:
        """A list of taints, empty where the field is not given."""
        found = []
        for number, entry in enumerate(self.listed(name, _MOST_LABELS)):
            one = ChangeFields(entry, f"{self.path}.{name}[{number}]", ("key", "value", "effect"))
            key, value = one.text("key"), str(one.text_or_none("value") or "")
            if key_fault(key):
                raise one.bad("key", NotALabelKey(shown(key)))
            if value_fault(value):
                raise one.bad("value", NotALabelValue(shown(value)))
            found.append(Taint(key, value, one.word("effect", _EFFECTS)))
        return tuple(found)

    def taint_names(self, name: str) -> tuple[str, ...]:
        """Keys of taints, or keys with effects as in ``key:effect``."""
        names = self.texts(name)
        for number, text in enumerate(names):
            key, _, effect = text.partition(":")
            if key_fault(key) or (effect and effect not in _EFFECTS):
                raise self.bad(f"{name}[{number}]", NotATaintName(shown(text)))
        return names

    def quantities(self, name: str) -> dict[str, str]:
        """Amounts of resources by name."""
        given = self._map(name)
        return {str(resource): self._quantity(f"{name}.{resource}", given[resource]) for resource in given}

    def quantity(self, name: str) -> str:
        """An amount of the resource that the field is called after."""
        return self._quantity(name, self._needed(name))

    def _quantity(self, field: str, value: Any) -> str:
        text = str(value) if isinstance(value, str) or type(value) in (int, float) else ""
        match = _QUANTITY.fullmatch(text)
        if match is None:
            raise self.bad(field, NotAnAmount(shown(value)))
        if float(match[1]) * _SIZES.get(match[2] or "", 1) > _MOST_OF_A_RESOURCE:
            raise self.bad(field, MoreThanAnyNode(shown(value)))
        return text

    def _map(self, name: str) -> Mapping[Any, Any]:
        value = self._entry.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self.bad(name, NotAMap(shown(value)))
        if len(value) > _MOST_LABELS:
            raise self.bad(name, TooMany(len(value), _MOST_LABELS))
        return value

    def _needed(self, name: str, *known: str) -> Any:
        value = self._entry.get(name)
        if value is None:
            raise self.bad(name, Missing(known))
        return value

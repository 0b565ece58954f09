"""What all changes have in common: how they are read."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.problems import (
    Empty,
    InvalidValue,
    Missing,
    MoreThanAnyNode,
    NeedsOneOf,
    NoSuchName,
    NoSuchObject,
    NotALabelKey,
    NotALabelValue,
    NotAList,
    NotAMap,
    NotAnObject,
    NotAnObjectName,
    NotAText,
    NotOneOf,
    OutOfRange,
    Problem,
    Quoted,
    TooMany,
    UnknownField,
    shown,
)
from clusters.engine.quantity import NotAQuantity
from clusters.engine.selectors import LabelSelector, Operator, SelectorError, key_fault, value_fault
from clusters.engine.simulation.problems import ChangeError, NoNodeSelected, UnreadableSelector
from clusters.engine.taints import Taint

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.cluster import ChangedCluster

# Label selectors as kubectl takes them on its command line: ``a=b,c in (d,e),!f``.

# Commas within parentheses do not separate.
_PART = re.compile(r"((?:[^,()]|\([^()]*\))+)(?:,|$)")
_IN = re.compile(r"(\S+)\s+(in|notin)\s*\(([^()]*)\)")
_EQUAL = re.compile(r"([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)")
_EXISTS = re.compile(r"(!?)\s*([^\s=!()]+)")


class _UnreadableError(ValueError):
    """A text that is no selector from a character on, counted from 1."""

    def __init__(self, character: int) -> None:
        super().__init__(character)
        self.character = character


def read_selector(fields: ChangeFields, name: str) -> str:
    """A field that holds a selector as text. Raises ChangeError."""
    text = fields.text(name)
    try:
        selector_of(text)
    except _UnreadableError as error:
        raise fields.bad(name, UnreadableSelector(error.character)) from None
    except SelectorError as error:
        raise fields.bad(name, Quoted(error.faults[0].kubernetes)) from None
    return text


def selector_of(text: str) -> LabelSelector:
    """The selector that a text stands for. Raises ValueError for one that `read_selector` refuses."""
    expressions, end = [], 0
    while match := _PART.match(text, end):
        expression = _requirement(match[1].strip())
        if expression is None:
            break
        expressions.append(expression)
        end = match.end()
        if end == len(text) and not text.endswith(","):
            return LabelSelector.from_dict({"matchExpressions": expressions})
    raise _UnreadableError(end + 1)


def _requirement(text: str) -> dict[str, Any] | None:
    if match := _IN.fullmatch(text):
        operator = Operator.IN if match[2] == "in" else Operator.NOT_IN
        return {"key": match[1], "operator": operator.value, "values": [part.strip() for part in match[3].split(",")]}
    if match := _EQUAL.fullmatch(text):
        operator = Operator.NOT_IN if match[2] == "!=" else Operator.IN
        return {"key": match[1], "operator": operator.value, "values": [match[3]]}
    if match := _EXISTS.fullmatch(text):
        operator = Operator.DOES_NOT_EXIST if match[1] else Operator.EXISTS
        return {"key": match[2], "operator": operator.value}
    return None


_MOST_NAMED = 8


class ClusterChange(ABC):
    """Something that is done to a cluster before pods are placed. Kinds are frozen dataclasses of what they say."""

    # What the field ``change`` of an entry says; its other fields have the names of the dataclass's.
    change: ClassVar[str]

    def __init_subclass__(cls, change: str = "") -> None:
        if change:
            cls.change = change

    @classmethod
    @abstractmethod
    def read(cls, given: ChangeFields) -> Self:
        """Read the fields of an entry. Raises ChangeError."""

    @abstractmethod
    def apply(self, world: ChangedCluster, path: str) -> None:
        """Change the world; ``path`` is where the change stands among others. Raises ChangeError."""

    def as_dict(self) -> dict[str, Any]:
        """The entry that is read as this change."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        given = {name: _plain(value) for name, value in values.items() if value is not None and value != ()}
        return {"change": self.change, **{name: value for name, value in given.items() if value != {}}}


@dataclass(frozen=True, slots=True)
class NodesChange(ClusterChange):
    """A change to some nodes: those named, those that a label selector means, or those of a zone."""

    nodes: tuple[str, ...] = ()
    selector: str | None = None
    zone: str | None = None

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given))

    @staticmethod
    def read_choice(given: ChangeFields) -> dict[str, Any]:
        """Read which nodes are meant: in one way of the three."""
        ways = [name for name in ("nodes", "selector", "zone") if given.has(name)]
        if len(ways) != 1:
            raise ChangeError(given.path, NeedsOneOf(("nodes", "selector", "zone")))
        selector = read_selector(given, "selector") if ways == ["selector"] else None
        names = given.texts("nodes")
        if ways == ["nodes"] and not names:
            raise given.bad("nodes", Empty())
        return {"nodes": names, "selector": selector, "zone": given.text_or_none("zone")}

    def chosen(self, world: ChangedCluster, path: str) -> list[str]:
        """The nodes that are meant, in order of name. Raises ChangeError where there are none."""
        if self.nodes:
            for number, name in enumerate(self.nodes):
                if name not in world.nodes:
                    problem = NoSuchObject("Node", name, first(world.nodes), len(world.nodes))
                    raise ChangeError(f"{path}.nodes[{number}]", problem)
            return sorted(set(self.nodes))
        if self.zone is not None:
            return nodes_of_zone(world, self.zone, path)
        selector = selector_of(self.selector or "")
        found = [name for name in sorted(world.nodes) if selector.matches(world.nodes.node(name).labels)]
        if not found:
            raise ChangeError(f"{path}.selector", NoNodeSelected(self.selector or ""))
        return found


def nodes_of_zone(world: ChangedCluster, zone: str, path: str) -> list[str]:
    """The nodes of a zone, in order of name. Raises ChangeError where there are none."""
    found = [name for name in sorted(world.nodes) if world.zone_of(name) == zone]
    if not found:
        zones = {world.zone_of(name) for name in world.nodes} - {""}
        raise ChangeError(f"{path}.zone", NoSuchName(zone, first(zones), len(zones)))
    return found


def first(names: Iterable[str]) -> tuple[str, ...]:
    """The first few names that there are, for an error about one that there is not."""
    return tuple(sorted(names)[:_MOST_NAMED])


def _plain(value: Any) -> Any:
    if isinstance(value, Taint):
        return {
            name: part for name, part in (("key", value.key), ("value", value.value), ("effect", value.effect)) if part
        }
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return dict(value) if isinstance(value, Mapping) else value


# The fields of a change, read strictly: what is not known, missing or of another type is an error that names it.

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
                raise self.bad(f"{name}[{number}]", InvalidValue(shown(text), ("old", "old:NoSchedule")))
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
            raise self.bad(field, NotAQuantity(shown(value)))
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

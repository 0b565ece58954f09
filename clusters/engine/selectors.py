"""Label selectors and node selectors as frozen values that are cheap to compare, to share and to evaluate.

Rules: LabelSelectorAsSelector and package ``labels`` of k8s.io/apimachinery, package ``nodeaffinity`` of
k8s.io/component-helpers, both v0.34.1. Every selector is a conjunction of requirements, each about one key, so that a
snapshot can ask a requirement once per distinct value of its key (``Requirement.matches_value``) instead of once per
object. Requirements are kept in a canonical order without repetitions: selectors that say the same are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import Struct

from clusters.engine.status import as_one

# How Kubernetes words what is wrong with a selector.
#
# Upstream: ``IsQualifiedName`` and ``IsValidLabelValue`` of ``util/validation``, ``Error`` of
# ``util/validation/field``, all k8s.io/apimachinery v0.34.1, and from 1.35 ``api/validate/content``, v0.37.2, which
# counts in bytes. The scheduler repeats these texts in its events, so they are given to the letter.

MAX_NAME: Final = 63
MAX_PREFIX: Final = 253

_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_IS_NAME = re.compile(_PART)
_IS_VALUE = re.compile(f"({_PART})?")
_IS_SUBDOMAIN = re.compile(_SUBDOMAIN)

_CHARACTERS = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
_USED = "regex used for validation is"
_NAME_RULE = f"must consist of {_CHARACTERS} (e.g. 'MyName',  or 'my.name',  or '123-abc', {_USED} '{_PART}')"
_VALUE_RULE = (
    f"a valid label must be an empty string or consist of {_CHARACTERS} "
    f"(e.g. 'MyValue',  or 'my_value',  or '12345', {_USED} '({_PART})?')"
)
_SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', {_USED} '{_SUBDOMAIN}')"
)
_EMPTY = "must be non-empty"
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def invalid(path: str, value: str | Sequence[str] | None, detail: str) -> str:
    """The text of a field with a value that is not valid; None is a list that was never written."""
    if value is None:
        return f"{path}: Invalid value: null: {detail}"
    shown = _quoted(value) if isinstance(value, str) else f"[{','.join(map(_quoted, value))}]"
    return f"{path}: Invalid value: {shown}: {detail}"


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def not_supported(path: str, value: str, supported: Iterable[str]) -> str:
    """The text of a field with a value that is none of those that there are."""
    listed = ", ".join(f'"{each}"' for each in supported)
    return f'{path}: Unsupported value: "{value}": supported values: {listed}'


def undecodable(found: object, kind: str, field: str = "") -> str:
    """The text of Go's JSON decoder about a value that cannot be of the type ``kind``.

    ``field`` starts with the struct that has it; without one the value is all that is decoded.
    """
    where = f"Go struct field {field}" if field else "Go value"
    return f"json: cannot unmarshal {_json_kind(found, kind)} into {where} of type {kind}"


def _json_kind(found: object, kind: str) -> str:
    match found:
        case bool():
            return "bool"
        case int() | float():
            # Of a number that is of the wrong sort the decoder shows which one.
            return f"number {found}" if kind == "int32" else "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def key_fault(key: str, *, in_bytes: bool = False) -> str:
    """What is wrong with a label key; empty where nothing is. ``in_bytes``: in the words from 1.35 on."""
    *before, name = key.split("/")
    if len(before) > 1:
        kind = "a valid label key" if in_bytes else "a qualified name"
        return f"{kind} {_NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    faults = [f"prefix part {fault}" for prefix in before for fault in _prefix_faults(prefix, in_bytes)]
    if not name:
        faults.append(f"name part {_EMPTY}")
    elif len(name.encode()) > MAX_NAME:
        faults.append(f"name part {_too_long(MAX_NAME, in_bytes)}")
    if not _IS_NAME.fullmatch(name):
        faults.append(f"name part {_NAME_RULE}")
    return "; ".join(faults)


def value_fault(value: str, *, in_bytes: bool = False) -> str:
    """What is wrong with a label value; empty where nothing is. ``in_bytes``: in the words from 1.35 on."""
    faults = [_too_long(MAX_NAME, in_bytes)] if len(value.encode()) > MAX_NAME else []
    if not _IS_VALUE.fullmatch(value):
        faults.append(_VALUE_RULE)
    return "; ".join(faults)


def _prefix_faults(prefix: str, in_bytes: bool) -> list[str]:
    if not prefix:
        return [_EMPTY]
    faults = [_too_long(MAX_PREFIX, in_bytes)] if len(prefix.encode()) > MAX_PREFIX else []
    return faults if _IS_SUBDOMAIN.fullmatch(prefix) else [*faults, _SUBDOMAIN_RULE]


def _too_long(most: int, in_bytes: bool) -> str:
    return f"must be no more than {most} {'bytes' if in_bytes else 'characters'}"


# What can be wrong with a selector, in the words of Kubernetes.
#
# Upstream: ``NewRequirement`` of k8s.io/apimachinery, package ``labels``, and package ``nodeaffinity`` of
# k8s.io/component-helpers, both v0.34.1.

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_INT64: Final = range(-(2**63), 2**63)
# More digits than any int64 has; what is longer is only one by leading zeros, and no label is that long.
_MAX_DIGITS: Final = 64


class SelectorFault(NamedTuple):
    """What is wrong with one field of a selector.

    ``kubernetes`` is how Kubernetes words it to the letter, the field included: its validation, or, of a value of
    another type than the field, what Go says where it decodes the selector. ``in_bytes`` are the words from 1.35 on,
    where they are others.
    """

    path: str
    kubernetes: str
    in_bytes: str = ""

    def said(self, *, in_bytes: bool) -> str:
        """The words of Kubernetes; ``in_bytes``: those from 1.35 on."""
        return (in_bytes and self.in_bytes) or self.kubernetes

    def within(self, path: str) -> SelectorFault:
        """The same of a selector that a field holds."""
        return self._replace(path=joined(path, self.path))


class SelectorError(ValueError):
    """A selector that Kubernetes would not accept; ``faults`` has at least one."""

    def __init__(self, *faults: SelectorFault) -> None:
        super().__init__(*faults)
        self.faults = faults

    @property
    def kubernetes(self) -> str:
        """The error as Kubernetes words it until 1.34."""
        return self.said(in_bytes=False)

    def said(self, *, in_bytes: bool) -> str:
        """The error as the scheduler has it in its texts; ``in_bytes``: from 1.35 on."""
        return as_one(fault.said(in_bytes=in_bytes) for fault in self.faults)


class Operator(StrEnum):
    """How a requirement relates a key to values."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GREATER_THAN = "Gt"
    LESS_THAN = "Lt"


LABEL_OPERATORS: Final = (Operator.IN, Operator.NOT_IN, Operator.EXISTS, Operator.DOES_NOT_EXIST)
NODE_OPERATORS: Final = tuple(Operator)
_FIELD_OPERATORS: Final = (Operator.IN, Operator.NOT_IN)


def label_problems(
    key: str, operator: str, values: tuple[str, ...], supported: tuple[Operator, ...], path: str = ""
) -> Iterable[SelectorFault]:
    """Yield what is wrong with a requirement on labels; an unknown operator hides the rest, as upstream."""
    if operator not in supported:
        words = not_supported(f"{path}.operator", operator, supported)
        if supported is LABEL_OPERATORS:
            words = f'"{operator}" is not a valid label selector operator'
        yield SelectorFault(joined(path, "operator"), words)
        return
    if fault := key_fault(key):
        where = joined(path, "key")
        later = key_fault(key, in_bytes=True)
        yield SelectorFault(where, invalid(where, key, fault), invalid(where, key, later))
    at = joined(path, "values")
    yield from _number_problems(operator, values, at)
    for position, value in enumerate(values):
        if fault := value_fault(value):
            where, later = f"{at}[{position}][{key}]", value_fault(value, in_bytes=True)
            yield SelectorFault(f"{at}[{position}]", invalid(where, value, fault), invalid(where, value, later))


def _number_problems(operator: str, values: tuple[str, ...], path: str) -> Iterable[SelectorFault]:
    """Yield what is wrong with how many values there are for an operator, and with those that it compares."""
    # A list that was left empty is not stored, so that upstream prints that there is none.
    given = values or None
    match operator:
        case Operator.IN | Operator.NOT_IN if not values:
            words = invalid(path, given, "for 'in', 'notin' operators, values set can't be empty")
            yield SelectorFault(path, words)
        case Operator.EXISTS | Operator.DOES_NOT_EXIST if values:
            words = invalid(path, given, "values set must be empty for exists and does not exist")
            yield SelectorFault(path, words)
        case Operator.GREATER_THAN | Operator.LESS_THAN:
            if len(values) != 1:
                words = invalid(path, given, "for 'Gt', 'Lt' operators, exactly one value is required")
                yield SelectorFault(path, words)
            for position, value in enumerate(values):
                if int64(value) is None:
                    where = f"{path}[{position}]"
                    words = invalid(where, value, "for 'Gt', 'Lt' operators, the value must be an integer")
                    yield SelectorFault(where, words)


def field_problems(operator: str, values: tuple[str, ...], path: str) -> Iterable[SelectorFault]:
    """Yield what is wrong with a requirement on the fields of a node: one value, equal or not."""
    if operator not in _FIELD_OPERATORS:
        words = not_supported(f"{path}.operator", operator, _FIELD_OPERATORS)
        yield SelectorFault(f"{path}.operator", words)
    elif len(values) != 1:
        words = invalid(f"{path}.values", values or None, "must have one element")
        yield SelectorFault(f"{path}.values", words)


def int64(text: str) -> int | None:
    """Return a decimal text as an int64, None if it is none."""
    if len(text) > _MAX_DIGITS or not _INTEGER.fullmatch(text):
        return None
    return number if (number := int(text)) in _INT64 else None


def joined(path: str, child: str) -> str:
    """A field of a field, either of which may be empty."""
    return f"{path}.{child}" if path and child else path or child


Labels = Mapping[str, str]


class Requirement(Struct, frozen=True, order=True):
    """One condition on the value of one key; ``values`` are sorted and distinct."""

    key: str
    operator: Operator
    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, key: str, operator: Operator, values: Iterable[str] = ()) -> Requirement:
        """Return the requirement in its canonical form; nothing is validated."""
        return cls(key, operator, tuple(sorted(set(values))))

    def matches_value(self, value: str | None) -> bool:
        """Whether an object whose value of the key is ``value`` (None: it has no such key) meets the requirement."""
        if value is None:
            return self.operator in (Operator.NOT_IN, Operator.DOES_NOT_EXIST)
        match self.operator:
            case Operator.IN:
                return value in self.values
            case Operator.NOT_IN:
                return value not in self.values
            case Operator.EXISTS:
                return True
            case Operator.DOES_NOT_EXIST:
                return False
            case Operator.GREATER_THAN | Operator.LESS_THAN:
                found = int64(value)
                bound = int64(self.values[0]) if len(self.values) == 1 else None
                if found is None or bound is None:
                    return False
                return found > bound if self.operator is Operator.GREATER_THAN else found < bound

    def matches(self, labels: Labels) -> bool:
        """Whether an object with these labels meets the requirement."""
        return self.matches_value(labels.get(self.key))


class LabelSelector(Struct, frozen=True):
    """A conjunction of requirements on labels; without any it matches everything.

    ``matches_nothing`` marks the selector of an absent field, which matches no object, whatever is added to it.
    """

    requirements: tuple[Requirement, ...] = ()
    matches_nothing: bool = False

    @classmethod
    def from_dict(cls, selector: Mapping[str, Any] | None, path: str = "") -> LabelSelector:
        """Return the selector of a metav1.LabelSelector: None matches nothing, ``{}`` everything.

        ``path`` is the field that holds it, for the messages. Raises SelectorError.
        """
        if selector is None:
            return NOTHING
        _expect(isinstance(selector, Mapping), path, selector, "v1.LabelSelector")
        labels_path = joined(path, "matchLabels")
        labels = selector.get("matchLabels")
        where = "LabelSelector.matchLabels"
        _expect(labels is None or isinstance(labels, Mapping), labels_path, labels, "map[string]string", where)
        pairs = tuple((key, _text(value, labels_path, where)) for key, value in labels.items()) if labels else ()
        expressions = _expressions(selector, "LabelSelector", "matchExpressions", path)
        try:
            return _label_selector(pairs, expressions)
        except SelectorError as error:
            raise SelectorError(*(fault.within(path) for fault in error.faults)) from None

    @property
    def matches_everything(self) -> bool:
        """Whether the selector restricts nothing (upstream: Empty)."""
        return not self.requirements and not self.matches_nothing

    def matches(self, labels: Labels) -> bool:
        """Whether an object with these labels is selected."""
        if self.matches_nothing:
            return False
        return all(requirement.matches_value(labels.get(requirement.key)) for requirement in self.requirements)

    def with_requirements(self, *requirements: Requirement) -> LabelSelector:
        """Return the selector that demands these too; one that matches nothing stays so."""
        if self.matches_nothing or not requirements:
            return self
        return _selector_of((*self.requirements, *requirements))

    def with_labels(self, labels: Labels) -> LabelSelector:
        """Return the selector that also demands every one of these pairs (matchLabelKeys)."""
        return self.with_requirements(*(Requirement(key, Operator.IN, (value,)) for key, value in labels.items()))


EVERYTHING: Final = LabelSelector()
NOTHING: Final = LabelSelector(matches_nothing=True)


class NodeSelectorTerm(Struct, frozen=True):
    """Expressions on labels and on fields of a node, all of which must hold; a term without any matches no node.

    ``errors`` say why Kubernetes could not parse the term; such a term matches no node.
    """

    expressions: tuple[Requirement, ...] = ()
    fields: tuple[Requirement, ...] = ()
    errors: tuple[SelectorFault, ...] = ()

    @classmethod
    def from_dict(cls, term: Mapping[str, Any] | None, path: str = "") -> NodeSelectorTerm:
        """Return the term with what is wrong with it in ``errors``; raises SelectorError if it is no term at all."""
        if term is None:
            return cls()
        _expect(isinstance(term, Mapping), path, term, "v1.NodeSelectorTerm")
        errors: list[SelectorFault] = []
        requirements: dict[str, list[Requirement]] = {"matchExpressions": [], "matchFields": []}
        for kind, found in requirements.items():
            list_path = joined(path, kind)
            for position, (key, operator, values) in enumerate(_expressions(term, "NodeSelectorTerm", kind, path)):
                where = f"{list_path}[{position}]"
                if kind == "matchFields":
                    problems = list(field_problems(operator, values, where))
                else:
                    problems = list(label_problems(key, operator, values, NODE_OPERATORS, where))
                errors += problems
                if not problems:
                    found.append(Requirement.of(key, Operator(operator), values))
        return cls(
            expressions=tuple(sorted(set(requirements["matchExpressions"]))),
            fields=tuple(sorted(set(requirements["matchFields"]))),
            errors=tuple(errors),
        )

    @property
    def is_empty(self) -> bool:
        """Whether the term says nothing, and therefore matches no node."""
        return not (self.expressions or self.fields or self.errors)

    def matches(self, labels: Labels, fields: Mapping[str, str]) -> bool:
        """Whether a node with these labels and fields (``metadata.name``) meets the term; an absent field is empty."""
        if self.errors or self.is_empty:
            return False
        return all(requirement.matches_value(labels.get(requirement.key)) for requirement in self.expressions) and all(
            requirement.matches_value(fields.get(requirement.key, "")) for requirement in self.fields
        )


class NodeSelector(Struct, frozen=True):
    """Terms of which one must match; ``terms[i]`` is ``nodeSelectorTerms[i]``, those that match nothing included."""

    terms: tuple[NodeSelectorTerm, ...] = ()

    @classmethod
    def from_dict(cls, selector: Mapping[str, Any] | None, path: str = "") -> NodeSelector:
        """Return the selector; a term that cannot be parsed matches no node and leaves the others as they are.

        This is upstream's lazy form. Where the strict one is meant, look at ``errors``. Raises SelectorError if it is
        no selector at all.
        """
        if selector is None:
            return cls()
        _expect(isinstance(selector, Mapping), path, selector, "v1.NodeSelector")
        terms_path = joined(path, "nodeSelectorTerms")
        terms = _listed(
            selector.get("nodeSelectorTerms"), terms_path, "v1.NodeSelectorTerm", "NodeSelector.nodeSelectorTerms"
        )
        return cls(tuple(NodeSelectorTerm.from_dict(term, f"{terms_path}[{i}]") for i, term in enumerate(terms)))

    @property
    def errors(self) -> tuple[SelectorFault, ...]:
        """Why terms could not be parsed, in the order of the terms."""
        return tuple(error for term in self.terms for error in term.errors)

    def matches(self, labels: Labels, fields: Mapping[str, str]) -> bool:
        """Whether a node with these labels and fields meets one of the terms."""
        return any(term.matches(labels, fields) for term in self.terms)


class NodePreference(Struct, frozen=True):
    """A preferred node selector term and what a node that meets it gains."""

    weight: int
    term: NodeSelectorTerm


def node_preferences(preferences: Sequence[Mapping[str, Any]] | None, path: str = "") -> tuple[NodePreference, ...]:
    """Return the preferences that can count: those of weight 0 and those with an empty term are left out, unparsed.

    Unlike a required selector, preferences are refused as a whole: raises SelectorError with every error of every term.
    """
    found: list[NodePreference] = []
    for position, preference in enumerate(_listed(preferences, path, "v1.PreferredSchedulingTerm")):
        where = f"{path}[{position}]"
        _expect(isinstance(preference, Mapping), where, preference, "v1.PreferredSchedulingTerm")
        weight = preference.get("weight") or 0
        _expect(type(weight) is int, f"{where}.weight", weight, "int32", "PreferredSchedulingTerm.weight")
        if weight and not (term := NodeSelectorTerm.from_dict(preference.get("preference"), where)).is_empty:
            found.append(NodePreference(weight, term))
    if errors := [error for preference in found for error in preference.term.errors]:
        raise SelectorError(*errors)
    return tuple(found)


_Expression = tuple[str, str, tuple[str, ...]]


@lru_cache(maxsize=1 << 14)
def _label_selector(pairs: tuple[tuple[str, str], ...], expressions: tuple[_Expression, ...]) -> LabelSelector:
    """Validate and build; cached, so that the selectors of a workload's thousand pods are one object."""
    requirements = []
    for key, value in pairs:
        if faults := list(label_problems(key, Operator.IN, (value,), LABEL_OPERATORS)):
            told = SelectorError(*faults)
            raise SelectorError(SelectorFault(f"matchLabels[{key}]", told.kubernetes, told.said(in_bytes=True)))
        requirements.append(Requirement(key, Operator.IN, (value,)))
    for position, (key, operator, values) in enumerate(expressions):
        if faults := list(label_problems(key, operator, values, LABEL_OPERATORS)):
            raise SelectorError(*(fault.within(f"matchExpressions[{position}]") for fault in faults))
        requirements.append(Requirement.of(key, Operator(operator), values))
    return _selector_of(requirements)


def _selector_of(requirements: Iterable[Requirement]) -> LabelSelector:
    """Return the selector of these requirements in canonical order."""
    return LabelSelector(tuple(sorted(set(requirements))))


def _expressions(holder: Mapping[str, Any], struct: str, field: str, path: str) -> tuple[_Expression, ...]:
    """Return a list of label or node selector requirements as tuples (key, operator, values).

    ``struct`` is upstream's type of what holds the list. As in Go, null is an empty value of whatever belongs there.
    """
    requirement = "LabelSelectorRequirement" if struct == "LabelSelector" else "NodeSelectorRequirement"
    list_path, parsed = joined(path, field), []
    listed = _listed(holder.get(field), list_path, f"v1.{requirement}", f"{struct}.{field}")
    for position, found in enumerate(listed):
        where, at = f"{list_path}[{position}]", f"{requirement}.{field}"
        expression = {} if found is None else found
        _expect(isinstance(expression, Mapping), where, expression, f"v1.{requirement}", f"{struct}.{field}")
        key = _text(expression.get("key"), f"{where}.key", f"{at}.key")
        kind = "v1.LabelSelectorOperator" if struct == "LabelSelector" else "v1.NodeSelectorOperator"
        operator = _text(expression.get("operator"), f"{where}.operator", f"{at}.operator", kind)
        values = _listed(expression.get("values"), f"{where}.values", "string", f"{at}.values")
        parsed.append((key, operator, tuple(_text(value, f"{where}.values", f"{at}.values") for value in values)))
    return tuple(parsed)


def _listed(items: Any, path: str, kind: str, field: str = "") -> Sequence[Any]:
    """Return a list field of items of upstream's type ``kind``; an absent one is empty."""
    if items is None:
        return ()
    _expect(isinstance(items, list | tuple), path, items, f"[]{kind}", field)
    listed: Sequence[Any] = items
    return listed


def _text(found: Any, path: str, field: str, kind: str = "string") -> str:
    """Return a text field; an absent one is empty."""
    if found is None:
        return ""
    _expect(isinstance(found, str), path, found, kind, field)
    text: str = found
    return text


def _expect(holds: bool, path: str, found: object, kind: str, field: str = "") -> None:
    if not holds:
        raise SelectorError(SelectorFault(path, undecodable(found, kind, field)))

"""Label selectors and node selectors as frozen values that are cheap to compare, to share and to evaluate.

Rules: LabelSelectorAsSelector and package ``labels`` of k8s.io/apimachinery, package ``nodeaffinity`` of
k8s.io/component-helpers, both v0.34.1. Every selector is a conjunction of requirements, each about one key, so that a
snapshot can ask a requirement once per distinct value of its key (``Requirement.matches_value``) instead of once per
object. Requirements are kept in a canonical order without repetitions: selectors that say the same are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from clusters.engine.matching.selector_errors import key_fault, undecodable, value_fault
from clusters.engine.matching.selector_problems import (
    LABEL_OPERATORS,
    NODE_OPERATORS,
    Operator,
    SelectorError,
    SelectorFault,
    field_problems,
    int64,
    joined,
    label_problems,
)

Labels = Mapping[str, str]

__all__ = [
    "EVERYTHING",
    "NOTHING",
    "LabelSelector",
    "Labels",
    "NodePreference",
    "NodeSelector",
    "NodeSelectorTerm",
    "Operator",
    "Requirement",
    "SelectorError",
    "SelectorFault",
    "key_fault",
    "node_preferences",
    "value_fault",
]


@dataclass(frozen=True, slots=True, order=True)
class Requirement:
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
                return self._compares(value)

    def matches(self, labels: Labels) -> bool:
        """Whether an object with these labels meets the requirement."""
        return self.matches_value(labels.get(self.key))

    def _compares(self, value: str) -> bool:
        """Compare as int64; a value that is none of those never matches."""
        found = int64(value)
        bound = int64(self.values[0]) if len(self.values) == 1 else None
        if found is None or bound is None:
            return False
        return found > bound if self.operator is Operator.GREATER_THAN else found < bound


@dataclass(frozen=True, slots=True)
class LabelSelector:
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


@dataclass(frozen=True, slots=True)
class NodeSelectorTerm:
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


@dataclass(frozen=True, slots=True)
class NodeSelector:
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


@dataclass(frozen=True, slots=True)
class NodePreference:
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

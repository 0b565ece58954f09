"""What if, in words: the sentence that says what a change makes of a pod, and the changes and additions themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from clusters.engine.conclusion import Conclusion
from clusters.engine.evidence import resource_unit
from clusters.engine.relaxing.edits import entry_of
from clusters.engine.resources.quantity import QuantityError, milli_value, value
from clusters.wording import attempts
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses
from dashboard.presenters import wording
from dashboard.presenters.decisions.evidence import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.engine.admission import Admission
    from clusters.engine.relaxing.edits import Edit

_CHANGES = {
    "double-requests": "Twice the requests",
    "halve-requests": "Half the requests",
    "no-gates": "Without its scheduling gates",
    "no-host-ports": "Without its host ports",
    "no-node-affinity": "Without required node affinity",
    "no-node-name": "Without the name of a node",
    "no-node-selector": "Without its node selector",
    "no-pod-affinity": "Without required pod affinity",
    "no-pod-anti-affinity": "Without required pod anti-affinity",
    "no-spread": "Without its spread constraints",
    "tolerate-everything": "Tolerating every taint",
}


# What is named by a digest of its content.
_ENTRIES = {
    "no-node-requirement": "a requirement of node affinity",
    "no-pod-affinity": "a term of pod affinity",
    "no-pod-anti-affinity": "a term of pod anti-affinity",
    "no-spread": "a spread constraint",
}


@dataclass(frozen=True, slots=True)
class AdditionView:
    """One thing that admission would add: what, where, by what, and from where."""

    field: str
    value: str
    by: str
    source: str


def headline(left: Explanation, right: Explanation) -> str:
    """Say first what a change makes of a pod: on how many nodes it fits instead, and where it would go."""
    if not right.node_count:
        return "The cluster has no nodes here, so that no change makes a difference."
    gates = "" if right.gates.ok else " It still waits for its scheduling gates."
    if right.error is not None:
        fails = attempts.error_clause(right.error)
        return f"With this change {fails}, which ends the attempt: no node is taken.{gates}"
    if not right.fits:
        return f"{_fits_nowhere(left, right)}{gates}"
    many, fewer = len(right.cycle.feasible), len(left.cycle.feasible)
    fits = f"With this change the pod fits on {counted(many, 'node', 'nodes')}"
    if right.conclusion is Conclusion.UNCERTAIN:
        why = uncertainty_clauses(right.uncertainties)
        nodes = counted(many, "node", "nodes")
        fits = f"Uncertain: {why}. With this change the pod passes all that is computed on {nodes}"
    instead = " as before" if many == fewer else f" instead of {grouped(fewer) if fewer else 'none'}"
    if many == fewer and set(left.feasible) != set(right.feasible):
        instead = ", as many as before but not the same"
    return f"{fits}{instead}; {_destination(left, right)}.{gates}"


def _fits_nowhere(left: Explanation, right: Explanation) -> str:
    removed = right.preemption.selected if right.preemption is not None else None
    if removed is not None:
        victims = counted(len(removed.victims), "pod", "pods")
        return (
            f"With this change the pod fits on no node as things are{_instead_of(left)}, but would fit by preemption: "
            f"removing {victims} from {removed.node} makes room."
        )
    if left.fits:
        return f"With this change the pod fits on no node{_instead_of(left)}."
    had = left.preemption is not None and left.preemption.selected is not None
    return f"With this change the pod still fits on no node{', and preemption would no longer help' if had else ''}."


def _instead_of(left: Explanation) -> str:
    fitting = len(left.cycle.feasible)
    return f" instead of {counted(fitting, 'node', 'nodes')}" if fitting else ""


def _destination(left: Explanation, right: Explanation) -> str:
    was = left.choices
    if len(right.choices) == 1:
        node = right.choices[0]
        if was == [node]:
            return f"it would go to {node} all the same"
        return f"it would go to {node}" + (f" instead of {was[0]}" if len(was) == 1 else "")
    tied = f"it would go to one of {grouped(len(right.choices))} nodes with the same points, such as {right.choices[0]}"
    return f"{tied}, instead of {was[0]}" if len(was) == 1 else tied


def change(found: Edit, document: dict[str, Any]) -> str:
    """Name a change of a document as a button does."""
    entry = entry_of(document, found)
    match found.kind:
        case "ask":
            return f"Asking for {_asked(found.about)}"
        case "no-host-port":
            return f"Without the host port {found.about}"
        case "no-node-requirement" if entry is not None:
            return f"Without the node affinity {_requirement(entry)}"
        case "no-pod-affinity" | "no-pod-anti-affinity" if entry is not None:
            return f"{_CHANGES[found.kind]} to {_meant(entry)} per {entry.get('topologyKey', '')}"
        case "no-selector":
            return f"Without the node selector {found.about}"
        case "no-spread" if entry is not None:
            return f"Without the spread constraint {entry.get('topologyKey', '')} maxSkew {entry.get('maxSkew', '')}"
        case "priority":
            return f"With the priority class {found.about}"
        case "tolerate":
            return f"Tolerating {found.about}"
        case kind if kind in _ENTRIES and found.about:
            return f"Without {_ENTRIES[kind]} ({found.about}), which the pod does not have"
        case kind:
            return _CHANGES[kind]


def _requirement(entry: dict[str, Any]) -> str:
    values = entry.get("values")
    listed = ", ".join(map(str, values)) if isinstance(values, list) else ""
    return f"{entry.get('key', '')} {entry.get('operator', '')} {listed}".strip()


def _meant(term: dict[str, Any]) -> str:
    """Say which pods an affinity term means."""
    selector = term.get("labelSelector")
    if not isinstance(selector, dict):
        return "no pods"
    labels, expressions = selector.get("matchLabels"), selector.get("matchExpressions")
    parts = [f"{key}={value}" for key, value in (labels.items() if isinstance(labels, dict) else ())]
    parts += [
        _requirement(each) for each in (expressions if isinstance(expressions, list) else ()) if isinstance(each, dict)
    ]
    return " and ".join(parts) or "any pods"


def together(changes: Sequence[Edit], document: dict[str, Any]) -> str:
    """Name several changes that are made at once."""
    first, *others = (change(each, document) for each in changes)
    return " and ".join([first, *(f"{text[:1].lower()}{text[1:]}" for text in others)])


def _asked(about: str) -> str:
    resource, _, wanted = about.partition("=")
    try:
        number = milli_value(wanted) if resource == "cpu" else value(wanted)
    except QuantityError:
        return about
    of_what = "" if resource == "cpu" else f" of {wording.resource_name(resource)}"
    return f"{amount(number, resource_unit(resource))}{of_what}"


def additions(admission: Admission) -> list[AdditionView]:
    """Present what admission would add, in its order."""
    return [
        AdditionView(each.field, "left out" if each.value is None else _flow(each.value), each.by, each.source)
        for each in admission.additions
    ]


def refusals(admission: Admission) -> list[str]:
    """Say why the API server would not take the pod."""
    return [f"{each.field}: {each.problem} {each.remedy} ({each.by})" for each in admission.refusals]


def _flow(found: Any) -> str:
    """Write a value as YAML in one line."""
    text = yaml.safe_dump(found, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("...").strip()

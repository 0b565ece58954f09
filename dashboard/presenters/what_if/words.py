"""What if, in words: the sentence that says what a change makes of a pod, and what admission adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from clusters.engine.conclusion import Conclusion
from clusters.wording import attempts
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.admission import Admission


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

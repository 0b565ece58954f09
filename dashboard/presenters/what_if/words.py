"""What if, in words: the sentence that says what a change makes of a pod, and what admission adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from clusters.engine.admission import Admission


@dataclass(frozen=True, slots=True)
class AdditionView:
    """One thing that admission would add: what, where, by what, and from where."""

    field: str
    value: str
    by: str
    source: str


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

"""What if, in words: the sentence that says what a change makes of a pod, and what admission adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from clusters.engine.admission import update_refusals
from clusters.engine.objects import labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.wording import admission as admission_words
from clusters.wording.decisions import what_if as texts
from clusters.wording.problems import problem_sentence, remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.admission import Admission
    from clusters.engine.objects import Document
    from clusters.services.decisions.what_if import Fault


@dataclass(frozen=True, slots=True)
class AdditionView:
    """One thing that admission would add: what, where, by what, and from where."""

    field: str
    value: str
    by: str
    source: str


class PodUpdateView(NamedTuple):
    """Whether the pod that exists may be changed so: a sentence, and what the API server has against it."""

    kind: str
    title: str
    items: tuple[str, ...]


class FaultView(NamedTuple):
    """What is wrong with a text, in words; the line is 0 where none is to blame."""

    line: int
    field: str
    problem: str
    remedy: str


def faults(found: Iterable[Fault]) -> list[FaultView]:
    """Present what is wrong with a text."""
    return [
        FaultView(each.line, each.field, problem_sentence(each.problem), remedy_sentence(each.problem))
        for each in found
    ]


def additions(admission: Admission) -> list[AdditionView]:
    """Present what admission would add, in its order."""
    return [
        AdditionView(
            each.field,
            str(admission_words.LEFT_OUT) if each.value is None else _flow(each.value),
            each.by,
            admission_words.source(each.source) if each.source else "",
        )
        for each in admission.additions
    ]


def refusals(admission: Admission) -> list[str]:
    """Say why the API server would not take the pod."""
    return [admission_words.refusal(each) for each in admission.refusals]


def update(old: Document, new: Document) -> PodUpdateView:
    """Say whether the API server would change the pod that exists, or what has to be changed instead."""
    found = list(update_refusals(old, new))
    if not found:
        has_node = bool((old.get("spec") or {}).get("nodeName"))
        return PodUpdateView("info", str(texts.UPDATE_OF_A_PLACED_POD if has_node else texts.UPDATE_TAKEN), ())
    controller = Controller.of(old)
    template_hash = labels_of(old).get(TEMPLATE_HASH, "")
    workload = Workload.of(namespace_of(old), controller, template_hash)
    is_made = controller is not None and controller.kind != "Node"
    said = texts.update_refused(f"{workload.kind}/{workload.name}") if is_made else str(texts.UPDATE_REFUSED)
    items = [texts.REFUSED_FIELD(field=field, message=problem_sentence(problem)) for field, problem in found]
    return PodUpdateView("info", said, tuple(items))


def _flow(found: Any) -> str:
    """Write a value as YAML in one line."""
    text = yaml.safe_dump(found, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("...").strip()

"""Two simulations side by side: what was asked differently, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.services.runs.results import pending_after
from clusters.wording.runs import compare as words
from clusters.wording.runs import provenance
from dashboard.presenters.runs.before_after import BeforeAfter, compared
from dashboard.presenters.runs.changes import base_sentence, change_sentence, scheduler_sentence
from dashboard.presenters.runs.listing import headline, kubernetes_of
from dashboard.presenters.runs.summary import more_causes, pending_by_cause, uncertain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import SimulationRun
    from dashboard.presenters.runs.summary import MoreCauses, PendingGroup, Uncertain

    Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SpecDifference:
    """One thing that was asked differently: what it is, and what each side has; empty where a side lacks it."""

    what: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two."""

    run: SimulationRun
    headline: str
    pending: list[PendingGroup]
    more_causes: MoreCauses
    uncertain: list[Uncertain]


def side(run: SimulationRun) -> ComparedRun:
    """Present one of the two runs, which is done."""
    summary = run.summary or {}
    return ComparedRun(run, headline(summary), pending_by_cause(summary), more_causes(summary), uncertain(summary))


def spec_differences(left: SimulationRun, right: SimulationRun) -> list[SpecDifference]:
    """Say what was asked differently."""
    found = []
    for what, one, other in (
        (words.BEGINS_WITH, _base(left), _base(right)),
        (provenance.SCHEDULER, scheduler_sentence(left.spec), scheduler_sentence(right.spec)),
        (provenance.KUBERNETES, kubernetes_of(left.spec), kubernetes_of(right.spec)),
        (provenance.SEED, str(left.spec.get("seed", 0)), str(right.spec.get("seed", 0))),
    ):
        if one != other:
            found.append(SpecDifference(str(what), one, other))
    mine, theirs = ([change_sentence(each) for each in run.spec.get("changes", [])] for run in (left, right))
    found += [SpecDifference(str(words.CHANGE), change, "") for change in mine if change not in theirs]
    found += [SpecDifference(str(words.CHANGE), "", change) for change in theirs if change not in mine]
    if left.spec.get("configuration") != right.spec.get("configuration"):
        found += _configurations(left.spec.get("configuration"), right.spec.get("configuration"))
    return found


def _base(run: SimulationRun) -> str:
    return base_sentence(run.spec, run.cluster.name if run.cluster else "", run.base.revision if run.base else None)


def _configurations(left: Document | None, right: Document | None) -> list[SpecDifference]:
    """Name the leaves in which two configurations differ, in the order of the left one."""
    mine, theirs = dict(_leaves(left, "")), dict(_leaves(right, ""))
    paths = [path for path in dict.fromkeys((*mine, *theirs)) if mine.get(path) != theirs.get(path)]
    default = str(words.THE_DEFAULT)
    return [
        SpecDifference(words.CONFIGURATION_FIELD(path=path), mine.get(path, default), theirs.get(path, default))
        for path in paths[:20]
    ]


def _leaves(value: Any, path: str) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [leaf for key, each in value.items() for leaf in _leaves(each, f"{path}.{key}".lstrip("."))]
    if isinstance(value, list):
        return [leaf for key, each in enumerate(value) for leaf in _leaves(each, f"{path}[{_key(each, key)}]")]
    return [] if value is None else [(path, str(value))]


def _key(value: Any, number: int) -> str:
    """Name an entry of a list by its name, where it has one."""
    return str(value.get("name") or number) if isinstance(value, dict) else str(number)


def numbers(left: SimulationRun, right: SimulationRun) -> list[BeforeAfter]:
    """Compare the clusters that both leave behind."""
    one, other = left.summary or {}, right.summary or {}
    pending = (pending_after(each["origins"]) for each in (one, other))
    return compared(one["after"], other["after"], *pending)


def sentence(left: SimulationRun, right: SimulationRun, names: tuple[str, str] | None = None) -> str:
    """Say after which of the two more pods are newly pending; ``names``: what they are called where not by title."""
    one, other = (pending_after((run.summary or {})["origins"]).newly for run in (left, right))
    first, second = names or (left.title, right.title)
    if one == other:
        return words.newly_pending_alike(one)
    if first == second:
        if one < other:
            return words.RIGHT_MORE_NEWLY_PENDING(right=other, left=one)
        return words.LEFT_MORE_NEWLY_PENDING(left=one, right=other)
    more, less = (second, first) if other > one else (first, second)
    return words.MORE_NEWLY_PENDING(more=more, most=max(one, other), less=less, least=min(one, other))

"""Simulations in words: how far one is, what it was asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.problems import in_words
from clusters.engine.versions import release_with
from clusters.models import SimulationRun
from clusters.services.runs.results import pending_after, placed_of
from clusters.wording.blocked_drains import kept_sentence
from clusters.wording.feature_gates import version_with_gates
from clusters.wording.runs import progress as words
from clusters.wording.runs.outcome import origin_sentences
from dashboard.presenters.runs.changes import asked, base_sentence, change_sentence, scheduler_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

State = SimulationRun.State

_BADGES = {State.QUEUED: "", State.RUNNING: "info", State.DONE: "good", State.CANCELLED: "warn", State.FAILED: "bad"}


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in a list; ``percent`` is None where nobody can tell how far it is."""

    pk: int
    title: str
    cluster: str
    badge: tuple[str, str]
    asked: str
    result: str
    seed: str
    by: str
    at: datetime
    percent: int | None
    is_over: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How a run is doing; ``problem`` and ``remedy`` of one that failed, ``field`` where its order is what is wrong."""

    badge: tuple[str, str]
    sentence: str
    percent: int | None
    is_over: bool
    is_running: bool
    field: str
    problem: str
    remedy: str


def run_row(run: SimulationRun, spec: Mapping[str, Any]) -> RunRow:
    """Present a run in a list; its cluster and who ordered it must have been fetched with it.

    ``spec``: what it was asked; of one that is too long for a list the seed alone.
    """
    view = progress(run, run.summary if run.state == State.DONE else None)
    return RunRow(
        pk=run.pk,
        title=run.title,
        cluster=run.cluster.name if run.cluster else "",
        badge=view.badge,
        asked=asked(spec) if "changes" in spec else "",
        result=view.sentence,
        seed=str(spec.get("seed", 0)),
        by=by(run),
        at=run.created_at,
        percent=None if view.is_over else view.percent,
        is_over=view.is_over,
    )


def by(run: SimulationRun) -> str:
    """Name who ordered a run."""
    return run.created_by.get_username() if run.created_by else str(words.DELETED_USER)


def progress(run: SimulationRun, counts: Mapping[str, Any] | None = None) -> Progress:
    """Say how far a run is; of one that is done ``counts`` say what came of it."""
    state = State(run.state)
    error = in_words(run.error) if run.error else {}
    percent = min(100, 100 * run.pods_done // run.pods_total) if run.pods_total else None
    return Progress(
        badge=(str(words.STATES[state]), _BADGES[state]),
        sentence=headline(counts) if counts else _sentence(run, state),
        percent=percent,
        is_over=run.is_finished,
        is_running=not run.is_finished,
        field=str(error.get("field", "")),
        problem=str(error.get("problem", "")),
        remedy=str(error.get("remedy", "")),
    )


def _sentence(run: SimulationRun, state: State) -> str:
    match state:
        case State.QUEUED:
            return str(words.WAITS_FOR_WORKER)
        case State.RUNNING if run.is_stop_wanted:
            return str(words.BEING_CANCELLED)
        case State.RUNNING if run.pods_total:
            return words.DECIDED(done=run.pods_done, total=run.pods_total, steps=run.steps)
        case State.RUNNING:
            return str(words.BEGINS)
        case State.CANCELLED if run.pods_total:
            return words.CANCELLED_AFTER(done=run.pods_done, total=run.pods_total)
        case State.CANCELLED:
            return str(words.CANCELLED_BEFORE)
        case State.FAILED:
            return str(words.IT_FAILED)
        case _:
            return str(words.IT_IS_DONE)


def headline(summary: Mapping[str, Any]) -> str:
    """Say what came of a run: how many of the pods that are to run were placed, and what it cost."""
    pods, steps, pending = summary["pods"], summary["steps"], pending_after(summary["origins"])
    placed, uncertain, wanted = placed_of(summary)
    first = words.PLACED(placed=placed, wanted=wanted) if wanted else str(words.NOTHING_WANTED)
    numbers = {
        "uncertain": uncertain,
        "newly": pending.newly,
        "before": pending.before,
        **{name: pods[name] for name in ("forbidden", "not-computed")},
        **{name: steps[name] for name in ("preempted", "evicted", "deleted", "refused", "held")},
    }
    told = ", ".join(words.COUNTS[name](number=number) for name, number in numbers.items() if number)
    return words.HAPPENED(first=first, counts=told) if told else first


def answer(summary: Mapping[str, Any], *, with_sum: bool = True) -> str:
    """Say how it went for the pods asked for and for the others, and which drains stopped; empty without any.

    ``with_sum``: say how many pods are newly pending in all, too.
    """
    return " ".join(filter(None, (*origin_sentences(summary["origins"], with_sum=with_sum), kept_sentence(summary))))


def provenance(run: SimulationRun) -> list[tuple[str, str]]:
    """Return what a run was made from, as pairs of term and value."""
    spec = run.spec
    revision = run.base.revision if run.base else None
    return [
        (str(words.BEGAN_WITH), base_sentence(spec, run.cluster.name if run.cluster else "", revision)),
        (str(words.SCHEDULER), scheduler_sentence(spec)),
        (str(words.CONFIGURATION), _configuration(spec.get("configuration"))),
        (str(words.KUBERNETES), kubernetes_of(spec)),
        (str(words.SEED), str(spec.get("seed", 0))),
        (str(words.ORDERED_BY), by(run)),
    ]


def kubernetes_of(spec: Mapping[str, Any]) -> str:
    """Name the minor whose scheduler a run has, with the feature gates that differ from its defaults."""
    release = release_with(spec.get("kubernetes") or "", spec.get("featureGates") or {})
    return version_with_gates(release=release.minor, changed=release.changed_gates)


def _configuration(configuration: Mapping[str, Any] | None) -> str:
    if configuration is None:
        return str(words.DEFAULT_CONFIGURATION)
    names = [str(each.get("schedulerName", "default-scheduler")) for each in configuration.get("profiles") or [{}]]
    return words.OWN_CONFIGURATION(profiles=", ".join(names), number=len(names))


def changes(run: SimulationRun) -> list[str]:
    """Return a run's changes in words."""
    return [change_sentence(each) for each in run.spec.get("changes", [])]

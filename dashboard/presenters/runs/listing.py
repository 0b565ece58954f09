"""Simulations in words: how far one is, what it was asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.models import SimulationRun
from clusters.services.runs.drains import kept_sentence
from clusters.services.runs.question import pending_after, placed_of, sentences
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.runs.changes import asked, base_sentence, change_sentence, scheduler_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

State = SimulationRun.State

_BADGES = {
    State.QUEUED: ("Waits", ""),
    State.RUNNING: ("Runs", "info"),
    State.DONE: ("Done", "good"),
    State.CANCELLED: ("Cancelled", "warn"),
    State.FAILED: ("Failed", "bad"),
}


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


def run_row(run: SimulationRun, counts: Mapping[str, Any], spec: Mapping[str, Any]) -> RunRow:
    """Present a run in a list; its cluster and who ordered it must have been fetched with it.

    ``counts``: its summary's pods and steps; the values are None before it is done. ``spec``: what it was asked; of one
    that is too long for a list the seed alone.
    """
    is_done = run.state == State.DONE and counts["pods"] is not None
    view = progress(run, counts if is_done else None)
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
    return run.created_by.get_username() if run.created_by else "nobody who is still here"


def progress(run: SimulationRun, counts: Mapping[str, Any] | None = None) -> Progress:
    """Say how far a run is; of one that is done ``counts`` say what came of it."""
    state = State(run.state)
    error = run.error or {}
    percent = min(100, 100 * run.pods_done // run.pods_total) if run.pods_total else None
    return Progress(
        badge=_BADGES[state],
        sentence=headline(counts) if counts else _sentence(run, state),
        percent=percent,
        is_over=run.is_finished,
        is_running=not run.is_finished,
        field=str(error.get("field", "")),
        problem=str(error.get("problem", "")),
        remedy=str(error.get("remedy", "")),
    )


def _sentence(run: SimulationRun, state: State) -> str:
    pods = f"{grouped(run.pods_done)} of {counted(run.pods_total, 'pod', 'pods')}"
    match state:
        case State.QUEUED:
            return "It waits for a worker."
        case State.RUNNING if run.is_stop_wanted:
            return "It is being cancelled."
        case State.RUNNING if run.pods_total:
            return f"{pods} decided, in {counted(run.steps, 'step', 'steps')}."
        case State.RUNNING:
            return "The cluster is being made ready."
        case State.CANCELLED:
            return f"Cancelled after {pods}." if run.pods_total else "Cancelled before it began."
        case State.FAILED:
            return "It failed."
        case _:
            return "It is done."


def headline(summary: Mapping[str, Any]) -> str:
    """Say what came of a run: how many of the pods that are to run were placed, and what it cost."""
    pods, steps, pending = summary["pods"], summary["steps"], pending_after(summary["origins"])
    placed, uncertain, wanted = placed_of(summary)
    if not wanted:
        first = "No pod was to be placed."
    elif placed == wanted:
        first = f"All {counted(wanted, 'pod', 'pods')} placed." if wanted > 1 else "The pod is placed."
    else:
        certainly = " for certain" if uncertain else ""
        first = f"{grouped(placed)} of {counted(wanted, 'pod', 'pods')} placed{certainly}."
    parts = [
        f"{counted(number, one, many)} {rest}"
        for number, one, many, rest in (
            (uncertain, "pod", "pods", "uncertain"),
            (pending.newly, "pod", "pods", "newly pending"),
            (pending.before, "pod", "pods", "pending as before"),
            (pods.get("not-computed", 0), "pod", "pods", "could not be computed"),
            (steps["preempted"], "pod", "pods", "preempted"),
            (steps["evicted"], "pod", "pods", "evicted"),
            (steps["refused"], "eviction", "evictions", "refused by a budget"),
            (steps.get("held", 0), "pod", "pods", "not evicted without --force"),
        )
        if number
    ]
    return f"{first} {', '.join(parts)}." if parts else first


def answer(summary: Mapping[str, Any]) -> str:
    """Say how it went for the pods asked for and for the others, and which drains stopped; empty without any."""
    kept = kept_sentence(summary)
    return " ".join([*(f"{sentence}." for sentence in sentences(summary["origins"])), *([kept] if kept else [])])


def provenance(run: SimulationRun) -> list[tuple[str, str]]:
    """Return what a run was made from, as pairs of term and value."""
    spec = run.spec
    revision = run.base.revision if run.base else None
    configuration = spec.get("configuration")
    return [
        ("Began with", base_sentence(spec, run.cluster.name if run.cluster else "", revision)),
        ("Scheduler", scheduler_sentence(spec)),
        ("Configuration", "Kubernetes’ defaults" if configuration is None else _profiles(configuration)),
        ("Seed", str(spec.get("seed", 0))),
        ("Ordered by", by(run)),
    ]


def _profiles(configuration: Mapping[str, Any]) -> str:
    names = [str(each.get("schedulerName", "default-scheduler")) for each in configuration.get("profiles") or [{}]]
    return f"Its own, with {counted(len(names), 'profile', 'profiles')}: {', '.join(names)}"


def changes(run: SimulationRun) -> list[str]:
    """Return a run's changes in words."""
    return [change_sentence(each) for each in run.spec.get("changes", [])]

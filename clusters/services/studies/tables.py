"""The results of a study side by side, as rows for a page, a file or the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.models import SimulationRun, Study, StudyPart
from clusters.services.runs.results import pending_after, placed_of
from clusters.services.studies.asking import labelled_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

_DONE = SimulationRun.State.DONE.value
_OVER = (_DONE, SimulationRun.State.CANCELLED.value, SimulationRun.State.FAILED.value)


class StudyRow(NamedTuple):
    """One part of a study; ``figures`` is empty until it is done. ``run`` is the key of its run, if it is one."""

    label: str
    state: str
    run: int | None
    figures: dict[str, Any]
    error: dict[str, Any] | None


class Table(NamedTuple):
    """A study's parts in their order; ``done`` of them have an answer, ``over`` will not change any more."""

    rows: list[StudyRow]
    done: int
    over: int


def study_table(study: Study) -> Table:
    """Return what is known of a study by now."""
    if study.kind == Study.Kind.SWEEP:
        rows = [
            StudyRow(label, run.state, run.pk, {} if run.summary is None else sweep_figures(run.summary), run.error)
            for label, run in labelled_runs(study)
        ]
    else:
        rows = [
            StudyRow(part.label, part.state, None, part.result or {}, part.error)
            for part in StudyPart.objects.filter(study=study).order_by("number")
        ]
    states = [row.state for row in rows]
    return Table(rows, states.count(_DONE), sum(state in _OVER for state in states))


def sweep_figures(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return what one compares of runs under different configurations, of a run's summary.

    ``requested``: of what is allocatable, by resource. ``fits``: how many more of the first reference shape
    fit; without ``fits_is_whole`` at least as many.
    """
    pods, steps, placed = summary["pods"], summary["steps"], placed_of(summary)
    after = summary["after"]
    cluster, spread, budgets = after["cluster"], after["spread"], after["budgets"]
    shape = next(iter(cluster["fragmentation"]), None)
    return {
        "wanted": pods["wanted"],
        "placed": placed.certain,
        "uncertain": placed.uncertain,
        "newly_pending": pending_after(summary["origins"]).newly,
        "preempted": steps["preempted"],
        "evicted": steps["evicted"],
        "refused": steps["refused"],
        "nodes_in_use": cluster["nodes"] - cluster["empty"],
        "nodes_empty": cluster["empty"],
        "requested": {
            resource: amount["requested"] / amount["allocatable"]
            for resource, amount in cluster["amounts"].items()
            if amount["allocatable"]
        },
        "fullest": cluster["fullest"][0]["share"] if cluster["fullest"] else 0.0,
        "emptiest": cluster["emptiest"][0]["share"] if cluster["emptiest"] else 0.0,
        "fits": None if shape is None else shape["pods"],
        "fits_is_whole": shape is None or shape.get("is_whole", True),
        "violated": spread["hard_violated"] + spread["soft_violated"],
        "widest_skew": spread["widest"],
        "budgets_blocked": len(budgets["blocked"]),
    }

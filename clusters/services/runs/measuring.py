"""A cluster in numbers, as the summary of a run has it before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from clusters.engine.simulation.affected import running_pods
from clusters.engine.simulation.fragmentation import fragmentation_of, reference_shapes
from clusters.engine.simulation.measures import budget_measures, measures_of, spread_measures
from clusters.services.runs.cases import prepared_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import SchedulerConfiguration, Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.simulation.affected import RunningPods
    from clusters.services.runs.spec import Spec


class MeasuredBase(NamedTuple):
    """What a run begins with, before anything is changed: in numbers, and the pods that run."""

    measures: dict[str, Any]
    running: RunningPods


def measured(snapshot: Snapshot, waiting: Sequence[Document], configuration: SchedulerConfiguration) -> dict[str, Any]:
    """Measure a cluster and the pending pods beside it, in plain values."""
    shapes = reference_shapes(snapshot, waiting)
    found = {
        "cluster": measures_of(snapshot, waiting),
        "spread": spread_measures(snapshot, configuration.profiles, waiting),
        "budgets": budget_measures(snapshot, waiting),
    }
    # Tuples and dataclasses become what JSON has.
    plain: dict[str, Any] = orjson.loads(orjson.dumps(found))
    plain["cluster"]["fragmentation"] = orjson.loads(orjson.dumps(fragmentation_of(snapshot, configuration, shapes)))
    return plain


def measured_base(objects: Sequence[Document], spec: Spec) -> MeasuredBase | None:
    """Measure what a run begins with, before anything is changed; None where nothing is. Raises SpecError.

    The cluster is built for that alone, and forgotten: ask before the run's own is built.
    """
    if not spec.changes:
        return None
    case = prepared_on(objects, replace(spec, changes=())).case
    wanted = [each.pod for each in case.wanted]
    return MeasuredBase(measured(case.snapshot, wanted, case.configuration), running_pods(case.snapshot, wanted))

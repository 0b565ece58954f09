"""Where more pods of a workload would go: copies of its newest pod, placed one after another on a copy of the state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from clusters.engine import explain
from clusters.engine.objects import Pod, namespace_of
from clusters.engine.placement import place, place_on
from clusters.engine.simulation.admission import PodAdmission
from clusters.engine.simulation.ranking import ordinal_in
from clusters.engine.spreading.constraints import ZONE
from clusters.engine.spreading.skew import Skew, skews_of
from clusters.engine.uncertainty import uncertainties
from clusters.engine.workloads.ordinals import Ordinals
from clusters.engine.workloads.pod_copies import PodCopy, copy_of
from clusters.services.evaluation.questions import Question
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.quotas import quotas_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation, SchedulerConfiguration, Snapshot
    from clusters.engine.admission.creation import CreationRefusal
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.objects import Document
    from clusters.engine.workloads.pod_template import Workload
    from clusters.models import Cluster
    from clusters.services.evaluation.store import Evaluation
    from clusters.services.workloads.state import ClusterWorkloads

MOST_PODS = 500


@dataclass(frozen=True, slots=True)
class Landing:
    """Where one more pod goes. ``feasible``: nodes that would take it.

    ``plugin`` is what the node has most of over the next best one, ``points`` how much; empty where no other node
    would take the pod (``feasible`` 1) or all that would are as good. ``node`` is empty where the pod does not fit.
    """

    node: str
    zone: str
    feasible: int
    plugin: str
    points: int


_NOWHERE: Final = Landing("", "", 0, "", 0)
QUESTION: Final[Question[Landing]] = Question("growth")


class GrowthCounts(NamedTuple):
    """How many more pods fit, and whether those are all."""

    pods: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Growth:
    """``landings``: the pods that fit, in order. ``refused``: what stops the next one, None where none is.

    ``forbidden``: why the API server does not create the next one, None where it does. ``copy``: the first of them.
    ``is_cut``: a worker tries the others. ``before`` and ``after``: the skew of each of their constraints.
    ``uncertain``: what could reject each of them and is not computed. ``waits_for``: the pod that has to be Running
    and Ready before a StatefulSet with the policy OrderedReady creates the first of them; empty where none.
    ``earlier``: the last trial of all (GrowthCounts), while a worker is at a later one.
    """

    asked: int
    copy: PodCopy
    landings: tuple[Landing, ...]
    refused: Explanation | None
    forbidden: CreationRefusal | None
    is_cut: bool
    before: tuple[Skew, ...]
    after: tuple[Skew, ...]
    uncertain: tuple[Uncertainty, ...]
    waits_for: str = ""
    earlier: Evaluation | None = None

    @property
    def counts(self) -> GrowthCounts:
        """The sum of it."""
        return GrowthCounts(len(self.landings), self.refused is not None or self.forbidden is not None)


def growth_of(
    *,
    cluster: Cluster,
    found: ClusterWorkloads,
    workload: Workload,
    sample: Document,
    more: int,
) -> Growth:
    """Place ``more`` pods like ``sample``. Raises UnknownScheduler, SelectorError and ConfigurationError."""
    configuration = configuration_of(cluster)
    profile = configuration.profile_for(sample)
    snapshot = found.snapshot.copy()
    names = _names(found, workload)
    first = copy_of(snapshot, sample, next(names))
    before = skews_of(snapshot, first.pod, profile)
    landings: list[Landing] = []
    refused = forbidden = None
    admission = PodAdmission(snapshot, quotas_of(cluster=cluster, snapshot=snapshot, namespace=workload.namespace))
    copy = first
    subject = workload.kind, workload.namespace, workload.name
    with QUESTION.answered(cluster, *subject, snapshot=found.snapshot) as answers:
        while len(landings) < more:
            for claim in copy.claims:
                snapshot.upsert(claim)
            forbidden = admission.admit(copy.pod)
            if forbidden is not None:
                break
            key = b"%d" % len(landings)
            landing = answers.known.get(key)
            if landing is not None and landing.node:
                place_on(snapshot, copy.pod, profile, landing.node)
            else:
                landing = answers.of(key, partial(_placed, snapshot, copy.pod, configuration))
            if landing is None:
                break
            if not landing.node:
                refused = explain(snapshot, copy.pod, profile)
                break
            landings.append(landing)
            copy = copy_of(snapshot, sample, next(names))
    return Growth(
        asked=more,
        copy=first,
        landings=tuple(landings),
        refused=refused,
        forbidden=forbidden,
        is_cut=refused is None and forbidden is None and len(landings) < more,
        before=before,
        after=skews_of(snapshot, first.pod, profile),
        uncertain=uncertainties(snapshot, Pod(first.pod), profile, is_created=False),
        waits_for=_waits_for(found, workload),
        earlier=answers.earlier,
    )


def next_pod(found: ClusterWorkloads, workload: Workload, sample: Document) -> tuple[Snapshot, PodCopy]:
    """Return the pod that the workload's controller would make next, and the state with the claims made for it."""
    copy = copy_of(found.snapshot, sample, next(_names(found, workload)))
    if not copy.claims:
        return found.snapshot, copy
    snapshot = found.snapshot.copy()
    for claim in copy.claims:
        snapshot.upsert(claim)
    return snapshot, copy


def next_refusal(*, cluster: Cluster, snapshot: Snapshot, copy: PodCopy) -> CreationRefusal | None:
    """Return why the API server would not create a pod in a state now; None where it would."""
    return PodAdmission(
        snapshot, quotas_of(cluster=cluster, snapshot=snapshot, namespace=namespace_of(copy.pod))
    ).admit(copy.pod)


def _names(found: ClusterWorkloads, workload: Workload) -> Iterator[str]:
    """Yield names for pods to come: of a StatefulSet those of the next ordinals, missing ones first."""
    pods = found.snapshot.pods
    if workload.kind == "StatefulSet":
        for number in _ordinals(found, workload).free(_ready_ordinals(found, workload)):
            yield f"{workload.name}-{number}"
    number = 1
    while True:
        name = f"{workload.name}-more-{number}"
        if f"{workload.namespace}/{name}" not in pods.slot_of:
            yield name
        number += 1


def _ordinals(found: ClusterWorkloads, workload: Workload) -> Ordinals:
    return Ordinals.of(found.document(workload) or {})


def _ready_ordinals(found: ClusterWorkloads, workload: Workload) -> dict[int, bool]:
    """Return the ordinals that a StatefulSet's pods have, and whether each is ready."""
    pods = found.snapshot.pods
    given = [(pods.name(slot), bool(pods.ready[slot])) for slot in found.slots(workload).tolist()]
    given += [(pod.name, False) for pod in found.pending.get(workload, ())]
    numbered = ((ordinal_in(name), is_ready) for name, is_ready in given)
    return {ordinal: is_ready for ordinal, is_ready in numbered if ordinal >= 0}


def _waits_for(found: ClusterWorkloads, workload: Workload) -> str:
    """Return the pod that has to be ready before a StatefulSet creates another one; empty where none."""
    if workload.kind != "StatefulSet":
        return ""
    ready = _ready_ordinals(found, workload)
    number = _ordinals(found, workload).scaled(len(ready) + 1).step(ready).waits_for
    return "" if number is None else f"{workload.name}-{number}"


def _placed(snapshot: Snapshot, pod: Document, configuration: SchedulerConfiguration) -> Landing:
    """Place a pod, and return where; nowhere where it does not fit."""
    landing = _NOWHERE
    for placement in place(snapshot, [pod], configuration):
        if placement.node:
            landing = _landing(snapshot, placement.node, placement.explanation)
    return landing


def _landing(snapshot: Snapshot, node: str, explanation: Explanation) -> Landing:
    column, row = snapshot.nodes.label(ZONE), snapshot.nodes.index[node]
    zone = column.values[int(column.codes[row])] if column.present[row] else ""
    totals = explanation.cycle.totals
    worse = totals[totals < totals.max()] if len(totals) else totals
    plugin, points = "", 0
    if len(worse):
        rival = int(
            explanation.cycle.feasible[int(np.argmax(np.where(totals < totals.max(), totals, totals.min() - 1)))]
        )
        theirs = {cell.plugin: cell.weighted for cell in explanation.cells_of(rival)}
        ahead = {cell.plugin: cell.weighted - theirs[cell.plugin] for cell in explanation.cells_of(row)}
        plugin, points = max(ahead.items(), key=lambda entry: entry[1])
    return Landing(node, zone, len(explanation.cycle.feasible), plugin, points)

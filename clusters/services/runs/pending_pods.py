"""Why the pods that a run could not place are unschedulable: one explanation for pods that are alike, by cause."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.documents.causes import cause_document
from clusters.documents.values import constraint_document, value_document
from clusters.engine import UnknownScheduler, explain
from clusters.engine.analysis.causes import Cause, Kind, PendingFinding, failed, finding_of
from clusters.engine.failure import Failure
from clusters.engine.objects import key_of, labels_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.models.packed import packed
from clusters.services.decisions.alike import AlikePods
from clusters.services.decisions.failures import attempted
from clusters.services.journal.document import decision_document
from clusters.services.pending.pods import CauseGroup, WaitingPod, grouped_by_cause

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Profile, SchedulerConfiguration, Snapshot
    from clusters.engine.objects import Document

# Of so many kinds of pods the explanation is kept; of those beyond only their causes.
_MOST_KEPT: Final = 500
_EXAMPLES: Final = 5


class PendingRunPod(NamedTuple):
    """A pod without a node at the end: what the scheduler said at its last attempt, and whether it is still there.

    ``failed`` is the reference in the log of an attempt that could not be computed, else empty.
    """

    document: Document | None
    message: str
    plugins: tuple[str, ...]
    is_pending: bool
    failed: str


class PendingPods:
    """The pending pods of a run, by ``namespace/name``; those that are still there are judged on its last state."""

    def __init__(
        self, snapshot: Snapshot, configuration: SchedulerConfiguration, pods: Mapping[str, PendingRunPod]
    ) -> None:
        self._snapshot = snapshot
        self._configuration = configuration
        self._alike = AlikePods(snapshot)
        self._known: dict[bytes, tuple[PendingFinding, bytes | None]] = {}
        self._packed: dict[str, bytes] = {}
        waiting = []
        for key, left in pods.items():
            if left.failed:
                finding, decision = PendingFinding(Cause(Kind.NOT_COMPUTED, reference=left.failed)), None
            elif left.document is not None and left.is_pending:
                finding, decision = self._found(left.document)
            else:
                finding, decision = PendingFinding(Cause(Kind.UNSCHEDULABLE, left.plugins[:1])), None
            if decision is not None:
                self._packed[key] = decision
            waiting.append(_row(key, left, finding))
        self._groups = grouped_by_cause(waiting)

    @property
    def causes(self) -> list[dict[str, Any]]:
        """Each cause with its pods, that of most pods first."""
        return [_cause(group) for group in sorted(self._groups, key=lambda group: -len(group.pods))]

    def packed(self, key: str) -> bytes | None:
        """Return the explanation of a pod as the journal keeps it, compressed; pods that are alike share it."""
        return self._packed.get(key)

    def _found(self, document: Document) -> tuple[PendingFinding, bytes | None]:
        try:
            profile = self._configuration.profile_for(document)
        except UnknownScheduler as error:
            return PendingFinding(Cause(Kind.OTHER_SCHEDULER, scheduler_name=error.scheduler_name)), None
        alike = self._alike.key(document, profile)
        found = self._known.get(alike)
        if found is None:
            answer = attempted(key_of(document), partial(self._explained, document, profile))
            found = (failed(answer), None) if isinstance(answer, Failure) else answer
            self._known[alike] = found
        return found

    def _explained(self, document: Document, profile: Profile) -> tuple[PendingFinding, bytes | None]:
        explanation = explain(self._snapshot, document, profile)
        is_kept = len(self._known) < _MOST_KEPT
        return finding_of(explanation), packed(decision_document(explanation, None)) if is_kept else None


def _row(key: str, pod: PendingRunPod, finding: PendingFinding) -> WaitingPod:
    namespace, _, name = key.partition("/")
    document = pod.document or {}
    workload = Workload.of(namespace, Controller.of(document), labels_of(document).get(TEMPLATE_HASH, ""))
    return WaitingPod("", namespace, name, workload, None, pod.message, finding)


def _cause(group: CauseGroup) -> dict[str, Any]:
    first, way = group.pods[0], group.way
    return {
        "identity": group.identity,
        "kind": group.cause.kind.value,
        "plugin": ", ".join(group.cause.plugins),
        "reason": group.cause.quoted,
        "cause": cause_document(group.cause),
        "pods": len(group.pods),
        "examples": [f"{pod.namespace}/{pod.name}" for pod in group.pods[:_EXAMPLES]],
        "workloads": len({pod.workload for pod in group.pods}),
        "message": first.reported,
        # What one change would be enough for most of them, and for how many, each by itself.
        "way": None
        if way is None
        else {
            "lifted": [constraint_document(each) for each in way.change.lifted],
            "reduced": [each.resource for each in way.change.reduced],
            "remedy": None if way.change.remedy is None else value_document(way.change.remedy),
            "frees": way.frees,
            "nodes_gained": way.change.gained,
        },
    }

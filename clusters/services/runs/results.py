"""What came of a run: where each pod ended, why some are unschedulable, and the summary that its page begins with."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import orjson

from clusters.documents.remarks import remark_document
from clusters.documents.simulations import SUMMARY_VERSION
from clusters.documents.stored_messages import text_of_step, text_of_uncertainties
from clusters.engine.admission.creation import CreationRefusal
from clusters.engine.objects import key_of, labels_of
from clusters.engine.simulation import Outcome
from clusters.engine.simulation.affected import affected, running_pods
from clusters.engine.simulation.batch import BatchSimulation
from clusters.engine.simulation.problems import AwaitsOrdinal, JobFailed, JobIndexFailed
from clusters.engine.simulation.remarks import JobFails, JobIndexesFail, OrdinalsNotCreated, TakenBack, WaitForVictims
from clusters.engine.simulation.series import series_of
from clusters.engine.workloads.job_indexes import Indexes
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.models import RunPod
from clusters.services.decisions.failures import note
from clusters.services.runs.affected import affected_document
from clusters.services.runs.drains import drains_of
from clusters.services.runs.measuring import MeasuredBase, measured
from clusters.services.runs.pending_pods import PendingPods, PendingRunPod
from clusters.services.runs.pod_end import PodEnd
from clusters.services.runs.pod_groups import pod_groups_of
from clusters.services.runs.question import PENDING, count_origins, group_refusals, newly_pending_of, origins_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.simulation import Case, Step
    from clusters.engine.simulation.affected import RunningPods
    from clusters.engine.simulation.run import Simulation

_ENDS: Final = {
    Outcome.PLACED: RunPod.Outcome.PLACED,
    Outcome.COMPLETED: RunPod.Outcome.COMPLETED,
    Outcome.UNSCHEDULABLE: RunPod.Outcome.UNSCHEDULABLE,
    Outcome.GATED: RunPod.Outcome.GATED,
    Outcome.FORBIDDEN: RunPod.Outcome.FORBIDDEN,
    Outcome.NOT_COMPUTED: RunPod.Outcome.NOT_COMPUTED,
    Outcome.PREEMPTED: RunPod.Outcome.PREEMPTED,
    Outcome.EVICTED: RunPod.Outcome.EVICTED,
    Outcome.DELETED: RunPod.Outcome.DELETED,
    Outcome.REFUSED: RunPod.Outcome.REFUSED,
    Outcome.HELD: RunPod.Outcome.HELD,
}
_ATTEMPTS: Final = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.GATED, Outcome.NOT_COMPUTED})


class RunResults:
    """Gathers what a simulation yields: take every step right after it was yielded, from the first on.

    ``before``: the cluster before anything was changed; None where the case begins with it.
    """

    def __init__(
        self, case: Case, simulation: Simulation | BatchSimulation, before: MeasuredBase | None = None
    ) -> None:
        self._case = case
        self._before = before
        self._simulation = simulation
        self._steps: list[Step] = []
        # A simulation forgets the pods that leave.
        self._documents: dict[str, Document] = {}
        self.pods: dict[str, PodEnd] = {}
        self._noted: set[int] = set()

    def take(self, step: Step) -> None:
        """Count a step that the simulation has just taken."""
        self._steps.append(step)
        if step.outcome is Outcome.TERMINATED:
            # What became of it is said already.
            return
        if step.outcome is Outcome.PLACED:
            self._documents[step.pod] = self._simulation.document_of(step.pod)
        end = self.pods.get(step.pod)
        attempts = (0 if end is None else end.attempts) + (step.outcome in _ATTEMPTS)
        if step.outcome is Outcome.COMPLETED and not step.node and end is not None:
            # Its time was over before there was room for it: what it met is what matters.
            return
        outcome, message, uncertain = _ENDS[step.outcome], text_of_step(step), step.uncertain
        if step.outcome is Outcome.COMPLETED and end is not None:
            uncertain = end.uncertain
        elif uncertain:
            outcome, message = RunPod.Outcome.UNCERTAIN, text_of_uncertainties(uncertain)
        failed = step.by if step.outcome is Outcome.NOT_COMPUTED else ""
        refusal = step.problem if isinstance(step.problem, CreationRefusal) else None
        end = PodEnd(outcome, step.node, step.number, attempts, message, step.plugins, failed, uncertain, refusal)
        self.pods[step.pod] = end
        if failed:
            self._note_failure(step.pod)

    def _note_failure(self, pod: str) -> None:
        """Count and log what failed for the first time; what is known from an earlier worker's steps was."""
        for kind, failure in self._simulation.failures.items():
            if kind not in self._noted and failure.details:
                note(pod, failure)
            self._noted.add(kind)

    @property
    def pending(self) -> dict[str, PodEnd]:
        """The pods that would run, and do not."""
        return {key: end for key, end in self.pods.items() if end.outcome in PENDING}

    def summary(self, notes: Sequence[str | Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return the run in numbers, as docs/simulations.md describes them."""
        self._explain()
        counts = Counter(end.outcome for end in self.pods.values())
        steps = Counter(step.outcome for step in self._steps)
        by_time = any(each.at for each in self._case.wanted)
        wanted = [each.pod for each in self._case.wanted]
        before = self._before or MeasuredBase(
            measured(self._case.snapshot, wanted, self._case.configuration), running_pods(self._case.snapshot, wanted)
        )
        waiting = [self._simulation.document_of(key) for key in self._simulation.waiting]
        document = {
            "version": SUMMARY_VERSION,
            "pods": {
                "wanted": len(self._case.wanted),
                **{outcome.value: counts[outcome] for outcome in RunPod.Outcome},
            },
            "origins": count_origins(self.pods, origins_of(self._case)),
            "steps": {outcome.value: steps[outcome] for outcome in Outcome},
            "drains": drains_of(self._case.drained, self._steps),
            "pending_causes": self._pending.causes,
            "refusals": group_refusals(self.pods),
            "pod_groups": pod_groups_of(self._case, self._simulation, self._documents_of_all()),
            "affected": self._affected(before.running, waiting),
            "before": before.measures,
            "after": measured(self._simulation.snapshot, waiting, self._case.configuration),
            "series": series_of(self._case, self._steps, self._documents.__getitem__, by_time=by_time),
            "notes": [*notes, *self._not_created(), *self._failed_jobs(), *self._waits()],
            "relaxed": self._relaxed(),
        }
        # Tuples and dataclasses become what JSON has.
        plain: dict[str, Any] = orjson.loads(orjson.dumps(document))
        return plain

    def rows(self, run_id: int) -> Iterator[RunPod]:
        """Yield a row for each pod of the run, the pending ones with their decision; `summary` was called before."""
        for key, end in self.pods.items():
            namespace, _, name = key.partition("/")
            row = RunPod(
                run_id=run_id,
                namespace=namespace,
                name=name,
                workload=self.workload_of(key),
                outcome=end.outcome,
                node_name=end.node,
                step=end.step,
                attempts=end.attempts,
                message=end.message,
            )
            row.packed_explanation = self._pending.packed(key)
            yield row

    def workload_of(self, key: str) -> str:
        """Return what the pod belongs to, as in ``Deployment/web``; empty for one that nothing controls."""
        found = _workload(key, self._document(key))
        return f"{found.kind}/{found.name}" if found.kind else ""

    def _affected(self, before: RunningPods, waiting: Sequence[Document]) -> dict[str, Any]:
        """Return the workloads and budgets that are the worse for the run."""
        pending = newly_pending_of(self.pods, origins_of(self._case))
        workloads = {key: _workload(key, self._document(key)) for key in pending}
        return affected_document(affected(before, running_pods(self._simulation.snapshot, waiting), workloads))

    def _not_created(self) -> Iterator[dict[str, Any]]:
        """Yield a remark for each StatefulSet that waits for one of its pods before it creates others."""
        last = {step.pod: step.problem for step in self._steps}
        for problem, pods in Counter(each for each in last.values() if isinstance(each, AwaitsOrdinal)).items():
            yield remark_document(OrdinalsNotCreated(problem.stateful_set, problem.pod, pods))

    def _failed_jobs(self) -> Iterator[dict[str, Any]]:
        """Yield a remark for each Job that fails, or of which indexes do, as its pods were evicted or preempted."""
        deleted = Counter(step.problem for step in self._steps if step.outcome is Outcome.DELETED)
        indexes: defaultdict[str, list[int]] = defaultdict(list)
        for problem in dict.fromkeys(step.problem for step in self._steps):
            if isinstance(problem, JobFailed):
                yield remark_document(JobFails(problem.job, problem.reason, problem.limit, deleted[problem]))
            elif isinstance(problem, JobIndexFailed):
                indexes[problem.job].append(problem.index)
        for job, numbers in indexes.items():
            yield remark_document(JobIndexesFail(job, str(Indexes.of(numbers))))

    def _waits(self) -> Iterator[dict[str, Any]]:
        """Yield a remark about the preemptor that would wait longest for its victims, the first of those that would."""
        if self._case.is_graceful and self._case.has_times:
            return
        waits = [(step, step.waits) for step in self._steps if step.waits is not None]
        if waits:
            step, longest = max(waits, key=lambda each: each[1].seconds)
            preemptors = len({each.pod for each, _ in waits})
            yield remark_document(WaitForVictims(preemptors, step.pod, step.node, longest.seconds, longest.victims))

    def _relaxed(self) -> list[dict[str, Any]]:
        """Return remarks about what the flow could not know when it chose nodes."""
        if not isinstance(self._simulation, BatchSimulation):
            return []
        return [remark_document(TakenBack(plugin, count)) for plugin, count in sorted(self._simulation.relaxed.items())]

    def _documents_of_all(self) -> Iterator[Document]:
        return (found for found in map(self._document, self.pods) if found is not None)

    def _document(self, key: str) -> Document | None:
        if key in self._documents:
            return self._documents[key]
        try:
            return self._simulation.document_of(key)
        except KeyError:
            return self._wanted.get(key)

    @cached_property
    def _wanted(self) -> dict[str, Document]:
        return {key_of(each.pod): each.pod for each in self._case.wanted}

    def _explain(self) -> None:
        left = {
            # One whose time was over does not wait any more: what it met before is all that can be said.
            key: PendingRunPod(
                self._document(key),
                end.message,
                end.plugins,
                is_pending=key in self._simulation.waiting,
                failed=end.failed,
            )
            for key, end in self.pending.items()
        }
        self._pending = PendingPods(self._simulation.snapshot, self._case.configuration, left)


def _workload(key: str, document: Document | None) -> Workload:
    namespace = key.partition("/")[0]
    if document is None:
        return Workload(namespace, "", "")
    return Workload.of(namespace, Controller.of(document), labels_of(document).get(TEMPLATE_HASH, ""))

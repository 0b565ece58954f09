"""What came of a run: where each pod ended, why some are unschedulable, and its state after any step."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.documents.values import plain_json, read_uncertainty, value_document
from clusters.documents.words import read_message, remark_document, text_of_step, text_of_uncertainties
from clusters.engine import Explanation, Snapshot, explain
from clusters.engine.admission import CreationRefusal, LimitRangeRefusal
from clusters.engine.conclusion import Conclusion, FailedComputation, Uncertainty
from clusters.engine.objects import Document, key_of, labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.problems import OutOfRange
from clusters.engine.quotas import QuotaExceeded, QuotaUnspecified
from clusters.engine.simulation import (
    AwaitsOrdinal,
    Base,
    BatchSimulation,
    Case,
    Finished,
    JobFailed,
    JobFails,
    JobIndexesFail,
    JobIndexFailed,
    OrdinalsNotCreated,
    Origin,
    Outcome,
    Prepared,
    Simulation,
    Step,
    TakenBack,
    Verdict,
    WaitForVictims,
    affected,
    explained,
    newly_pending,
    running_pods,
    series_of,
)
from clusters.engine.workloads import Indexes
from clusters.models import RunPod, SimulationRun
from clusters.problems.orders import StepWithoutAttempt
from clusters.services.computing import Cache, check
from clusters.services.decisions.explain import computed, note
from clusters.services.runs.cases import case_of, notes_of, prepared_on, simulation_of
from clusters.services.runs.chunks import steps_of
from clusters.services.runs.spec import Spec, SpecError
from clusters.services.runs.summary import (
    MeasuredBase,
    PendingPods,
    PendingRunPod,
    PodEnd,
    affected_document,
    drains_of,
    kept_pods,
    measured,
    measured_base,
    pod_groups_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


# What a run was asked and how that went: the pods asked for, and apart from them those that others brought up.
#
# The summary's ``origins`` are counted here once; `clusters.wording.runs.summary` words them.

# What came of a run: where each pod ended, why some are unschedulable, and the summary that its page begins with.

# Copies that controllers make during the run, of pods that were evicted or preempted.
SUCCESSORS: Final = "successors"
ORIGINS: Final = (Origin.ADDED.value, Origin.DISPLACED.value, SUCCESSORS, Origin.PENDING_BEFORE.value)
# Outcomes of pods that would run, and do not.
PENDING: Final = (RunPod.Outcome.UNSCHEDULABLE, RunPod.Outcome.GATED, RunPod.Outcome.NOT_COMPUTED)
_PLACED: Final = (RunPod.Outcome.PLACED, RunPod.Outcome.UNCERTAIN, RunPod.Outcome.COMPLETED)
_EXAMPLES: Final = 20
# Of the table of pods.
ROW_COLUMNS: Final = (
    "run_id",
    "namespace",
    "name",
    "workload",
    "outcome",
    "node_name",
    "step",
    "attempts",
    "message",
    "packed_explanation",
)
# Of the form of a summary.
SUMMARY_VERSION: Final = 2


class Placed(NamedTuple):
    """Of the pods that are to run: how many have a node, and how many only if what is not computed lets them."""

    certain: int
    uncertain: int
    wanted: int


def pending_of(pods: Mapping[str, int]) -> int:
    """Return how many pods a summary's ``pods`` tell of that would run, and do not."""
    return sum(pods[outcome.value] for outcome in PENDING)


def origin_of(key: str, origins: Mapping[str, Origin]) -> str:
    """Return why a pod was to be placed, by those of the case's pods; any other was made during the run."""
    found = origins.get(key)
    return SUCCESSORS if found is None else found.value


def origins_of(case: Case) -> dict[str, Origin]:
    """Return why each pod of a case is wanted, by ``namespace/name``."""
    return {key_of(each.pod): each.origin for each in case.wanted}


def count_origins(ends: Mapping[str, PodEnd], origins: Mapping[str, Origin]) -> dict[str, dict[str, Any]]:
    """Return by origin how many pods there were, and how they ended.

    ``total`` = ``placed`` (those whose time was over after they ran, too) + ``uncertain`` (placed by all that is
    computed, or not computed at all) + ``pending`` + ``forbidden`` (not created) + ``gone`` (placed, and preempted or
    evicted later) + ``deleted`` (their Job failed). ``examples`` name the first pending ones, ``message`` says why the
    first one is.
    ``uncertainties``: the uncertain ones by what is not computed.
    """
    found: dict[str, dict[str, Any]] = {
        name: {
            "total": 0,
            "placed": 0,
            "uncertain": 0,
            "pending": 0,
            "forbidden": 0,
            "gone": 0,
            "deleted": 0,
            "examples": [],
            "message": "",
            "uncertainties": [],
        }
        for name in ORIGINS
    }
    alike: dict[tuple[str, tuple[Uncertainty, ...]], dict[str, Any]] = {}
    for key, end in ends.items():
        if key not in origins and not end.attempts and end.outcome is not RunPod.Outcome.FORBIDDEN:
            # A pod of the base that had to go, or was to.
            continue
        origin = origin_of(key, origins)
        counts = found[origin]
        counts["total"] += 1
        doubts = _doubts(end)
        if doubts:
            counts["uncertain"] += 1
            group = alike.get((origin, doubts))
            if group is None:
                why = [value_document(each) for each in doubts]
                group = alike[origin, doubts] = {"why": why, "pods": 0, "examples": []}
                counts["uncertainties"].append(group)
            group["pods"] += 1
            if len(group["examples"]) < _EXAMPLES:
                group["examples"].append(key)
        elif end.outcome in _PLACED:
            counts["placed"] += 1
        elif end.outcome in PENDING:
            counts["pending"] += 1
            counts["message"] = counts["message"] or end.message
            if len(counts["examples"]) < _EXAMPLES:
                counts["examples"].append(key)
        elif end.outcome is RunPod.Outcome.FORBIDDEN:
            counts["forbidden"] += 1
        elif end.outcome is RunPod.Outcome.DELETED:
            counts["deleted"] += 1
        else:
            counts["gone"] += 1
    return found


def group_refusals(ends: Mapping[str, PodEnd]) -> list[dict[str, Any]]:
    """Return the pods that the API server refused, by what refused them and for which resources, in the order of the
    first; its message is quoted.
    """
    alike: dict[tuple[Any, ...], dict[str, Any]] = {}
    for key, end in ends.items():
        why = end.refusal
        if why is None:
            continue
        named = {
            "namespace": why.namespace,
            "quota": why.quota if isinstance(why, QuotaExceeded | QuotaUnspecified) else "",
            "limit_range": why.limit_range if isinstance(why, LimitRangeRefusal) else "",
            "resources": why.resources,
        }
        start = {**named, "kind": why.kind, "message": why.message, "pods": 0, "examples": []}
        group = alike.setdefault((why.kind, *named.values()), start)
        group["pods"] += 1
        if len(group["examples"]) < _EXAMPLES:
            group["examples"].append(key)
    return list(alike.values())


class PendingAfter(NamedTuple):
    """How many pods are without a node at the end of a run: ``newly`` because of what it asks, and as ``before``."""

    newly: int
    before: int


def pending_after(origins: Mapping[str, Mapping[str, Any]]) -> PendingAfter:
    """Return how many pods are pending at the end; the one number that every page, review and answer tells of a run."""
    left = {name: int(counts["pending"]) for name, counts in origins.items()}
    before = left.pop(Origin.PENDING_BEFORE.value, 0)
    return PendingAfter(sum(left.values()), before)


def forbidden_after(origins: Mapping[str, Mapping[str, Any]]) -> int:
    """Return how many pods the API server refused."""
    return sum(int(counts["forbidden"]) for counts in origins.values())


def _doubts(end: PodEnd) -> tuple[Uncertainty, ...]:
    """Return why it is not known whether a pod has a node; nothing where it is."""
    if end.failed:
        return (FailedComputation(end.failed),)
    return end.uncertain if end.outcome in _PLACED else ()


def placed_of(summary: Mapping[str, Any]) -> Placed:
    """Return how many of a run's pods were placed."""
    pods = summary["pods"]
    certain, uncertain = pods["placed"] + pods["completed"], pods["uncertain"]
    return Placed(certain, uncertain, certain + uncertain + pending_of(pods) + pods["forbidden"])


def verdict(summary: Mapping[str, Any], *, even_pending: bool) -> Verdict:
    """Return whether what was asked fits; pods that were pending before count only where they are asked for, too.

    A drain that does not get to its end is asked for and not done, whether or not every pod has a node.
    """
    origins = summary["origins"]
    counted = [name for name in ORIGINS if even_pending or name != Origin.PENDING_BEFORE]
    failed = [origins[name] for name in counted if origins[name]["pending"]]
    groups = uncertain_groups(summary, counted)
    uncertain = [key for each in groups for key in each["examples"]][:_EXAMPLES]
    whys = list(dict.fromkeys(read_uncertainty(each) for group in groups for each in group["why"]))
    has_pods = any(origins[name]["total"] for name in counted)
    if failed:
        pending = [key for each in failed for key in each["examples"]][:_EXAMPLES]
        said = read_message(failed[0]["message"])
        forbidden = [key for each in summary["refusals"] for key in each["examples"]][:_EXAMPLES]
        found = Verdict(Conclusion.UNSCHEDULABLE, pending, uncertain, whys, has_pods, said.text, problem=said.problem)
        return found._replace(forbidden=forbidden)
    refusals = summary["refusals"]
    if refusals:
        forbidden = [key for each in refusals for key in each["examples"]][:_EXAMPLES]
        message = refusals[0]["message"]
        return Verdict(Conclusion.UNSCHEDULABLE, [], uncertain, whys, has_pods, message=message, forbidden=forbidden)
    kept = kept_pods(summary)
    if kept:
        return Verdict(Conclusion.UNSCHEDULABLE, [], uncertain, whys, has_pods, kept=kept)
    if groups:
        doubts = tuple(map(read_uncertainty, groups[0]["why"]))
        return Verdict(Conclusion.UNCERTAIN, [], uncertain, whys, has_pods, doubts=doubts)
    return Verdict(Conclusion.FITS, [], [], [], has_pods)


def uncertain_groups(summary: Mapping[str, Any], origins: Iterable[str] = ORIGINS) -> list[dict[str, Any]]:
    """Return the pods of these origins that are uncertain, those that are so for the same together."""
    return [group for name in origins for group in summary["origins"][name]["uncertainties"]]


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
        self._before = before or MeasuredBase(case)
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

    def ends(self, notes: Sequence[str | Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return the part of the summary that says what became of pods and nodes, and what that leaves out."""
        counts = Counter(end.outcome for end in self.pods.values())
        steps = Counter(step.outcome for step in self._steps)
        document: dict[str, Any] = plain_json(
            {
                "pods": {
                    "wanted": len(self._case.wanted),
                    **{outcome.value: counts[outcome] for outcome in RunPod.Outcome},
                },
                "origins": count_origins(self.pods, origins_of(self._case)),
                "steps": {outcome.value: steps[outcome] for outcome in Outcome},
                "drains": drains_of(self._case.drained, self._steps),
                "refusals": group_refusals(self.pods),
                "affected": self._affected(),
                "notes": [*notes, *self._not_created(), *self._failed_jobs(), *self._waits()],
            }
        )
        return document

    def summary(self, notes: Sequence[str | Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return the run in numbers, as docs/simulations.md describes them."""
        self._explain()
        by_time = any(each.at for each in self._case.wanted)
        rest = {
            "pending_causes": self._pending.causes,
            "pod_groups": pod_groups_of(self._case, self._simulation, self._documents_of_all()),
            "before": self._before.measures,
            "after": measured(self._simulation.snapshot, self._waiting, self._case.configuration),
            "series": series_of(self._case, self._steps, self._documents.__getitem__, by_time=by_time),
            "relaxed": self._relaxed(),
        }
        return {"version": SUMMARY_VERSION, **self.ends(notes), **plain_json(rest)}

    def rows(self, run_id: int) -> Iterator[tuple[Any, ...]]:
        """Yield the `ROW_COLUMNS` of each pod of the run, the pending ones with their decision, after `summary`."""
        for key, end in self.pods.items():
            namespace, _, name = key.partition("/")
            yield (
                run_id,
                namespace,
                name,
                self.workload_of(key),
                end.outcome.value,
                end.node,
                end.step,
                end.attempts,
                end.message,
                self._pending.packed(key),
            )

    def workload_of(self, key: str) -> str:
        """Return what the pod belongs to, as in ``Deployment/web``; empty for one that nothing controls."""
        found = _workload(key, self._document(key))
        return f"{found.kind}/{found.name}" if found.kind else ""

    @property
    def _waiting(self) -> list[Document]:
        return [self._simulation.document_of(key) for key in self._simulation.waiting]

    def _affected(self) -> dict[str, Any]:
        """Return the workloads and budgets that are the worse for the run."""
        pending = newly_pending(
            (key for key, end in self.pods.items() if end.outcome in PENDING and not _doubts(end)),
            origins_of(self._case),
        )
        workloads = {key: _workload(key, self._document(key)) for key in pending}
        after = running_pods(self._simulation.snapshot, self._waiting)
        return affected_document(affected(self._before.running, after, workloads))

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


# A finished or running run, looked at again: its state after any step, and the decision of any step, computed anew.

# Runs that somebody steps through at the same time; each holds its state, which is large of a large cluster.
_KEPT: Final = 2
# A page asks for the same moment several times, for its parts.
_MOMENTS_KEPT: Final = 2


class Moment(NamedTuple):
    """The cluster after a step, and the pods that have no node then, with the last step of each."""

    snapshot: Snapshot
    waiting: Mapping[str, Step]


def state_at(run: SimulationRun, number: int) -> Simulation | BatchSimulation:
    """Return the simulation after ``number`` steps, 0 for its beginning. Raises SpecError for a step not taken."""
    return _replayed(run, _known(run, number)[:number], number)


def moment_at(run: SimulationRun, number: int) -> Moment:
    """Return what is so after ``number`` steps; it is shared: leave it as it is. Raises SpecError.

    Going on from the moment that was asked for before takes the steps in between; going back takes all from the first.
    """
    _known(run, number)
    return _walk_of(run).moment(number)


def known_steps(run: SimulationRun) -> Sequence[Step]:
    """Return all stored steps of a run; they are shared and read once, however often somebody steps through it."""
    return _walk_of(run).steps


def finished(run: SimulationRun) -> Finished:
    """Return a run that is done as the engine has it, gone through again. Raises SpecError."""
    case, spec, steps = case_of(run), Spec.stored(run.spec), list(steps_of(run))
    # Pod after pod is what a comparison goes through by itself.
    again = (lambda: simulation_of(case, spec, steps)) if spec.is_batch else None
    return Finished(case, steps, _replayed(run, steps, len(steps)), again)


def decision_at(run: SimulationRun, number: int) -> Explanation:
    """Return the decision of a step, from 0, as it was: computed on the state before it; it is shared.

    Raises SpecError and NotComputed.
    """
    return _decisions.get((run.pk, run.created_at, number), lambda: _decided(run, number))


# A page of a decision asks for it again with each node that somebody points at.
_decisions: Final[Cache[tuple[int, object, int], Explanation]] = Cache("decisions of runs", _MOMENTS_KEPT)


def _decided(run: SimulationRun, number: int) -> Explanation:
    steps = _known(run, number + 1)[: number + 1]
    if not steps[number].is_decision:
        raise SpecError("step", StepWithoutAttempt(number))
    case = case_of(run)
    if not Spec.stored(run.spec).is_batch:
        return computed(steps[number].pod, lambda: explained(case, steps, number))
    simulation = _replayed(run, steps, number)
    before = simulation.snapshot.copy()
    next(simulation)
    pod = simulation.document_of(steps[number].pod)
    return computed(steps[number].pod, lambda: explain(before, pod, case.configuration.profile_for(pod)))


class _Walk:
    """A run as somebody steps through it."""

    def __init__(self, run: SimulationRun) -> None:
        self._run = run
        self.steps: Sequence[Step] = tuple(steps_of(run))
        self._moments: Cache[int, Moment] = Cache("moments of a run", _MOMENTS_KEPT)
        # One simulation goes through a run for all who look at it, so their moments are computed one after the other.
        self._lock = Lock()
        self._simulation: Simulation | BatchSimulation | None = None
        self._taken = 0

    def moment(self, number: int) -> Moment:
        """Return what is so after as many of the steps."""
        return self._moments.get(number, lambda: self._after(number))

    def _after(self, number: int) -> Moment:
        with self._lock:
            simulation = self._gone_to(number)
            # The simulation goes on for whoever asks next.
            return Moment(simulation.snapshot.copy(), dict(simulation.waiting))

    def _gone_to(self, number: int) -> Simulation | BatchSimulation:
        simulation, taken = self._simulation, self._taken
        # One that fails on its way is not asked again.
        self._simulation = None
        if simulation is None or taken > number:
            simulation, taken = _replayed(self._run, self.steps, 0), 0
        for _ in range(number - taken):
            check()
            next(simulation)
        self._simulation, self._taken = simulation, number
        return simulation


_walks: Final[Cache[tuple[int, object], _Walk]] = Cache("runs stepped through", _KEPT)


def _walk_of(run: SimulationRun) -> _Walk:
    # A run that goes on has more steps the next time.
    return _walks.get((run.pk, run.created_at), lambda: _Walk(run), version=run.steps)


def _replayed(run: SimulationRun, steps: Sequence[Step], number: int) -> Simulation | BatchSimulation:
    """Return the simulation after ``number`` of the steps."""
    simulation = simulation_of(case_of(run), Spec.stored(run.spec), steps)
    for _ in range(number):
        check()
        next(simulation)
    return simulation


def _known(run: SimulationRun, number: int) -> Sequence[Step]:
    """Return the steps of a run that has at least so many. Raises SpecError."""
    steps = known_steps(run)
    if not 0 <= number <= len(steps):
        raise SpecError("step", OutOfRange(str(number), 1, run.steps))
    return steps


class PodResult(NamedTuple):
    """Where a pod ended; ``was_pending``: it was pending before, and is not one that the question brings."""

    key: str
    outcome: str
    node: str
    message: str
    was_pending: bool


class Simulated(NamedTuple):
    """What came of a run: the summary as a stored run has it, and every pod in the order in which it was met."""

    summary: dict[str, Any]
    pods: list[PodResult]


class Carried(NamedTuple):
    """A simulation that was carried out at once: what it came to, and the case and the steps of it."""

    prepared: Prepared
    results: RunResults
    finished: Finished


def carry_out(base: Base, spec: Spec, check: Callable[[], object] = lambda: None) -> Carried:
    """Simulate a run on a base; ``check`` is called after each step. Raises SpecError, and what ``check`` raises."""
    before = measured_base(base, spec)
    prepared = prepared_on(base, spec)
    simulation = simulation_of(prepared.case, spec)
    results = RunResults(prepared.case, simulation, before)
    steps = []
    for step in simulation:
        results.take(step)
        steps.append(step)
        check()
    return Carried(prepared, results, Finished(prepared.case, steps, simulation))


def simulated(base: Base, spec: Spec, *, kube_version: str = "") -> Simulated:
    """Simulate a run on a base, of a cluster of this version, empty where unknown. Raises SpecError."""
    prepared, results, _ = carry_out(base, spec)
    origins = origins_of(prepared.case)
    pods = [
        PodResult(key, end.outcome.value, end.node, end.message, origins.get(key) is Origin.PENDING_BEFORE)
        for key, end in results.pods.items()
    ]
    return Simulated(results.summary(notes_of(spec, prepared, kube_version)), pods)


def simulated_by(run: SimulationRun) -> Simulated:
    """Return what came of a run that is done. Raises SpecError."""
    origins = origins_of(case_of(run))
    rows = RunPod.objects.filter(run=run).order_by("pk")
    pods = [
        PodResult(key := f"{namespace}/{name}", outcome, node, message, origins.get(key) is Origin.PENDING_BEFORE)
        for namespace, name, outcome, node, message in rows.values_list(
            "namespace", "name", "outcome", "node_name", "message"
        )
    ]
    return Simulated(run.summary or {}, pods)


def placements(pods: Iterable[PodResult]) -> Mapping[str, int]:
    """Return how many pods were placed on each node, that of most pods first."""
    counts: dict[str, int] = {}
    for pod in pods:
        if pod.outcome in (RunPod.Outcome.PLACED, RunPod.Outcome.UNCERTAIN):
            counts[pod.node] = counts.get(pod.node, 0) + 1
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))

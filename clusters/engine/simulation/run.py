"""A simulation: pods arrive, are tried in the order of the scheduler's queue, are placed or wait, and leave.

Upstream: ``ScheduleOne`` of ``pkg/scheduler/schedule_one.go``, ``prepareCandidate`` of ``framework/preemption`` and
``backend/queue``, v1.34.1. Most of what takes time there happens at once here: pods that are placed are ready,
controllers replace pods immediately as far as they do, and nobody rests after a failure. Pods that have to go are gone
at once, too, unless the case is graceful and has times."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.disruption.failing_nodes import driven_out
from clusters.engine.nodes import SECOND, TaintChange, TaintEvent
from clusters.engine.objects import Document, Node, key_of, namespace_of
from clusters.engine.scheduling.cost import Failure, attempt
from clusters.engine.simulation.case import Case, Origin, Outcome, Step
from clusters.engine.simulation.controllers import HeldOrdinals, JobPods, PodAdmission, PodLoss, is_new
from clusters.engine.simulation.course import (
    Course,
    Departure,
    Departures,
    EventPhase,
    GroupTrials,
    SchedulerClaims,
    Timeline,
    decided,
    not_computed,
    tainted,
)
from clusters.engine.simulation.outcome import Drains
from clusters.engine.taints import NO_EXECUTE

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.admission.creation import CreationRefusal
    from clusters.engine.conclusion import Conclusion, Uncertainty
    from clusters.engine.problems import Problem
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot

# Steps that are known from an earlier run, taken one after another.


class Recorded:
    """A queue of steps that is filled as it is read."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = iter(steps)
        self._ahead: deque[Step] = deque()

    def next(self) -> Step | None:
        """The next step; None where none is known any more."""
        return self._ahead.popleft() if self._ahead else next(self._steps, None)

    def peek(self) -> Step | None:
        """The next step, which stays the next."""
        if not self._ahead:
            step = next(self._steps, None)
            if step is None:
                return None
            self._ahead.append(step)
        return self._ahead[0]

    def victims_of(self, preemptor: str) -> tuple[str, ...]:
        """The pods that the next steps preempt for one; empty where those steps are not known to the last."""
        number = 0
        while True:
            if number == len(self._ahead):
                step = next(self._steps, None)
                if step is None:
                    return ()
                self._ahead.append(step)
            step = self._ahead[number]
            if step.outcome is not Outcome.PREEMPTED or step.by != preemptor:
                return tuple(each.pod for each in list(self._ahead)[:number])
            number += 1


# Pending pods that are not tried again.
UNTRIED = frozenset({Outcome.GATED, Outcome.NOT_COMPUTED})


class Simulation:
    """The steps of a case, each of which has happened to ``snapshot`` when it is yielded.

    ``recorded`` are its first steps, known from an earlier run: they are gone through again without a search.
    ``observe`` is given the step of each attempt with its explanation, before the step happens to ``snapshot``.
    ``pods_total``: how many pods are wanted.
    """

    def __init__(
        self,
        case: Case,
        recorded: Iterable[Step] = (),
        observe: Callable[[Step, Explanation], None] | None = None,
    ) -> None:
        self._case = case
        self._observe = observe
        self._course = Course(case)
        self._recorded = Recorded(recorded)
        self._number, self._now, self._explains = 0, 0, -1
        self._explanation: Explanation | None = None
        self.pods_total = len(case.wanted)
        self._admission = PodAdmission(self._course.snapshot, asks=case.admits_pods)
        self._held = HeldOrdinals(self._course.snapshot, case.wanted if case.orders_ordinals else ())
        course = self._course
        self._groups = GroupTrials(course, case.seed)
        self._claims = SchedulerClaims(course, self._admission)
        self._jobs = JobPods(course.snapshot, lambda job: map(course.document_of, course.pods_of(job)))
        # By the number of the kind; without a traceback where it was recorded.
        self.failures: dict[int, Failure] = {}
        self._arrived = 0
        self._timeline = Timeline(case)
        self._departures = Departures(case, course, self._timeline)
        self._drains = Drains(
            case.drained, course, self._departures, self._timeline, self._evict, self._try_all, self._happened
        )
        self._driven: list[tuple[str, TaintEvent]] = []
        self._steps = self._run()

    def __iter__(self) -> Iterator[Step]:
        return self

    def __next__(self) -> Step:
        return next(self._steps)

    @property
    def snapshot(self) -> Snapshot:
        """The cluster after the last step; not to be changed."""
        return self._course.snapshot

    @property
    def waiting(self) -> Mapping[str, Step]:
        """The pods that have no node now, by ``namespace/name``, with the last step of each."""
        return self._course.waiting

    @property
    def refusals(self) -> Iterator[CreationRefusal]:
        """Why the API server refused the pods that do not exist now."""
        return self._admission.refusals()

    @property
    def replaced(self) -> Mapping[str, str]:
        """The pods that came in the place of others since the beginning, by those, both as ``namespace/name``."""
        return self._course.replaced

    @property
    def pods_done(self) -> int:
        """How many of the wanted pods have been tried by now, about."""
        return max(0, self._arrived - len(self._course.line))

    def document_of(self, key: str) -> Document:
        """A pod as it was wanted or copied, or as it was on its node from the beginning. Raises KeyError."""
        known = self._admission.refused(key) or self._held.document_of(key) or self._course.known(key)
        # A nominated pod is in the snapshot before it arrives.
        return known or {key_of(wanted.pod): wanted.pod for wanted in self._case.wanted}[key]

    def explain_waiting(self) -> Iterator[tuple[list[str], Explanation]]:
        """Explain, as things are now, the pods that were tried without success: those that are alike together, once."""
        return self._groups.explain_waiting(UNTRIED)

    def explanation_at(self, number: int) -> Explanation:
        """Go on until the attempt of this number and explain it. Raises ValueError for a step that is no attempt."""
        self._explains = number
        step = next((step for step in self if step.number == number), None)
        if self._explanation is None:
            raise ValueError(f"step {number} is no attempt to place a pod: {None if step is None else step.outcome}")
        return self._explanation

    # -- time --------------------------------------------------------------------------------------------

    def _run(self) -> Iterator[Step]:
        while self._timeline:
            self._now, phase, number = self._timeline.pop()
            match phase:
                case EventPhase.ARRIVES | EventPhase.RETRIED:
                    self._arrived += 1
                    wanted = self._case.wanted[number]
                    is_added = wanted.origin is Origin.ADDED
                    if is_added or is_new(wanted.pod):
                        yield from self._create(wanted.pod, is_added=is_added)
                    else:
                        yield from self._arrive(wanted.pod)
                case EventPhase.LEAVES | EventPhase.PASSES:
                    key = self._course.last_of(self._timeline.leaver(number))
                    self._admission.forget(key)
                    if self._course.is_known(key) or self._course.is_placed(key):
                        document, node = self._course.remove(key)
                        yield self._happened(Outcome.COMPLETED, key, node=node)
                        yield from self._succeed(document)
                case EventPhase.TAINTED:
                    self._taint(self._timeline.taints[number])
                case EventPhase.DRIVEN:
                    yield from self._drive_out(*self._driven[number])
                case EventPhase.TERMINATED:
                    gone = self._departures.end(number)
                    yield self._happened(Outcome.TERMINATED, gone.key, node=gone.node)
                    yield from self._succeed(gone.document, self._made_after(gone, is_gone=True))
                case EventPhase.DRAINS:
                    yield from self._drains.drain(number, self._now)
            if self._timeline.lets_try(self._now):
                yield from self._try_all()

    def _create(self, pod: Document, *, is_added: bool = False) -> Iterator[Step]:
        """Let a pod come to be, unless its StatefulSet waits for another one or the API server refuses it."""
        if self._held.holds(pod, self._course.line.stamp):
            return
        refusal = self._admission.admit(pod)
        if refusal is None:
            yield from self._arrive(pod, is_created=is_added and not self._case.admits_pods)
        else:
            yield self._happened(Outcome.FORBIDDEN, key_of(pod), problem=refusal)

    def _succeed(self, gone: Document | None, copy: Document | None = None) -> Iterator[Step]:
        """Free what a pod used; the one in its place comes to be, and then whichever others there is room for."""
        namespace = "" if gone is None else namespace_of(gone)
        if gone is not None:
            self._admission.release(gone)
            for key in self._claims.freed(namespace):
                self._course.requeue(key)
        if copy is not None:
            yield from self._create(copy)
        for other in self._admission.admitted_now(namespace):
            yield from self._create(other)

    def _arrive(self, pod: Document, *, is_created: bool = False) -> Iterator[Step]:
        """Let a pod enter the line, or wait outside."""
        key = self._course.arrive(pod, is_created=is_created)
        kind = self._course.kind_of(key)
        if kind.profile is None or kind.gates:
            outcome = Outcome.GATED if kind.gates else Outcome.UNSCHEDULABLE
            step = self._happened(outcome, key, message=kind.gates, problem=kind.problem)
            self._course.waiting[key] = step
            yield step
        elif not self._groups.holds(key):
            self._course.line.push(key, kind.priority, self._held.stamp_of(key))
            for other in self._groups.released():
                self._course.requeue(other)

    # -- attempts ----------------------------------------------------------------------------------------

    def _try_all(self) -> Iterator[Step]:
        while (key := self._course.line.pop()) is not None:
            if self._groups.concerns(key):
                for planned in self._groups.steps(key, self._number, self._now):
                    if self._number == self._explains:
                        self._explanation = self._groups.explain(planned.pod)
                    step = self._recorded.next() or planned
                    if self._observe is not None:
                        self._observe(step, self._groups.explain(step.pod))
                    self._number += 1
                    self._claims.take_in(step)
                    self._groups.apply(step)
                    yield step
            elif self._course.is_worth_trying(key):
                yield from self._attempt(key)
        yield from self._tell_held()

    def _tell_held(self) -> Iterator[Step]:
        """A step for each ordinal that is not created, where none says yet for which pod it waits."""
        for key, problem in self._held.untold():
            yield self._happened(Outcome.FORBIDDEN, key, problem=problem)
        for key, message in self._groups.untold():
            self._course.waiting[key] = self._happened(Outcome.GATED, key, message=message)
            yield self._course.waiting[key]

    def _attempt(self, key: str) -> Iterator[Step]:
        """Try a pod, and do what follows from it."""
        course = self._course
        kind = course.kind_of(key)
        explanation = None
        if self._number == self._explains or self._observe is not None:
            explanation, _ = course.explain(key)
        if self._number == self._explains:
            self._explanation = explanation
        step = self._recorded.next()
        victims: tuple[str, ...] = ()
        if step is None:
            known = self.failures.get(kind.number)
            finding = attempt(lambda: course.find(key)) if known is None else known
            if isinstance(finding, Failure):
                self.failures.setdefault(kind.number, finding)
                step = not_computed(self._number, self._now, key, finding)
            else:
                preferred = self._case.preferred.get(key, "")
                step = self._claims.checked(
                    decided(course, key, finding, self._number, at=self._now, seed=self._case.seed, preferred=preferred)
                )
                victims = finding.victims
        elif step.outcome is Outcome.UNSCHEDULABLE and step.node:
            victims = self._recorded.victims_of(key) or course.find(key).victims
        self._number += 1
        if self._observe is not None and explanation is not None:
            self._observe(step, explanation)
        # A nominated node that fits is taken without a search.
        was_taken = step.outcome is Outcome.PLACED and step.node == kind.pod.nominated_node_name
        if not was_taken:
            course.order.advance(step.looked_at)
        self._claims.take_in(step)
        if step.outcome is Outcome.PLACED:
            course.place(key, course.snapshot.nodes.index[step.node])
            yield step
            if (ordinal := self._held.next_after(key)) is not None:
                yield from self._create(ordinal)
            return
        if step.outcome is Outcome.NOT_COMPUTED:
            self._park(key, step)
            yield step
            return
        course.fail(key, step)
        yield step
        if victims:
            yield from self._preempt(key, step.node, victims)

    def _park(self, key: str, step: Step) -> None:
        """Try no pod of this one's kind again; the same where the step is a recorded one."""
        self._course.park(key, step)
        self.failures.setdefault(self._course.kind_of(key).number, Failure(step.by, step.message, ""))

    def _preempt(self, key: str, node: str, victims: Sequence[str]) -> Iterator[Step]:
        """Let the victims go, and their controllers make others; the pod they make room for is tried again.

        Where they terminate for a while, that is once they are gone.
        """
        self._course.give_way(key, node)
        going = []
        for victim in victims:
            if self._course.is_terminating(victim):
                self._course.terminate(victim, is_preempted=True)
            else:
                going.append((yield from self._depart(victim, Outcome.PREEMPTED, key)))
        copies = [self._made_after(each) for each in going]
        if not any(map(self._course.is_terminating, victims)):
            self._course.requeue(key)
        for each, copy in zip(going, copies, strict=True):
            yield from self._succeed(None if each.grace else each.document, copy)
        for each in going:
            yield from self._end_job(each.loss)

    # -- departures --------------------------------------------------------------------------------------

    def _depart(self, key: str, outcome: Outcome, by: str) -> Generator[Step, None, Departure]:
        """Let a pod go from its node for another, a drain or a taint."""
        going = self._departures.begin(key, outcome, self._now)
        loss = self._jobs.lose(going.document)
        step = self._happened(outcome, going.key, node=going.node, by=by, problem=loss.problem, grace=going.grace)
        self._held.loses(going.key)
        yield step
        going.loss = loss
        return going

    def _made_after(self, going: Departure, *, is_gone: bool = False) -> Document | None:
        """The pod that is made in the place of one: as it begins to go, or only once it ``is_gone``; None for none."""
        if not self._case.replaces:
            return None
        if going.loss is None or self._departures.is_followed_later(going) != is_gone:
            return None
        return self._course.replace(going.key, self._jobs.likeness(going.loss))

    def _end_job(self, loss: PodLoss | None) -> Iterator[Step]:
        """Delete the other pods of a Job that failed when it lost one."""
        if loss is None or loss.failed is None or not self._case.replaces:
            return
        self._admission.forget_of(loss.failed)
        for key in self._course.pods_of(loss.failed):
            going = self._departures.begin(key, Outcome.DELETED, self._now)
            yield self._happened(Outcome.DELETED, key, node=going.node, problem=loss.problem, grace=going.grace)
            yield from self._succeed(None if going.grace else going.document)

    # -- evictions ---------------------------------------------------------------------------------------

    def _evict(self, key: str, by: str) -> Iterator[Step]:
        """Let a pod go, and its controller make another."""
        going = yield from self._depart(key, Outcome.EVICTED, by)
        yield from self._succeed(None if going.grace else going.document, self._made_after(going))
        yield from self._end_job(going.loss)

    def _taint(self, event: TaintEvent) -> None:
        """Change a node's taints; one that evicts lets every pod go after the time that it tolerates."""
        self._course.change_node(tainted(self._node(event.node), event))
        if event.change is TaintChange.NO_EXECUTE:
            for key, seconds in driven_out(self._course.snapshot, event.node):
                self._timeline.add(self._now + seconds * SECOND, EventPhase.DRIVEN, len(self._driven))
                self._driven.append((key, event))

    def _drive_out(self, key: str, event: TaintEvent) -> Iterator[Step]:
        """Let a pod go that tolerated a taint for long enough, if it and the taint are still there."""
        name = f"{event.key}:{NO_EXECUTE}"
        is_there = self._course.snapshot.placed_on(key) == event.node and not self._course.is_terminating(key)
        if is_there and name in map(str, self._node(event.node).taints):
            yield from self._evict(key, name)

    def _node(self, name: str) -> Node:
        nodes = self._course.snapshot.nodes
        return nodes.nodes[nodes.index[name]]

    def _happened(
        self,
        outcome: Outcome,
        pod: str,
        *,
        node: str = "",
        message: str = "",
        by: str = "",
        problem: Problem | None = None,
        grace: int = 0,
    ) -> Step:
        """The next step, which took no search."""
        step = self._recorded.next() or Step(
            self._number, self._now, outcome, pod, node=node, message=message, by=by, problem=problem, grace=grace
        )
        self._number += 1
        return step


# States and decisions of a simulation that is known already, computed again from its steps.


def state_after(case: Case, steps: Sequence[Step]) -> Simulation:
    """A simulation that has taken these steps, its first ones, and can go on."""
    simulation = Simulation(case, steps)
    for _ in steps:
        next(simulation)
    return simulation


def explained(case: Case, steps: Sequence[Step], number: int) -> Explanation:
    """The decision of an attempt, computed on the state before it. Raises ValueError for a step that was none."""
    return Simulation(case, steps[: number + 1]).explanation_at(number)


# Whether what a simulation was asked fits: the one answer that page, terminal and programs give.


class Verdict(NamedTuple):
    """Whether what was asked fits, and the first pods that are ``pending`` or ``uncertain``.

    ``uncertainties``: why pods are uncertain. ``message``: the scheduler's about the first pending pod, or the
    ``problem`` in its place; ``doubts``: why the first uncertain one is so, where nothing else is the matter. ``kept``:
    the first pods that keep a node from being drained, where no pod is pending. ``forbidden``: the first pods that
    the API server refused; ``message`` is the API server's about the first, where no pod is pending.
    """

    conclusion: Conclusion
    pending: list[str]
    uncertain: list[str]
    uncertainties: list[Uncertainty]
    has_pods: bool
    message: str | None = None
    doubts: tuple[Uncertainty, ...] = ()
    problem: Problem | None = None
    kept: Sequence[str] = ()
    forbidden: Sequence[str] = ()

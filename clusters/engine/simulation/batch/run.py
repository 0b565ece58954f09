"""A simulation in which the pending pods at one moment are placed together, as one flow through a network.

Everything else is as where they are placed one after another; only that nobody is preempted.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clusters.engine.explanation import Explanation
from clusters.engine.failure import Failure, attempt
from clusters.engine.refusal import rejecting
from clusters.engine.simulation.batch.gangs import POD_GROUP, Gangs, fill_freely, fill_with_gangs, group_of
from clusters.engine.simulation.batch.lots import Applicant
from clusters.engine.simulation.batch.moves import Moves
from clusters.engine.simulation.batch.rounds import Evicted, Filling, Placed
from clusters.engine.simulation.choice import choose
from clusters.engine.simulation.deciding import not_computed
from clusters.engine.simulation.kinds import PodKinds
from clusters.engine.simulation.problems import PodGroupDoesNotFit
from clusters.engine.simulation.run import UNTRIED, Simulation
from clusters.engine.simulation.steps import Outcome, Step
from clusters.engine.simulation.successors import running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.cycle import Cycle
    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.engine.simulation.batch.problem import Solve
    from clusters.engine.simulation.case import Case
    from clusters.engine.status import Ints


_TRIED = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.NOT_COMPUTED})


class _Reason(NamedTuple):
    """Why a pod is unschedulable: the scheduler's message and the plugins that rejected nodes, or a problem."""

    message: str
    plugins: tuple[str, ...]
    problem: Problem | None


class BatchSimulation(Simulation):
    """The steps of a case, each of which has happened to ``snapshot`` when it is yielded.

    ``recorded`` are its first steps, known from an earlier run: they are gone through again without any search, and
    the moment in which they end is computed again only when more steps are asked for. With ``reschedules`` pods may
    move that run already; with ``gangs="pod-group"`` the pods of a group are placed together or not at all.

    Ordinals that their StatefulSet creates once others have nodes are placed by a flow of their own, at the same time.

    A placed step's total and ties are those of the node that the flow chose, when the pod's turn came; its ``plugins``
    had the pod taken back from other nodes before, and ``relaxed`` counts them: what the flow could not express.
    """

    def __init__(
        self, case: Case, solve: Solve, recorded: Iterable[Step] = (), *, reschedules: bool = False, gangs: str = ""
    ) -> None:
        if gangs not in ("", POD_GROUP):
            raise ValueError(f"gangs: {gangs!r} is not known; use {POD_GROUP!r}, or nothing to place pods singly")
        self._known = list(recorded)
        super().__init__(case, self._known)
        self._refused: Counter[str] = Counter()
        self.relaxed: Mapping[str, int] = self._refused
        self._solve, self._reschedules, self._gangs = solve, reschedules, gangs
        self._kinds = PodKinds(case.configuration, self.snapshot)
        self._planned: list[Step] = []
        self._computes_at = -1
        # Pods move once at one time: a move wakes others, for whom more might move, without an end.
        self._moved_at = -1

    # -- one moment --------------------------------------------------------------------------------------

    def _try_all(self) -> Iterator[Step]:
        """Place all who wait: by what is recorded, and what is missing there by a flow."""
        while due := self._due():
            yield from self._together(due)
        yield from self._tell_held()

    def _due(self) -> list[Applicant]:
        """Who is to be placed now: who is in line, all others of their kinds, and the rest of their groups."""
        course = self._course
        keys = self._in_line()
        kinds = {course.kind_of(key).number for key in keys}
        groups = {group_of(course.document_of(key)) for key in keys} - {""} if self._gangs else set()
        for key, step in list(course.waiting.items()):
            if step.outcome in UNTRIED or course.kind_of(key).profile is None or key in keys:
                continue
            if course.kind_of(key).number in kinds or group_of(course.document_of(key)) in groups:
                course.requeue(key)
        return self._applicants(keys + self._in_line())

    def _applicants(self, keys: Sequence[str]) -> list[Applicant]:
        course = self._course
        return [Applicant(key, course.document_of(key), course.kind_of(key), turn) for turn, key in enumerate(keys)]

    def _in_line(self) -> list[str]:
        keys = []
        while (key := self._course.line.pop()) is not None:
            keys.append(key)
        return keys

    def _together(self, due: Sequence[Applicant]) -> Iterator[Step]:
        start = self._number
        left = {each.key for each in due}
        taken: list[Step] = []
        if start != self._computes_at:
            while self._next_is_mine(left):
                taken.append(self._applied(None, left))
                yield taken[-1]
        if start == self._computes_at or self._recorded.peek() is None:
            self._planned = self._continued(start, taken, left) if taken else self._computed(due)
            for step in self._planned:
                taken.append(self._applied(step, left))
                yield taken[-1]
        self._moved_at = self._now
        for each in due:
            # Who is pending as before says nothing new, and stays pending.
            if each.key in left:
                self._course.fail(each.key, self._course.waiting[each.key])
        for step in taken:
            if step.outcome is Outcome.PLACED and (ordinal := self._held.next_after(step.pod)) is not None:
                yield from self._create(ordinal)

    def _next_is_mine(self, left: set[str]) -> bool:
        """Whether the next recorded step belongs to the placing of this moment.

        An earlier release placed ordinals, too, that are held back now: they come to be as it did.
        """
        step = self._recorded.peek()
        if step is None or step.at != self._now:
            return False
        early = self._held.let_go(step.pod) if step.outcome in _TRIED else None
        if early is not None:
            self._admission.admit(early, step)
            left.add(self._course.arrive(early))
        return self._is_mine(step, left)

    def _is_mine(self, step: Step, left: set[str]) -> bool:
        """Whether a recorded step of this time belongs to the placing, rather than to a drain or a taint."""
        if step.outcome is Outcome.EVICTED:
            # Pods move for another pod, or for more points than they have; earlier releases wrote a message.
            return step.total is not None or self._course.is_known(step.by) or bool(step.message)
        return step.outcome in _TRIED and step.pod in left

    def _continued(self, start: int, taken: Sequence[Step], left: set[str]) -> list[Step]:
        """The steps that follow on those ``taken`` of a moment that began with step ``start``."""
        planned = self._planned_again(start)
        if planned[: len(taken)] == taken:
            return planned[len(taken) :]
        # An earlier release placed other pods together; who is left is placed as things are.
        return self._computed(self._applicants(sorted(left))) if left else []

    def _planned_again(self, start: int) -> list[Step]:
        """All steps of a moment, some of which are recorded: computed on the state before the first of them."""
        twin = BatchSimulation(self._case, self._solve, self._known, reschedules=self._reschedules, gangs=self._gangs)
        twin._computes_at = start
        for _ in range(start + 1):
            next(twin, None)
        return twin._planned

    def _applied(self, planned: Step | None, left: set[str]) -> Step:
        """Bring the state forward by the recorded step, or one that is ``planned``.

        ``left`` are the pods that are to be placed and have no step yet.
        """
        course = self._course
        step = self._recorded.next() or planned
        assert step is not None  # noqa: S101 - what is not planned was seen to be recorded
        self._number += 1
        if step.outcome is Outcome.EVICTED:
            document, _ = course.remove(step.pod)
            copied = course.replace(step.pod, document)
            if copied is not None:
                left.add(course.arrive(copied))
            return step
        left.discard(step.pod)
        if step.number == self._explains:
            self._explanation, _ = course.explain(step.pod)
        if step.outcome is Outcome.PLACED:
            self._claims.take_in(step)
            course.place(step.pod, course.snapshot.nodes.index[step.node])
            self._refused.update(step.plugins)
        elif step.outcome is Outcome.NOT_COMPUTED:
            self._park(step.pod, step)
        else:
            course.fail(step.pod, step)
        return step

    # -- the flow ----------------------------------------------------------------------------------------

    def _computed(self, due: Sequence[Applicant]) -> list[Step]:
        """The steps that place who is due; those whose attempt fails step aside for the others."""
        steps = attempt(lambda: self._planned_for(due))
        if not isinstance(steps, Failure):
            return steps
        filling = Filling(self.snapshot.copy(), self._order)
        failures: dict[int, Failure] = {}
        for each in {each.kind.number: each for each in due}.values():
            cycle = attempt(partial(filling.cycle_of, each))
            if isinstance(cycle, Failure):
                failures[each.kind.number] = cycle
        sound = [each for each in due if failures and each.kind.number not in failures]
        # Where the flow fails of sound pods, none of them can be placed by it.
        aside = [(each, failures.get(each.kind.number, steps)) for each in due if each not in sound]
        planned = self._computed(sound) if sound else []
        number = self._number + len(planned)
        for each, why in aside:
            self.failures.setdefault(each.kind.number, why)
        failed = (not_computed(number + turn, self._now, each.key, why) for turn, (each, why) in enumerate(aside))
        return [*planned, *failed]

    def _planned_for(self, due: Sequence[Applicant]) -> list[Step]:
        if len(due) == 1 and not self._gangs and not self._reschedules:
            return self._alone(due[0])
        filling = Filling(self.snapshot.copy(), self._order)
        gangs = Gangs(filling.snapshot, due, self._members()) if self._gangs else None
        if gangs is None:
            filling = fill_freely(filling, due, self._solve)
        else:
            filling = fill_with_gangs(filling, due, gangs, self._solve)
        done = {act.applicant.key for act in filling.placed}
        left = [each for each in due if each.key not in done]
        if self._reschedules and self._moved_at != self._now:
            others = [self.document_of(key) for key in self.waiting]
            moves = Moves.at(self._course, self._lying(), others, self._kinds)
            # A group's pods are let in together or not at all, and making room goes pod by pod.
            alone = [each for each in left if gangs is None or not gangs.of(each)]
            filling, _ = moves.let_in(filling, alone)
            filling = moves.improve(filling)
            done = {act.applicant.key for act in filling.placed}
            left = [each for each in left if each.key not in done]
        steps = [self._step_of(act, self._number + turn) for turn, act in enumerate(filling.acts)]
        return [*steps, *self._failures(filling, left, gangs, self._number + len(steps))]

    def _alone(self, applicant: Applicant) -> list[Step]:
        """The step of a pod that nobody else waits with."""
        filling = Filling(self.snapshot, self._order)
        cycle = filling.cycle_of(applicant)
        if len(cycle.best):
            placed = filling.chosen(applicant, cycle, np.arange(len(cycle.feasible)))
            return [self._step_of(placed, self._number)]
        return list(self._failures(filling, [applicant], None, self._number))

    @cached_property
    def _order(self) -> Ints:
        """A rank for each node, other ones with each seed, shape (N,)."""
        count = len(self.snapshot.nodes)
        drawn = np.array([choose(self._case.seed, row, 1 << 62) for row in range(count)], np.int64)
        ranks = np.empty(count, np.int64)
        ranks[np.argsort(drawn, kind="stable")] = np.arange(count)
        return ranks

    def _lying(self) -> dict[str, Document]:
        """The documents of all pods on nodes, as far as there are any, by key."""
        pods, found = self.snapshot.pods, {}
        for key, slot in pods.slot_of.items():
            known = self._course.known(key) if pods.node[slot] >= 0 else None
            if known is not None:
                found[key] = known if self._case.placed.get(key) is known else running(known)
        return found

    def _members(self) -> Counter[str]:
        """How many pods of each group have a node."""
        return Counter(group_of(pod) for pod in self._lying().values())

    def _step_of(self, act: Placed | Evicted, number: int) -> Step:
        if isinstance(act, Evicted):
            return Step(number, self._now, Outcome.EVICTED, act.key, act.node, act.total, by=act.by)
        return Step(
            number,
            self._now,
            Outcome.PLACED,
            act.applicant.key,
            act.node,
            act.total,
            act.ties,
            act.feasible,
            len(self.snapshot.nodes),
            act.refused_by,
            uncertain=self._course.uncertainties_of(act.applicant.key, act.applicant.kind),
        )

    def _failures(
        self, filling: Filling, left: Sequence[Applicant], gangs: Gangs | None, number: int
    ) -> Iterator[Step]:
        """A step for each pod that is pending and was not before, or for another reason."""
        cycles: dict[int, Cycle] = {}
        for each in left:
            cycle = cycles.get(each.kind.number)
            if cycle is None:
                cycle = cycles[each.kind.number] = filling.cycle_of(each)
            group = "" if gangs is None else gangs.of(each)
            reason = _reason(cycle, group, 0 if gangs is None else gangs.missing.get(group, 0))
            known = self.waiting.get(each.key)
            if known is not None and (known.message, known.plugins, known.problem) == reason:
                continue
            looked_at = 0 if cycle.stopped_by is not None else int(cycle.considered.sum())
            yield Step(
                number,
                self._now,
                Outcome.UNSCHEDULABLE,
                each.key,
                feasible=len(cycle.feasible),
                looked_at=looked_at,
                plugins=reason.plugins,
                message=reason.message,
                problem=reason.problem,
            )
            number += 1


def _reason(cycle: Cycle, group: str, missing: int) -> _Reason:
    if len(cycle.choices):
        return _Reason("", (), PodGroupDoesNotFit(group, missing))
    return _Reason(Explanation(cycle).refusal or "", () if cycle.error is not None else rejecting(cycle), None)

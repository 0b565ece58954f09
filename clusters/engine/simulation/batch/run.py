"""A simulation in which the pods that wait at one moment are placed together, as one flow through a network.

Everything else is as where they are placed one after another: what is placed is ready, and pods leave when their time
is over. Nobody is preempted.
"""

from __future__ import annotations

import heapq
from collections import Counter
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.explanation import Explanation
from clusters.engine.objects import key_of
from clusters.engine.queue import REQUEUED_BY
from clusters.engine.simulation.batch.gangs import POD_GROUP, Gangs, fill_freely, fill_with_gangs, group_of
from clusters.engine.simulation.batch.lots import Applicant
from clusters.engine.simulation.batch.moves import Moves
from clusters.engine.simulation.batch.rounds import Evicted, Filling, Placed
from clusters.engine.simulation.choice import choose
from clusters.engine.simulation.finding import rejecting
from clusters.engine.simulation.kinds import Kinds
from clusters.engine.simulation.steps import Outcome, Step
from clusters.engine.simulation.successors import Successors, running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.cycle import Cycle
    from clusters.engine.objects import Document
    from clusters.engine.simulation.batch.problem import Solve
    from clusters.engine.simulation.case import Case

# What happens first at one time: pods leave, others arrive, all that wait are placed, and those leave that passed by.
_LEAVES, _ARRIVES, _PASSES = range(3)
_OF_BATCH: Final = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.EVICTED})


class BatchSimulation:
    """The steps of a case, each applied to ``snapshot`` when it is yielded.

    ``recorded`` are its first steps, known from an earlier run: they are gone through again without any search, and
    the moment in which they end is computed again only when more steps are asked for. With ``reschedules`` pods may
    move that run already; with ``gangs="pod-group"`` the pods of a group are placed together or not at all.

    A placed step's total and ties are those of the node that the flow chose, when the pod's turn came; its ``plugins``
    had the pod taken back from other nodes before, and ``relaxed`` counts them: what the flow could not express.
    """

    def __init__(
        self, case: Case, solve: Solve, recorded: Iterable[Step] = (), *, reschedules: bool = False, gangs: str = ""
    ) -> None:
        if gangs not in ("", POD_GROUP):
            raise ValueError(f"gangs: {gangs!r} is not known; use {POD_GROUP!r}, or nothing to place pods singly")
        self.case = case
        self.snapshot = case.snapshot.copy()
        self.pods_total = len(case.wanted)
        self.pods_done = 0
        self._waiting: dict[str, Step] = {}
        self.waiting: Mapping[str, Step] = self._waiting
        self._refused: Counter[str] = Counter()
        self.relaxed: Mapping[str, int] = self._refused
        self._solve, self._reschedules, self._gangs = solve, reschedules, gangs
        self._recorded = list(recorded)
        self._kinds = Kinds(case.configuration)
        self._documents: dict[str, Document] = {}
        self._entered: dict[str, int] = {}
        self._replaced_by: dict[str, str] = {}
        self._arrived: list[str] = []
        self._events: set[str] = set()
        self._taken = {*case.placed, *case.snapshot.pods.slot_of, *(key_of(wanted.pod) for wanted in case.wanted)}
        self._number, self._now = 0, 0
        self._planned: list[Step] = []
        self._computes_at = -1
        self._steps = self._run()

    def __iter__(self) -> Iterator[Step]:
        return self

    def __next__(self) -> Step:
        return next(self._steps)

    def document_of(self, key: str) -> Document:
        """A pod as it was wanted or copied, or as it lay on its node from the beginning. Raises KeyError."""
        found = self._documents.get(key)
        return self.case.placed[key] if found is None else found

    # -- time --------------------------------------------------------------------------------------------

    def _run(self) -> Iterator[Step]:
        events = []
        for order, wanted in enumerate(self.case.wanted):
            events.append((wanted.at, _ARRIVES, order))
            if wanted.until is not None:
                passes = wanted.until <= wanted.at
                events.append((max(wanted.at, wanted.until), _PASSES if passes else _LEAVES, order))
        heapq.heapify(events)
        while events:
            self._now, phase, order = heapq.heappop(events)
            pod = self.case.wanted[order].pod
            if phase == _ARRIVES:
                self.pods_done += 1
                yield from self._arrive(pod)
            else:
                yield from self._leave(key_of(pod))
            following = events[0] if events else None
            if following is None or following[0] != self._now or following[1] == _PASSES:
                yield from self._together()

    def _arrive(self, pod: Document) -> Iterator[Step]:
        key, kind = key_of(pod), self._kinds.of(pod)
        self._documents[key] = pod
        self._entered[key] = len(self._entered)
        if self.snapshot.placed_on(key) is not None:
            self.snapshot.delete({**pod, "kind": "Pod"})
        if kind.profile is None or kind.gates:
            outcome = Outcome.GATED if kind.gates else Outcome.UNSCHEDULABLE
            yield self._applied(self._next(outcome, key, message=kind.gates or kind.problem))
        else:
            self._arrived.append(key)

    def _leave(self, key: str) -> Iterator[Step]:
        """Let a pod go whose time is over, or the one that took its place when it moved."""
        while key in self._replaced_by:
            key = self._replaced_by[key]
        if key in self._documents:
            yield self._applied(self._next(Outcome.LEFT, key, node=self.snapshot.placed_on(key) or ""))

    def _next(self, outcome: Outcome, key: str, *, node: str = "", message: str = "") -> Step:
        """A step that needs no search: the recorded one where there is one."""
        if self._number < len(self._recorded):
            return self._recorded[self._number]
        return Step(self._number, self._now, outcome, key, node=node, message=message)

    # -- one moment --------------------------------------------------------------------------------------

    def _together(self) -> Iterator[Step]:
        """Place all who wait: by what is recorded, and what is missing there by a flow."""
        due = self._due()
        self._arrived, self._events = [], set()
        if not due and not self._reschedules:
            return
        start, is_asked = self._number, self._number == self._computes_at
        mine = [] if is_asked else list(takewhile(self._is_mine, islice(self._recorded, start, None)))
        for step in mine:
            yield self._applied(step)
        if is_asked or self._number >= len(self._recorded):
            self._planned = self._planned_again(start)[len(mine) :] if mine else self._computed(due)
            for step in self._planned:
                yield self._applied(step)

    def _is_mine(self, step: Step) -> bool:
        """Whether a recorded step belongs to the placing of this moment."""
        return step.at == self._now and step.outcome in _OF_BATCH

    def _planned_again(self, start: int) -> list[Step]:
        """All steps of a moment, some of which are recorded: computed on the state before the first of them."""
        twin = BatchSimulation(self.case, self._solve, self._recorded, reschedules=self._reschedules, gangs=self._gangs)
        twin._computes_at = start
        for _ in range(start + 1):
            next(twin)
        return twin._planned

    def _due(self) -> list[Applicant]:
        """Who is to be placed now: who arrived, who waits for what has happened, and the rest of their groups."""
        events = self._events | ({"Pod/Add"} if self._arrived else set())
        due = set(self._arrived)
        for key, step in self._waiting.items():
            kind = self._kinds.of(self._documents[key])
            if kind.profile is None or kind.gates or not events:
                continue
            if not step.plugins or any(events.intersection(REQUEUED_BY.get(plugin, ())) for plugin in step.plugins):
                due.add(key)
        if self._gangs:
            groups = {group_of(self._documents[key]) for key in due} - {""}
            due |= {
                key
                for key in self._waiting
                if group_of(self._documents[key]) in groups and not self._kinds.of(self._documents[key]).gates
            }
        turns = sorted(due, key=self._entered.__getitem__)
        return [
            Applicant(key, self._documents[key], self._kinds.of(self._documents[key]), self._entered[key])
            for key in turns
        ]

    def _computed(self, due: Sequence[Applicant]) -> list[Step]:
        """The steps that place who is due."""
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
        if self._reschedules:
            others = [self._documents[key] for key in self._waiting]
            moves = Moves.at(self.snapshot, self._lying(), others, self._kinds, self._taken)
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
    def _order(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """A rank for each node, other ones with each seed, shape (N,)."""
        count = len(self.snapshot.nodes)
        drawn = np.array([choose(self.case.seed, row, 1 << 62) for row in range(count)], np.int64)
        ranks = np.empty(count, np.int64)
        ranks[np.argsort(drawn, kind="stable")] = np.arange(count)
        return ranks

    def _lying(self) -> dict[str, Document]:
        """The documents of all pods that lie on nodes, as far as there are any, by key."""
        known = {**self.case.placed, **{key: running(pod) for key, pod in self._documents.items()}}
        return {key: pod for key, pod in known.items() if self.snapshot.placed_on(key) is not None}

    def _members(self) -> Counter[str]:
        """How many pods of each group have a node."""
        return Counter(group_of(pod) for pod in self._lying().values())

    def _step_of(self, act: Placed | Evicted, number: int) -> Step:
        if isinstance(act, Evicted):
            return Step(number, self._now, Outcome.EVICTED, act.key, act.node, message=act.message, by=act.by)
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
        )

    def _failures(
        self, filling: Filling, left: Sequence[Applicant], gangs: Gangs | None, number: int
    ) -> Iterator[Step]:
        """A step for each pod that is left over and was not before, or for another reason."""
        cycles: dict[int, Cycle] = {}
        for each in left:
            cycle = cycles.get(each.kind.number)
            if cycle is None:
                cycle = cycles[each.kind.number] = filling.cycle_of(each)
            group = "" if gangs is None else gangs.of(each)
            message, plugins = _reason(cycle, group, 0 if gangs is None else gangs.missing.get(group, 0))
            known = self._waiting.get(each.key)
            if known is not None and (known.message, known.plugins) == (message, plugins):
                continue
            looked_at = 0 if cycle.stopped_by is not None else int(cycle.considered.sum())
            yield Step(
                number,
                self._now,
                Outcome.UNSCHEDULABLE,
                each.key,
                feasible=len(cycle.feasible),
                looked_at=looked_at,
                plugins=plugins,
                message=message,
            )
            number += 1

    # -- steps -------------------------------------------------------------------------------------------

    def _applied(self, step: Step) -> Step:
        """Bring the state forward by a step."""
        self._number = step.number + 1
        if step.outcome is Outcome.PLACED:
            self._waiting.pop(step.pod, None)
            self.snapshot.assume(running(self._documents[step.pod]), step.node)
            self._refused.update(step.plugins)
        elif step.outcome in (Outcome.LEFT, Outcome.EVICTED):
            self._remove(step)
        else:
            self._waiting[step.pod] = step
        return step

    def _remove(self, step: Step) -> None:
        """Take a pod out of the cluster; its controller makes one in the place of one that was evicted."""
        pod = self.document_of(step.pod) if step.outcome is Outcome.EVICTED else self._documents[step.pod]
        self.snapshot.delete({**pod, "kind": "Pod"})
        self._documents.pop(step.pod, None)
        self._waiting.pop(step.pod, None)
        self._events.add("Pod/Delete")
        if step.outcome is not Outcome.EVICTED:
            return
        copied = Successors().of(self.snapshot, pod, self._taken.__contains__)
        if copied is not None:
            for claim in copied.claims:
                self.snapshot.upsert(claim)
            key = key_of(copied.pod)
            self._taken.add(key)
            self._documents[key] = copied.pod
            if key != step.pod:
                self._replaced_by[step.pod] = key


def _reason(cycle: Cycle, group: str, missing: int) -> tuple[str, tuple[str, ...]]:
    """Why a pod is left over: the message, and the plugins that rejected nodes."""
    if len(cycle.best):
        return f"pod group {group}: fewer than the {missing} pods that are needed together find a node", ()
    if cycle.score_error is not None and len(cycle.feasible):
        failed = cycle.score_error
        return f"running Score plugins: {failed.plugin}: {', '.join(failed.status.reasons)}", ()
    return Explanation(cycle).fit_error or "", rejecting(cycle)

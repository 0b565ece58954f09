"""Groups of pods in a simulation: they enter the queue together, and are placed together or not at all.

A pod that waits for its group is told of once nothing else happens. In 1.35 pods of a gang keep their nodes for some
minutes while they wait for others at Permit; here they do not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusters.engine.conclusion import UncomputedField, UncomputedObject
from clusters.engine.explanation import explain
from clusters.engine.group_cycle import attempt_group
from clusters.engine.podgroups.reference import field_of, group_key_of
from clusters.engine.registry import PLUGINS, held_back
from clusters.engine.simulation.choice import choose
from clusters.engine.simulation.steps import Outcome, Step
from clusters.engine.ties import first_found
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.cycle import Cycle
    from clusters.engine.explanation import Explanation
    from clusters.engine.group_attempt import GroupAttempt, MemberAttempt
    from clusters.engine.objects import Pod
    from clusters.engine.simulation.course import Course
    from clusters.engine.simulation.kinds import PodKind


class GroupTrials:
    """Who waits for a group, and what becomes of the pods of a group that are tried together."""

    def __init__(self, course: Course, seed: int) -> None:
        self._course, self._seed = course, seed
        # Pods that wait for their group, with what keeps them out of the queue, and what was told of it.
        self._held: dict[str, str] = {}
        self._told: dict[str, str] = {}

    def concerns(self, key: str) -> bool:
        """Whether a pod is scheduled with a group."""
        release = self._course.snapshot.release
        return release.enables(Gate.GENERIC_WORKLOAD) and group_key_of(self._pod(key), release) is not None

    def _pod(self, key: str) -> Pod:
        return self._course.kind_of(key).pod

    def holds(self, key: str) -> bool:
        """Whether a pod that has arrived is kept out of the queue by its group."""
        profile = self._course.kind_of(key).profile
        if profile is None or not self.concerns(key):
            return False
        rejection = held_back(self._pod(key), profile, self._course.snapshot)
        self._held.pop(key, None)
        if rejection is not None:
            self._held[key] = ", ".join(rejection.status.reasons)
        return rejection is not None

    def released(self) -> Iterator[str]:
        """The pods that wait for their group no longer, each once, in the order in which they came."""
        for key in list(self._held):
            if not self._course.is_known(key):
                del self._held[key]
            elif not self.holds(key):
                self._told.pop(key, None)
                self._course.waiting.pop(key, None)
                yield key

    def untold(self) -> Iterator[tuple[str, str]]:
        """The pods that wait for their group of which it is not told yet, with the scheduler's words."""
        for key, message in list(self._held.items()):
            if self._told.get(key) != message and self._course.is_known(key):
                self._told[key] = message
                yield key, message

    def explain(self, key: str) -> Explanation:
        """Explain a pod with its group."""
        profile = self._course.kind_of(key).profile
        assert profile is not None  # noqa: S101 - nobody else is in line
        return explain(self._course.snapshot, self._course.document_of(key), profile)

    def explain_waiting(self, untried: frozenset[Outcome]) -> Iterator[tuple[list[str], Explanation]]:
        """Explain, as things are now, the pods that were tried without success: those that are alike together, once."""
        alike: dict[PodKind, list[str]] = {}
        for key, step in self._course.waiting.items():
            kind = self._course.kind_of(key)
            if step.outcome not in untried and kind.profile is not None:
                alike.setdefault(kind, []).append(key)
        for keys in alike.values():
            yield keys, self.explain(keys[0]) if self.concerns(keys[0]) else self._course.explain(keys[0])[0]

    def apply(self, step: Step) -> None:
        """Let a step of an attempt happen."""
        self._course.line.discard(step.pod)
        if step.outcome is Outcome.PLACED:
            self._course.place(step.pod, self._course.snapshot.nodes.index[step.node])
        else:
            self._course.fail(step.pod, step)

    def steps(self, key: str, number: int, at: int) -> list[Step]:
        """The steps of an attempt to place the group of a pod, from a number on; none where it is placed by itself."""
        profile = self._course.kind_of(key).profile
        assert profile is not None  # noqa: S101 - nobody else is in line
        found = attempt_group(
            self._course.snapshot,
            self._pod(key),
            profile,
            choose=lambda turn, cycle: self._taken(number + turn, cycle),
            settles=True,
        )
        if found is None:
            return []
        plugins = {name for name in profile.permit if name in PLUGINS and PLUGINS[name].asks_for_group}
        plugins |= {name for member in found.members for name in member.plugins}
        members = [each for each in found.members if self._course.is_known(each.pod)]
        if not members:
            # An attempt that ends before anybody is tried is that of the pod alone.
            return [_refused(number, at, key, found.pod_message, found, tuple(sorted(plugins)))]
        return [
            self._placed(number + turn, at, member, found)
            if member.node and not found.is_blocking
            else _refused(number + turn, at, member.pod, found.message_of(member), found, tuple(sorted(plugins)))
            for turn, member in enumerate(members)
        ]

    def _taken(self, number: int, cycle: Cycle) -> int:
        row = first_found(cycle, self._course.order)
        return int(cycle.choices[choose(self._seed, number, len(cycle.choices))]) if row is None else row

    def _placed(self, number: int, at: int, member: MemberAttempt, found: GroupAttempt) -> Step:
        kind = self._course.kind_of(member.pod)
        uncertain = self._course.uncertainties_of(member.pod, kind)
        if not found.is_open:
            uncertain = tuple(each for each in uncertain if not self._is_of_group(each, kind.pod))
        return Step(
            number,
            at,
            Outcome.PLACED,
            member.pod,
            member.node,
            member.total,
            member.ties,
            member.feasible,
            member.looked_at,
            uncertain=uncertain,
        )

    def _is_of_group(self, uncertainty: Uncertainty, pod: Pod) -> bool:
        field = field_of(pod, self._course.snapshot.release)
        is_of_field = isinstance(uncertainty, UncomputedField) and uncertainty.field == field
        return is_of_field or isinstance(uncertainty, UncomputedObject)


def _refused(number: int, at: int, key: str, message: str, found: GroupAttempt, plugins: tuple[str, ...]) -> Step:
    member = next((each for each in found.members if each.pod == key), None)
    looked_at = 0 if member is None else member.looked_at
    step = Step(number, at, Outcome.UNSCHEDULABLE, key, looked_at=looked_at, plugins=plugins, message=message)
    return step if member is None else replace(step, feasible=member.feasible)

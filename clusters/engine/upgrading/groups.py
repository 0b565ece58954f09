"""What each release does with the groups of pods of which some are pending, and which rule brings a difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration import ConfigurationError, SchedulerConfiguration, UnknownScheduler
from clusters.engine.group_states import GroupPhase, PodGroupState, pod_group_states
from clusters.engine.objects import Pod
from clusters.engine.scheduling.cost import Failure, Note, attempt
from clusters.engine.scheduling.groups import GroupVerdict, attempt_group
from clusters.engine.upgrading.rules import Amendment, amended, amendments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release

    World = tuple[Snapshot, SchedulerConfiguration]

# Each costs a cycle for each of its pods, under each release and rule.
MOST_GROUPS: Final = 50
# Their pods are not tried together.
_NOT_TRIED: Final = frozenset({GroupPhase.GATE_OFF, GroupPhase.NOT_FOUND, GroupPhase.WAITING_FOR_PODS})


@dataclass(frozen=True, slots=True)
class GroupPlacement:
    """What a release does with a group.

    ``verdict``: None where its pods are not tried together, or what comes of it failed. Of ``pods`` so many have a node
    or find one (``found``), and ``least`` have to (None with the basic policy). ``nodes``: those that its pending pods
    take, once for each pod; empty where the group gets none. ``domain`` and ``victims`` as of a GroupAttempt.
    """

    phase: GroupPhase
    verdict: GroupVerdict | None
    least: int | None
    pods: int
    found: int
    nodes: tuple[str, ...] = ()
    domain: str = ""
    victims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupChange:
    """A group that a release places otherwise than the minor before it; ``amendments`` as of an UpgradeChange."""

    group: str
    minor: str
    amendments: tuple[Amendment, ...]
    before: GroupPlacement
    after: GroupPlacement


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """The groups that differ; ``evaluated`` counts all that were tried, ``left_out`` those without an answer."""

    changes: tuple[GroupChange, ...] = ()
    evaluated: int = 0
    left_out: int = 0


class GroupsUnderReleases:
    """Tries the groups of which pods are pending under each release."""

    def __init__(
        self, world: Callable[[Release], World], alive: Callable[[], object], note: Note | None = None
    ) -> None:
        self._world, self._alive, self._note = world, alive, note

    def compared(self, releases: Sequence[Release]) -> GroupComparison:
        """Return the groups that a minor places otherwise than the one before it."""
        first, _ = self._world(releases[0])
        pending = [str(each.key) for each in pod_group_states(first) if each.pending]
        groups = pending[:MOST_GROUPS]
        answers = [self._placements(groups, release) for release in releases] if groups else []
        known = [group for group in groups if all(group in found for found in answers)]
        changes = [
            change
            for releases_of_step, found in zip(pairwise(releases), pairwise(answers), strict=bool(answers))
            for change in self._changes(known, releases_of_step, found)
        ]
        return GroupComparison(tuple(changes), len(known), len(pending) - len(known))

    def _changes(
        self,
        groups: Sequence[str],
        releases: tuple[Release, Release],
        answers: tuple[Mapping[str, GroupPlacement], Mapping[str, GroupPlacement]],
    ) -> Iterator[GroupChange]:
        before, after = answers
        unlike = [group for group in groups if before[group] != after[group]]
        causes: dict[str, list[Amendment]] = {group: [] for group in unlike}
        for amendment in amendments_of(*releases) if unlike else ():
            found = self._placements(unlike, amended(*releases, amendment))
            for group in unlike:
                if found.get(group) == after[group]:
                    causes[group].append(amendment)
        for group in unlike:
            yield GroupChange(group, releases[1].minor, tuple(causes[group]), before[group], after[group])

    def _placements(self, groups: Sequence[str], release: Release) -> dict[str, GroupPlacement]:
        """Try groups under a release; none where it does not read the configuration."""
        try:
            snapshot, configuration = self._world(release)
        except ConfigurationError:
            # What one rule needs of another, such as arguments of a gate: it says nothing alone.
            return {}
        states = {str(each.key): each for each in pod_group_states(snapshot)}
        found = {}
        for group in groups:
            self._alive()
            found[group] = self._placement(snapshot, states[group], configuration)
        return found

    def _placement(
        self, snapshot: Snapshot, state: PodGroupState, configuration: SchedulerConfiguration
    ) -> GroupPlacement:
        least = state.terms.policy.least if state.terms else None
        phase, pods = state.phase, len(state.members)
        untried = GroupPlacement(phase, None, least, pods, state.scheduled)
        if phase in _NOT_TRIED:
            return untried
        pod = next(Pod(member.document) for member in state.members.values() if not member.node)
        try:
            profile = configuration.profile_for(pod.document)
        except UnknownScheduler:
            return untried
        answer = attempt(partial(attempt_group, snapshot, pod, profile))
        if isinstance(answer, Failure):
            if self._note is not None:
                self._note(f"Pod group {state.key}", answer)
            return untried
        if answer is None:
            return untried
        is_placed = answer.verdict is GroupVerdict.SCHEDULED
        return GroupPlacement(
            phase,
            answer.verdict,
            least,
            pods,
            answer.found,
            tuple(sorted(each.node for each in answer.members if each.node)) if is_placed else (),
            answer.domain,
            answer.victims,
        )

"""Schedules the same pods under each minor on the way to a later one, and finds which rule brings which difference."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct, field

from clusters.engine.configuration import ConfigurationError, SchedulerConfiguration
from clusters.engine.scheduling.cost import Failure, Note, attempt
from clusters.engine.upgrading.drains import MOST_PAIRS, DrainComparison, DrainsUnderReleases, SampledDrains
from clusters.engine.upgrading.rules import (
    Amendment,
    ChangedDefault,
    StartObstacle,
    amended,
    amendments_of,
    changed_defaults,
    releases_between,
    start_obstacles,
)
from clusters.engine.upgrading.subjects import (
    AnswerAspect,
    GroupComparison,
    GroupsUnderReleases,
    NextPod,
    SchedulingAnswer,
    ScoreTip,
    SubjectRole,
    UpgradeSubject,
    answer_of,
    aspects_between,
    explained,
    next_pod,
    plugins_between,
    quotas_by_namespace,
    tip_between,
    with_claims,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.admission import Refusal
    from clusters.engine.objects import Document
    from clusters.engine.owners import Workload
    from clusters.engine.problems import Problem
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release


class UpgradeCase(Struct, frozen=True):
    """A cluster under the release that it runs, and a later one.

    ``resized``: pods on nodes whose requests not all releases count alike. ``configuration``: the scheduler's as a
    release reads it, which may raise ConfigurationError. ``alive`` is called before each part, and may raise. ``note``:
    told of pods whose answer cannot be computed. ``drains``: the pools that are drained. ``settings``: the feature
    gates that kube-scheduler is started with, also those that decide nothing here. ``quotas``: every ResourceQuota,
    with a status.
    """

    snapshot: Snapshot
    after: Release
    resized: Sequence[Document]
    configuration: Callable[[Release], SchedulerConfiguration]
    subjects: Sequence[UpgradeSubject]
    alive: Callable[[], object]
    note: Note | None = None
    most_pairs: int = MOST_PAIRS
    drains: SampledDrains = field(default_factory=SampledDrains)
    settings: Mapping[str, bool] = field(default_factory=dict)
    quotas: Sequence[Document] = ()


class UpgradeChange(Struct, frozen=True):
    """One thing that a release answers otherwise for a pod than the minor before it.

    ``amendments``: the rules each of which brings this alone; none where it takes several of them together.
    ``plugins``: whose rejections or scores differ. ``tip``: of another choice of nodes.
    """

    subject: UpgradeSubject
    aspect: AnswerAspect
    minor: str
    amendments: tuple[Amendment, ...]
    plugins: tuple[str, ...]
    before: SchedulingAnswer
    after: SchedulingAnswer
    tip: ScoreTip | None


class RefusedConfiguration(Struct, frozen=True):
    """The first minor whose kube-scheduler does not start with the configuration, and why."""

    minor: str
    path: str
    problem: Problem


class RefusedNextPod(Struct, frozen=True):
    """The next pod of a workload that the API server of either release refuses, and why, under the present one."""

    workload: Workload
    refusals: tuple[Refusal, ...]


class UpgradePreview(Struct, frozen=True):
    """What an upgrade changes. ``subjects``: all that were scheduled under both releases.

    ``nodes``: of the cluster. ``left_out``: pods and workloads beyond the most pairs. ``not_computed``: those whose
    answer failed. ``refused``: None where every minor starts with the configuration; changes go as far as the
    minor before it. ``defaults``: what the configuration means otherwise to each minor. ``refused_pods``: next pods
    that are not created under either release. ``tied``: those with several best nodes, of which the later release no
    longer takes any. ``groups``: the groups of pods that are placed otherwise.
    """

    before: str
    after: str
    nodes: int
    subjects: tuple[UpgradeSubject, ...]
    changes: tuple[UpgradeChange, ...]
    defaults: tuple[ChangedDefault, ...]
    left_out: int
    not_computed: int
    refused: RefusedConfiguration | None
    drains: DrainComparison = field(default_factory=DrainComparison)
    obstacles: tuple[StartObstacle, ...] = ()
    refused_pods: tuple[RefusedNextPod, ...] = ()
    groups: GroupComparison = field(default_factory=GroupComparison)
    tied: tuple[UpgradeSubject, ...] = ()

    def changed(self, role: SubjectRole) -> int:
        """Count the pending pods, or the workloads, of which anything changes."""
        return _weight({id(each.subject): each.subject for each in self.changes}.values(), role)

    def ties(self, role: SubjectRole) -> int:
        """Count the pending pods, or the workloads, of whose best nodes no longer any is taken."""
        return _weight(self.tied, role)

    def tried(self, role: SubjectRole) -> int:
        """Count the pending pods, or the workloads, that were tried."""
        return _weight(self.subjects, role)


def upgrade_preview(case: UpgradeCase) -> UpgradePreview:
    """Schedule the pods under both releases, and those that differ under each minor and rule between them."""
    releases, refused = _readable(case)
    upgrade = _Upgrade(case)
    first = upgrade.world(releases[0])
    nodes = len(first.snapshot.nodes)
    subjects = case.subjects[: max(1, case.most_pairs // max(1, nodes))]
    before = upgrade.answers(first, dict(enumerate(subjects)))
    answered = {number: subjects[number] for number in before}
    after = upgrade.answers(upgrade.world(releases[-1]), answered) if len(releases) > 1 else before
    unlike = {number: subjects[number] for number in after if aspects_between(before[number], after[number])}
    answers = {releases[0].minor: before, releases[-1].minor: after}
    for release in releases[1:-1]:
        answers[release.minor] = upgrade.answers(upgrade.world(release), unlike)
    # Of a pod without an answer under some minor in between nobody knows which of them brings the difference.
    unlike = {number: each for number, each in unlike.items() if all(number in found for found in answers.values())}
    changes = [
        change
        for earlier, later in pairwise(releases)
        for change in upgrade.changes(earlier, later, unlike, answers[earlier.minor], answers[later.minor])
    ]
    same = [number for number in after if not aspects_between(before[number], after[number])]
    evaluated = [subjects[number] for number in sorted({*same, *unlike})]
    drains = DrainsUnderReleases(case.drains, upgrade.state, case.alive, case.note).compared(releases)
    told = upgrade.failed | upgrade.unscheduled | {each.pods[0] for each in evaluated}
    return UpgradePreview(
        case.snapshot.release.minor,
        case.after.minor,
        nodes,
        tuple(evaluated),
        tuple(changes),
        tuple(
            default
            for earlier, later in pairwise(releases)
            for default in changed_defaults(case.configuration(earlier), case.configuration(later))
        ),
        sum(each.pods[0] not in told for each in case.subjects),
        len(upgrade.failed),
        refused,
        drains,
        start_obstacles(
            case.settings,
            case.configuration(releases[0]),
            releases_between(case.snapshot.release, case.after),
            case.snapshot.objects("CSIStorageCapacity"),
        ),
        tuple(
            RefusedNextPod(subjects[number].workload, before[number].refusals)
            for number in sorted(after)
            if before[number].refusals and after[number].refusals
        ),
        GroupsUnderReleases(upgrade.state, case.alive, case.note).compared(releases),
        tuple(
            subjects[number]
            for number in sorted(after)
            if after[number].takes_first and len(before[number].choices) > 1 and not before[number].takes_first
        ),
    )


class _World(Struct, frozen=True):
    snapshot: Snapshot
    configuration: SchedulerConfiguration


class _Upgrade:
    def __init__(self, case: UpgradeCase) -> None:
        self._case = case
        self._state = with_claims(case.snapshot, case.subjects)
        self._quotas = quotas_by_namespace(case.quotas)
        self.failed: set[str] = set()
        self.unscheduled: set[str] = set()

    def world(self, release: Release) -> _World:
        """The cluster under a release."""
        if release == self._state.release:
            return _World(self._state, self._case.configuration(release))
        counts_alike = release.counting == self._state.release.counting
        snapshot = self._state.read_as(release, () if counts_alike else self._case.resized)
        return _World(snapshot, self._case.configuration(release))

    def state(self, release: Release) -> tuple[Snapshot, SchedulerConfiguration]:
        """The cluster under a release, and what the configuration means to it."""
        world = self.world(release)
        return world.snapshot, world.configuration

    def answers(self, world: _World, subjects: Mapping[int, UpgradeSubject]) -> dict[int, SchedulingAnswer]:
        """Schedule pods; those that are not scheduled at all are missing."""
        found = {}
        for number, subject in subjects.items():
            self._case.alive()
            answer = self._answer(world, subject)
            if answer is not None:
                found[number] = answer
        return found

    def changes(
        self,
        earlier: Release,
        later: Release,
        subjects: Mapping[int, UpgradeSubject],
        before: Mapping[int, SchedulingAnswer],
        after: Mapping[int, SchedulingAnswer],
    ) -> list[UpgradeChange]:
        """Return what a minor answers otherwise than the one before it."""
        pairs = {number: (before[number], after[number]) for number in before.keys() & after.keys() & subjects.keys()}
        unlike = {number: aspects for number, pair in sorted(pairs.items()) if (aspects := aspects_between(*pair))}
        if not unlike:
            return []
        causes = self._causes(earlier, later, {number: (subjects[number], *pairs[number]) for number in unlike})
        worlds = self.world(earlier), self.world(later)
        found = []
        for number, aspects in unlike.items():
            for aspect in aspects:
                tip = self._tip(worlds, subjects[number]) if aspect is AnswerAspect.NODES else None
                plugins = plugins_between(*pairs[number]) if tip is None else (tip.plugin,)
                amendments = causes.get((number, aspect), ())
                found.append(
                    UpgradeChange(
                        subjects[number], aspect, later.minor, tuple(amendments), plugins, *pairs[number], tip
                    )
                )
        return found

    def _causes(
        self,
        earlier: Release,
        later: Release,
        unlike: Mapping[int, tuple[UpgradeSubject, SchedulingAnswer, SchedulingAnswer]],
    ) -> dict[tuple[int, AnswerAspect], list[Amendment]]:
        """Apply one rule at a time, until the whole difference is there."""
        causes: dict[tuple[int, AnswerAspect], list[Amendment]] = {}
        unexplained = dict(unlike)
        for amendment in amendments_of(earlier, later):
            if not unexplained:
                break
            try:
                world = self.world(amended(earlier, later, amendment))
            except ConfigurationError:
                # What one rule needs of another, such as arguments of a gate: it says nothing alone.
                continue
            found = self.answers(world, {number: entry[0] for number, entry in unexplained.items()})
            for number, answer in found.items():
                _, before, after = unexplained[number]
                brought = set(aspects_between(before, answer)) & set(aspects_between(before, after))
                for aspect in brought:
                    causes.setdefault((number, aspect), []).append(amendment)
                if answer == after:
                    del unexplained[number]
        return causes

    def _answer(self, world: _World, subject: UpgradeSubject) -> SchedulingAnswer | None:
        def compute() -> SchedulingAnswer | None:
            pod = self._next(world, subject)
            found = explained(world.snapshot, world.configuration, pod.document)
            return None if found is None else answer_of(found, pod.refusals)

        answer = attempt(compute)
        if isinstance(answer, Failure):
            self.failed.add(subject.pods[0])
            if self._case.note is not None:
                self._case.note(f"Pod {subject.pods[0]}", answer)
            return None
        if answer is None:
            self.unscheduled.add(subject.pods[0])
        return answer

    def _next(self, world: _World, subject: UpgradeSubject) -> NextPod:
        """The pod as a release's API server would store it; one that exists is as it is."""
        if subject.role is SubjectRole.PENDING:
            return NextPod(subject.document, ())
        return next_pod(world.snapshot, self._quotas, subject.document)

    def _tip(self, worlds: tuple[_World, _World], subject: UpgradeSubject) -> ScoreTip | None:
        self._case.alive()
        found = [
            explained(world.snapshot, world.configuration, self._next(world, subject).document) for world in worlds
        ]
        return None if found[0] is None or found[1] is None else tip_between(found[0], found[1])


def _readable(case: UpgradeCase) -> tuple[tuple[Release, ...], RefusedConfiguration | None]:
    """Return the releases up to the first later one that does not read the configuration."""
    releases = releases_between(case.snapshot.release, case.after)
    case.configuration(releases[0])
    for number, release in enumerate(releases[1:], 1):
        try:
            case.configuration(release)
        except ConfigurationError as error:
            return releases[:number], RefusedConfiguration(release.minor, error.path, error.problem)
    return releases, None


def _weight(subjects: Iterable[UpgradeSubject], role: SubjectRole) -> int:
    return sum(len(each.pods) for each in subjects if each.role is role)

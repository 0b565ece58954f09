"""What an upgrade changes as it is written down: for the terminal, the API and the page, and kept for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from clusters.documents.explanation import Part
from clusters.documents.stored_problems import encoded
from clusters.documents.upgrade_drains import UpgradePool, upgrade_pool
from clusters.documents.upgrade_pod_groups import UpgradePodGroup, upgrade_pod_group
from clusters.documents.upgrade_rules import UpgradeRule, written_rules
from clusters.engine.conclusion import Conclusion
from clusters.engine.upgrading.answers import AnswerAspect
from clusters.engine.upgrading.defaults import DefaultKind
from clusters.engine.upgrading.obstacles import ObstacleKind
from clusters.engine.upgrading.subjects import SubjectRole
from clusters.engine.versions import RELEASES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.admission import Refusal
    from clusters.engine.upgrading.answers import SchedulingAnswer
    from clusters.engine.upgrading.upgrade import UpgradeChange, UpgradePreview
    from clusters.engine.workloads.pod_template import Workload

# So many names of pods and nodes are written of each change; the rest is counted.
MOST_NAMES: Final = 20


class UpgradePodRefusal(Part, frozen=True, kw_only=True):
    """What the API server has against a pod: who says so, about which field; ``problem`` as rows store it."""

    by: str
    field: str
    problem: dict[str, Any]


class UpgradeAnswer(Part, frozen=True, kw_only=True):
    """What a scheduler answers for a pod; ``message`` is null where it fits, ``preemption`` where it makes no room."""

    verdict: Conclusion
    message: str | None
    nodes: tuple[str, ...]
    node_count: int
    preempted_on: str | None
    victims: tuple[str, ...]
    refusals: tuple[UpgradePodRefusal, ...]


class UpgradeTip(Part, frozen=True, kw_only=True):
    """The plugin whose points tip the choice: how many more than ``nodeBefore`` it gives ``nodeAfter``."""

    plugin: str
    node_before: str
    node_after: str
    lead_before: int
    lead_after: int


class UpgradeWorkload(Part, frozen=True, kw_only=True):
    """A workload; kind and name are empty for pods without a controller."""

    namespace: str
    kind: str
    name: str


class UpgradeRefusedPod(Part, frozen=True, kw_only=True):
    """The next pod of a workload, which is not created under either release."""

    workload: UpgradeWorkload
    refusals: tuple[UpgradePodRefusal, ...]


class UpgradeDifference(Part, frozen=True, kw_only=True):
    """One thing that a release answers otherwise for a pod, or for pods alike, than the minor before it."""

    release: str
    difference: AnswerAspect
    rules: tuple[UpgradeRule, ...]
    plugins: tuple[str, ...]
    role: SubjectRole
    workload: UpgradeWorkload
    pods: tuple[str, ...]
    pod_count: int
    before: UpgradeAnswer
    after: UpgradeAnswer
    tip: UpgradeTip | None


class UpgradeRefusal(Part, frozen=True, kw_only=True):
    """The first minor that does not start with the scheduler's configuration; ``problem`` as rows store it."""

    release: str
    field: str
    problem: dict[str, Any]


class UpgradeObstacle(Part, frozen=True, kw_only=True):
    """A feature gate or a plugin with which a minor does not start; ``value``: what the gate is set to."""

    release: str
    kind: ObstacleKind
    name: str
    value: bool | None


class UpgradeDefault(Part, frozen=True, kw_only=True):
    """Something that a release reads into a profile otherwise than the minor before it.

    ``name``: an extension point, or the path of a setting. ``before`` and ``after``: of a plugin its weight, true where
    it takes part without one, null where it does not; the order of plugins; the value of the setting.
    """

    release: str
    profile: str
    kind: DefaultKind
    plugin: str
    name: str
    before: Any
    after: Any


class UpgradeDocument(Part, frozen=True, kw_only=True):
    """What an upgrade changes; workloads are counted by their next pod, pod groups where they have pending pods."""

    before: str
    after: str
    nodes: int
    pending_pods: int
    pending_pods_changed: int
    workloads: int
    workloads_changed: int
    left_out: int
    not_computed: int
    refusal: UpgradeRefusal | None
    obstacles: tuple[UpgradeObstacle, ...]
    defaults: tuple[UpgradeDefault, ...]
    differences: tuple[UpgradeDifference, ...]
    refused_pods: tuple[UpgradeRefusedPod, ...]
    refused_pod_count: int
    drains: tuple[UpgradePool, ...]
    pools_left_out: int
    # Reviews and kept previews of earlier releases lack them.
    pod_groups: tuple[UpgradePodGroup, ...] = ()
    pod_group_count: int = 0
    pod_groups_left_out: int = 0
    tied_workloads: int = 0
    tied_pending_pods: int = 0
    pods_by_difference: dict[AnswerAspect, int] = msgspec.field(default_factory=dict)


def pods_by_difference(differences: Iterable[UpgradeDifference]) -> dict[AnswerAspect, int]:
    """Count the pods and workloads of some differences by that in which they differ."""
    counts: Counter[AnswerAspect] = Counter()
    for each in differences:
        counts[each.difference] += each.pod_count
    return dict(counts)


def upgrade_document(preview: UpgradePreview) -> UpgradeDocument:
    """Write down what an upgrade changes."""
    refused = preview.refused
    differences = tuple(map(_difference, preview.changes))
    return UpgradeDocument(
        before=preview.before,
        after=preview.after,
        nodes=preview.nodes,
        pending_pods=preview.tried(SubjectRole.PENDING),
        pending_pods_changed=preview.changed(SubjectRole.PENDING),
        workloads=preview.tried(SubjectRole.NEXT),
        workloads_changed=preview.changed(SubjectRole.NEXT),
        left_out=preview.left_out,
        not_computed=preview.not_computed,
        refusal=None
        if refused is None
        else UpgradeRefusal(release=refused.minor, field=refused.path, problem=encoded(refused.problem)),
        obstacles=tuple(
            UpgradeObstacle(release=each.minor, kind=each.kind, name=each.name, value=each.value)
            for each in preview.obstacles
        ),
        defaults=tuple(
            UpgradeDefault(
                release=each.minor,
                profile=each.profile,
                kind=each.kind,
                plugin=each.plugin,
                name=each.name,
                before=each.before,
                after=each.after,
            )
            for each in preview.defaults
        ),
        differences=differences,
        pods_by_difference=pods_by_difference(differences),
        refused_pods=tuple(
            UpgradeRefusedPod(workload=_workload(each.workload), refusals=_refusals(each.refusals))
            for each in preview.refused_pods[:MOST_NAMES]
        ),
        refused_pod_count=len(preview.refused_pods),
        drains=tuple(map(upgrade_pool, preview.drains.pools)),
        pools_left_out=preview.drains.left_out,
        pod_groups=tuple(map(upgrade_pod_group, preview.groups.changes)),
        pod_group_count=preview.groups.evaluated,
        pod_groups_left_out=preview.groups.left_out,
        tied_workloads=preview.ties(SubjectRole.NEXT),
        tied_pending_pods=preview.ties(SubjectRole.PENDING),
    )


class UpgradeGroup(NamedTuple):
    """The differences that one release brings by the same rules; no rule where it takes several together."""

    release: str
    rules: tuple[UpgradeRule, ...]
    differences: tuple[UpgradeDifference, ...]

    @property
    def pending_pods(self) -> int:
        """How many pending pods differ."""
        return _pods(self.differences, SubjectRole.PENDING)

    @property
    def workloads(self) -> int:
        """Of how many workloads the next pod differs."""
        return _pods(self.differences, SubjectRole.NEXT)


def upgrade_groups(document: UpgradeDocument) -> list[UpgradeGroup]:
    """Group the differences by release and rules, in the order of releases, the rule of most differences first."""
    members: dict[tuple[str, tuple[UpgradeRule, ...]], list[UpgradeDifference]] = {}
    for each in document.differences:
        members.setdefault((each.release, each.rules), []).append(each)
    found = [
        UpgradeGroup(release, rules, tuple(sorted(them, key=_gravity))) for (release, rules), them in members.items()
    ]
    minors = list(RELEASES)
    return sorted(found, key=lambda group: (minors.index(group.release), -group.pending_pods - group.workloads))


def _gravity(difference: UpgradeDifference) -> int:
    return list(AnswerAspect).index(difference.difference)


def _pods(differences: Iterable[UpgradeDifference], role: SubjectRole) -> int:
    return sum({each.pods[0]: each.pod_count for each in differences if each.role is role}.values())


def _difference(change: UpgradeChange) -> UpgradeDifference:
    subject, tip = change.subject, change.tip
    return UpgradeDifference(
        release=change.minor,
        difference=change.aspect,
        rules=written_rules(change.amendments),
        plugins=change.plugins,
        role=subject.role,
        workload=_workload(subject.workload),
        pods=subject.pods[:MOST_NAMES],
        pod_count=len(subject.pods),
        before=_answer(change.before),
        after=_answer(change.after),
        tip=None
        if tip is None
        else UpgradeTip(
            plugin=tip.plugin,
            node_before=tip.node_before,
            node_after=tip.node_after,
            lead_before=tip.lead_before,
            lead_after=tip.lead_after,
        ),
    )


def _answer(answer: SchedulingAnswer) -> UpgradeAnswer:
    return UpgradeAnswer(
        verdict=answer.conclusion,
        message=answer.message or None,
        nodes=answer.choices[:MOST_NAMES],
        node_count=len(answer.choices),
        preempted_on=answer.preempted_on or None,
        victims=answer.victims[:MOST_NAMES],
        refusals=_refusals(answer.refusals),
    )


def _workload(workload: Workload) -> UpgradeWorkload:
    return UpgradeWorkload(namespace=workload.namespace, kind=workload.kind, name=workload.name)


def _refusals(refusals: Iterable[Refusal]) -> tuple[UpgradePodRefusal, ...]:
    return tuple(UpgradePodRefusal(by=each.by, field=each.field, problem=encoded(each.problem)) for each in refusals)

"""What an upgrade changes as it is written down: for the terminal, the API and the page, and kept for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.documents.explanation import Part
from clusters.documents.stored_problems import encoded
from clusters.engine.conclusion import Conclusion
from clusters.engine.disruption import Block
from clusters.engine.group_states import GroupPhase
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.upgrading import (
    Amendment,
    AmendmentKind,
    AnswerAspect,
    DefaultKind,
    DrainAspect,
    DrainChange,
    GroupChange,
    GroupPlacement,
    NodeDrainAnswer,
    ObstacleKind,
    PoolDrain,
    ReplacedPod,
    SchedulingAnswer,
    SubjectRole,
    UpgradeChange,
    UpgradePreview,
)
from clusters.engine.versions import RELEASES
from clusters.wording.lists import first_of
from clusters.wording.upgrades import differences as words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.admission import Refusal
    from clusters.engine.owners import Workload

# The entries of the table of versions that bring a difference, as they are written down.


class UpgradeRule(Part, frozen=True, kw_only=True):
    """An entry of the table of versions; ``name`` is empty for the plugins with their points, order and weights."""

    kind: AmendmentKind
    name: str


def written_rules(amendments: Iterable[Amendment]) -> tuple[UpgradeRule, ...]:
    """Write down what brings a difference."""
    return tuple(UpgradeRule(kind=each.kind, name=each.name) for each in amendments)


# What an upgrade changes for the drain of each node pool, as it is written down.

# So many pods are written of each answer; the rest is counted.
MOST_PODS: Final = 20


class UpgradeReplacement(Part, frozen=True, kw_only=True):
    """An evicted pod and the node of its replacement; where that is not certain, something is not computed."""

    pod: str
    node: str
    is_certain: bool


class UpgradePending(Part, frozen=True, kw_only=True):
    """A pod whose replacement would have no node."""

    pod: str
    message: str


class UpgradeDrainAnswer(Part, frozen=True, kw_only=True):
    """What the drain of a node meets; ``block`` is null where it is drained.

    ``replacements``: where nodes alone differ, those that do.
    """

    block: Block | None
    replacements: tuple[UpgradeReplacement, ...]
    replacement_count: int
    pending: tuple[UpgradePending, ...]
    pending_count: int
    refused: tuple[str, ...]
    refused_count: int
    budgets: tuple[str, ...]


class UpgradeDrainDifference(Part, frozen=True, kw_only=True):
    """One thing that the drain of a node meets otherwise under a release than under the minor before it."""

    release: str
    difference: DrainAspect
    rules: tuple[UpgradeRule, ...]
    node: str
    before: UpgradeDrainAnswer
    after: UpgradeDrainAnswer


class UpgradePool(Part, frozen=True, kw_only=True):
    """A pool, empty for nodes without one: how many nodes it has, were drained, and differ."""

    pool: str
    node_count: int
    nodes_drained: int
    nodes_changed: int
    differences: tuple[UpgradeDrainDifference, ...]


def upgrade_pool(drain: PoolDrain) -> UpgradePool:
    """Write down the drain of a pool."""
    return UpgradePool(
        pool=drain.name,
        node_count=drain.node_count,
        nodes_drained=len(drain.nodes),
        nodes_changed=len(drain.changed_nodes),
        differences=tuple(map(_difference, drain.changes)),
    )


def _difference(change: DrainChange) -> UpgradeDrainDifference:
    before, after = change.before, change.after
    is_of_nodes = change.aspect is DrainAspect.NODES
    return UpgradeDrainDifference(
        release=change.minor,
        difference=change.aspect,
        rules=written_rules(change.amendments),
        node=change.node,
        before=_answer(before, frozenset(after.replaced) if is_of_nodes else frozenset()),
        after=_answer(after, frozenset(before.replaced) if is_of_nodes else frozenset()),
    )


def _answer(answer: NodeDrainAnswer, known: frozenset[ReplacedPod]) -> UpgradeDrainAnswer:
    replaced = [each for each in answer.replaced if each not in known]
    return UpgradeDrainAnswer(
        block=answer.block,
        replacements=tuple(
            UpgradeReplacement(pod=each.pod, node=each.node, is_certain=each.is_certain)
            for each in replaced[:MOST_PODS]
        ),
        replacement_count=len(replaced),
        pending=tuple(UpgradePending(pod=each.pod, message=each.message) for each in answer.pending[:MOST_PODS]),
        pending_count=len(answer.pending),
        refused=answer.refused[:MOST_PODS],
        refused_count=len(answer.refused),
        budgets=answer.budgets[:MOST_PODS],
    )


# What an upgrade changes for groups of pods, as it is written down and in words.

# So many names of nodes and victims are written of each group; the rest is counted.
MOST_NAMES: Final = 20


class UpgradePlacement(Part, frozen=True, kw_only=True):
    """What a release does with a group; ``verdict`` is null where its pods are not tried together."""

    state: GroupPhase
    verdict: GroupVerdict | None
    min_count: int | None
    pods: int
    found: int
    nodes: tuple[str, ...]
    node_count: int
    domain: str
    victims: tuple[str, ...]
    victim_count: int


class UpgradePodGroup(Part, frozen=True, kw_only=True):
    """A group that a release places otherwise than the minor before it."""

    release: str
    rules: tuple[UpgradeRule, ...]
    group: str
    before: UpgradePlacement
    after: UpgradePlacement


class PodGroupInWords(NamedTuple):
    """A difference of a group in words."""

    before: str
    after: str


def upgrade_pod_group(change: GroupChange) -> UpgradePodGroup:
    """Write down how a group is placed otherwise."""
    return UpgradePodGroup(
        release=change.minor,
        rules=written_rules(change.amendments),
        group=change.group,
        before=_placement(change.before),
        after=_placement(change.after),
    )


def _placement(placement: GroupPlacement) -> UpgradePlacement:
    return UpgradePlacement(
        state=placement.phase,
        verdict=placement.verdict,
        min_count=placement.least,
        pods=placement.pods,
        found=placement.found,
        nodes=placement.nodes[:MOST_NAMES],
        node_count=len(placement.nodes),
        domain=placement.domain,
        victims=placement.victims[:MOST_NAMES],
        victim_count=len(placement.victims),
    )


def pod_groups_headline_of(document: UpgradeDocument) -> str:
    """Say how many groups are placed otherwise; empty where none has pending pods."""
    if not document.pod_group_count:
        return ""
    return words.HEADLINE(changed=len({each.group for each in document.pod_groups}), evaluated=document.pod_group_count)


def pod_group_in_words(difference: UpgradePodGroup) -> PodGroupInWords:
    """Say how a group is placed before and after."""
    return PodGroupInWords(_said(difference.before), _said(difference.after))


def _said(placement: UpgradePlacement) -> str:
    match placement.state:
        case GroupPhase.GATE_OFF:
            return str(words.ALONE)
        case GroupPhase.NOT_FOUND:
            return str(words.NOT_FOUND)
        case GroupPhase.WAITING_FOR_PODS:
            return words.WAITING(pods=placement.pods, least=placement.min_count or 0)
    match placement.verdict:
        case GroupVerdict.SCHEDULED:
            nodes = first_of(placement.nodes, total=placement.node_count)
            if placement.domain:
                return words.SCHEDULED_IN(found=placement.found, nodes=nodes, domain=placement.domain)
            return words.SCHEDULED(found=placement.found, nodes=nodes)
        case GroupVerdict.UNSCHEDULABLE:
            return words.UNSCHEDULABLE(found=placement.found, least=placement.min_count or 1)
        case GroupVerdict.WAITS_ON_PERMIT:
            return words.WAITS_ON_PERMIT(found=placement.found, least=placement.min_count or 1)
        case GroupVerdict.PREEMPTS:
            return words.PREEMPTS(names=first_of(placement.victims, total=placement.victim_count))
        case GroupVerdict.GATED:
            return str(words.GATED)
        case GroupVerdict.ERROR:
            return str(words.ERROR)
        case _:
            return str(words.UNCERTAIN)


# So many names of pods and nodes are written of each change; the rest is counted.


class UpgradePodRefusal(Part, frozen=True, kw_only=True):
    """What the API server has against a pod: who says so, about which field, and why."""

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
    """The first minor that does not start with the scheduler's configuration, and why."""

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
    pod_groups: tuple[UpgradePodGroup, ...]
    pod_group_count: int
    pod_groups_left_out: int
    tied_workloads: int
    tied_pending_pods: int
    pods_by_difference: dict[AnswerAspect, int]


def pods_by_difference(differences: Iterable[UpgradeDifference]) -> dict[AnswerAspect, int]:
    """Count the pods and workloads of some differences by that in which they differ."""
    counts: Counter[AnswerAspect] = Counter()
    for each in differences:
        counts[each.difference] += each.pod_count
    return dict(counts)


def upgrade_document(preview: UpgradePreview) -> UpgradeDocument:
    """Write down what an upgrade changes."""
    refused = preview.refused
    differences = tuple(map(_upgrades_difference, preview.changes))
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
    """The differences that one release brings by the same rules; no rule where it takes several together.

    Either all of them are messages or none is.
    """

    release: str
    rules: tuple[UpgradeRule, ...]
    differences: tuple[UpgradeDifference, ...]

    @property
    def gravest(self) -> AnswerAspect:
        """In what the gravest of them differ."""
        return self.differences[0].difference

    @property
    def pending_pods(self) -> int:
        """How many pending pods differ."""
        return _pods(self.differences, SubjectRole.PENDING)

    @property
    def workloads(self) -> int:
        """Of how many workloads the next pod differs."""
        return _pods(self.differences, SubjectRole.NEXT)


def upgrade_groups(document: UpgradeDocument) -> list[UpgradeGroup]:
    """Group the differences by release and rules, messages apart from others.

    The gravest come first, of those the earliest release, and the rule of most differences.
    """
    members: dict[tuple[str, tuple[UpgradeRule, ...], bool], list[UpgradeDifference]] = {}
    for each in document.differences:
        key = each.release, each.rules, each.difference is AnswerAspect.MESSAGE
        members.setdefault(key, []).append(each)
    aspects, minors = list(AnswerAspect), list(RELEASES)
    found = [
        UpgradeGroup(release, rules, tuple(sorted(them, key=lambda difference: aspects.index(difference.difference))))
        for (release, rules, _), them in members.items()
    ]
    return sorted(
        found,
        key=lambda group: (
            aspects.index(group.gravest),
            minors.index(group.release),
            -group.pending_pods - group.workloads,
        ),
    )


def _pods(differences: Iterable[UpgradeDifference], role: SubjectRole) -> int:
    return sum({each.pods[0]: each.pod_count for each in differences if each.role is role}.values())


def _upgrades_difference(change: UpgradeChange) -> UpgradeDifference:
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
        before=_upgrades_answer(change.before),
        after=_upgrades_answer(change.after),
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


def _upgrades_answer(answer: SchedulingAnswer) -> UpgradeAnswer:
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

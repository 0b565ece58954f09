"""What somebody could do about the claims of a pod that no node takes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.analysis.remedies import (
    AddNodeAtVolume,
    AddNodeForClass,
    AddStorage,
    AwaitDeletion,
    AwaitEphemeral,
    AwaitPods,
    BindImmediate,
    BindOrSetClass,
    ClaimRemedy,
    CompleteBinding,
    CreateClaim,
    CreateClass,
    CreateVolume,
    ForgetSelectedNode,
    FreeClaim,
    FreeVolume,
    GatherVolumes,
    MatchHostLabel,
    PublishCapacity,
    RecreateLost,
    RestoreHost,
    RestoreVolume,
)
from clusters.engine.cycle import run_cycle
from clusters.engine.matching.nodes import required_terms, requirement_mask
from clusters.engine.matching.selectors import NodeSelector, Operator
from clusters.engine.objects import metadata, name_of

# VolumeBinding by name: what to do about a claim follows from what it says of the claim.
# VolumeRestrictions by name: what to do about a claim follows from what it says of the claim.
# VolumeZone by name: what to do about a claim follows from what it says of the claim.
from clusters.engine.plugins import volume_restrictions
from clusters.engine.plugins.volume_binding import VolumeBinding
from clusters.engine.plugins.volume_binding.evidence import (
    BoundClaimComparison,
    ProvisioningComparison,
    SelectedNodeComparison,
)
from clusters.engine.plugins.volume_zone import VolumeZone, ZoneComparison
from clusters.engine.registry import reads_volumes
from clusters.engine.relaxing.obstacles import Obstacles
from clusters.engine.spreading.constraints import HOSTNAME
from clusters.engine.status import Code
from clusters.engine.volumes.capacity import UNREACHED, StorageCapacities
from clusters.engine.volumes.claims import (
    SELECTED_NODE,
    WAIT_FOR_FIRST_CONSUMER,
    annotations_of,
    being_deleted,
    claim_uses,
    class_of,
    is_bound,
    reserved_for,
    reserving_claim,
    selected_node,
    spec_of,
    volume_name_of,
)
from clusters.engine.volumes.topology import StorageTopology

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine import Explanation
    from clusters.engine.columns.pods import PodTable
    from clusters.engine.cycle import Cycle
    from clusters.engine.evidence import NodeRequirement
    from clusters.engine.objects import Document
    from clusters.engine.plugin import Plugin
    from clusters.engine.volumes.claims import ClaimUse

_CLAIM, _CLASS, _VOLUME = "PersistentVolumeClaim", "StorageClass", "PersistentVolume"
_NAME: Final = "metadata.name"
# So many volumes without a host are named.
_MOST_VOLUMES: Final = 5
# So many volumes of earlier claims are tried.
_MOST_TRIED: Final = 20


def claim_remedies(explanation: Explanation) -> list[ClaimRemedy]:
    """Return a remedy for each claim of which it is known what is missing; none for a pod that fits."""
    if explanation.fits or not explanation.node_count or not _is_rejected(explanation):
        return []
    uses = dict.fromkeys(claim_uses(explanation.pod.volumes, explanation.pod.name))
    found = [remedy for use in uses for remedy in _of_claim(explanation, use)]
    return found or list(_apart(explanation))


def _is_rejected(explanation: Explanation) -> bool:
    """Whether a volume plugin rejects the pod, or a node."""
    cycle = explanation.cycle
    return any(
        not result.status.ok and result.status.code is not Code.SKIP
        for name, result in cycle.pre_filters.items()
        if reads_volumes(name)
    ) or any(
        bool((outcome.index > 0).any())
        for name, outcome in cycle.filters.items()
        if reads_volumes(name) and outcome.index is not None
    )


def _of_claim(explanation: Explanation, use: ClaimUse) -> Iterator[ClaimRemedy]:
    snapshot, namespace = explanation.snapshot, explanation.pod.namespace
    claim = snapshot.object(_CLAIM, use.claim, namespace)
    if claim is None:
        yield _missing_claim(explanation, use)
    elif being_deleted(claim):
        yield AwaitDeletion(use.claim)
    elif (claim.get("status") or {}).get("phase") == "Lost":
        yield RecreateLost(use.claim, volume_name_of(claim))
    elif is_bound(claim):
        volume = volume_name_of(claim)
        if snapshot.object(_VOLUME, volume) is None:
            yield RestoreVolume(use.claim, volume)
        else:
            yield from _unreached(explanation, use.claim)
    else:
        yield from _unbound(explanation, claim)
    if claim is not None:
        yield from _held(explanation, use)


def _missing_claim(explanation: Explanation, use: ClaimUse) -> ClaimRemedy:
    if use.ephemeral:
        return AwaitEphemeral(use.claim)
    is_none_known = next(iter(explanation.snapshot.objects(_CLAIM)), None) is None
    return CreateClaim(use.claim, explanation.pod.namespace, is_none_known)


def _unbound(explanation: Explanation, claim: Document) -> Iterator[ClaimRemedy]:
    """Yield what an unbound claim waits for."""
    name, class_name = name_of(claim), class_of(claim)
    storage_class = explanation.snapshot.object(_CLASS, class_name)
    if storage_class is None and not class_name:
        yield BindOrSetClass(name)
    elif storage_class is None:
        yield CreateClass(name, class_name)
    elif volume_name_of(claim):
        yield CompleteBinding(name, volume_name_of(claim))
    elif storage_class.get("volumeBindingMode") != WAIT_FOR_FIRST_CONSUMER:
        yield BindImmediate(name, class_name)
    elif (node := selected_node(claim)) is not None:
        exists, gained = node in explanation.snapshot.nodes.index, _without_selected_node(explanation, claim)
        if gained or not exists:
            yield ForgetSelectedNode(name, node, exists, gained)
    elif refused := _refused(explanation, name):
        yield _providing(explanation, claim, storage_class, refused)


def _providing(
    explanation: Explanation,
    claim: Document,
    storage_class: Document,
    refused: Sequence[ProvisioningComparison | SelectedNodeComparison],
) -> ClaimRemedy:
    """What gives an unbound claim its volume."""
    name, class_name = name_of(claim), class_of(claim)
    short = [each for each in refused if isinstance(each, ProvisioningComparison) and _lacks_space(each)]
    if short:
        snapshot = explanation.snapshot
        largest = StorageCapacities(snapshot, StorageTopology(snapshot.nodes)).largest(class_name)
        if (largest != UNREACHED).any():
            return AddStorage(name, class_name)
        return PublishCapacity(name, class_name, str(storage_class.get("provisioner") or ""))
    place = _nowhere(explanation, refused)
    if place is not None:
        return AddNodeForClass(name, class_name, place.key, place.values)
    freed = next(_freed(explanation, claim), None)
    if freed is not None:
        return FreeVolume(name, freed)
    lost = _without_host(explanation, class_name)
    if lost:
        return RestoreHost(name, tuple(lost)[:_MOST_VOLUMES], tuple(dict.fromkeys(lost.values())), is_bound=False)
    return CreateVolume(name, class_name)


def _nowhere(
    explanation: Explanation, refused: Sequence[ProvisioningComparison | SelectedNodeComparison]
) -> NodeRequirement | None:
    """What a class that provisions volumes asks of nodes, where no node meets it."""
    asked = [each for each in refused if isinstance(each, ProvisioningComparison) and each.provisions]
    if not asked or any(each.is_allowed for each in asked):
        return None
    places = [each for term in asked[0].topologies for each in term.requirements if not _is_met(explanation, each)]
    return next(iter(places), None)


def _freed(explanation: Explanation, claim: Document) -> Iterator[str]:
    """Yield volumes that are reserved for a claim that is gone, and let the pod fit once they are not."""
    snapshot = explanation.snapshot
    stale = (
        volume
        for volume in snapshot.objects(_VOLUME)
        if class_of(volume) == class_of(claim) and reserving_claim(volume)[1] and _is_gone(explanation, volume)
    )
    for volume in islice(stale, _MOST_TRIED):
        spec = {field: value for field, value in spec_of(volume).items() if field != "claimRef"}
        free = {**volume, "kind": _VOLUME, "spec": spec, "status": {"phase": "Available"}}
        if len(run_cycle(snapshot.copy().upsert(free), explanation.pod, explanation.profile).feasible):
            yield name_of(volume)


def _is_gone(explanation: Explanation, volume: Document) -> bool:
    """Whether the claim that a volume is reserved for does not exist, or is another one of its name."""
    namespace, name = reserving_claim(volume)
    claim = explanation.snapshot.object(_CLAIM, name, namespace)
    return claim is None or not reserved_for(volume, claim)


def _without_selected_node(explanation: Explanation, claim: Document) -> int:
    """On how many nodes the pod fits once its claim is promised to none."""
    annotations = {key: text for key, text in annotations_of(claim).items() if key != SELECTED_NODE}
    free = {**claim, "kind": _CLAIM, "metadata": {**metadata(claim), "annotations": annotations}}
    then = run_cycle(explanation.snapshot.copy().upsert(free), explanation.pod, explanation.profile)
    return len(then.feasible)


# -- where volumes are -------------------------------------------------------------------------------------------------


def _unreached(explanation: Explanation, claim: str) -> Iterator[ClaimRemedy]:
    """Say where the volume of a bound claim is that no node reaches."""
    found = [each for each in map(explanation.cycle.plugins.get, (VolumeBinding.name, VolumeZone.name)) if each]
    for plugin in found:
        if plugin.name not in explanation.cycle.filters:
            continue
        for constraint, rejected in zip(plugin.constraints(), plugin.blocking(), strict=True):
            if claim == getattr(constraint.subject, "claim", None) and rejected.all():
                yield from _missing_place(explanation, plugin, claim)
                return


def _apart(explanation: Explanation) -> Iterator[ClaimRemedy]:
    """Name the volumes of several claims that no node reaches together, though each is reached by some."""
    snapshot, volumes = explanation.snapshot, dict[str, str]()
    reached = np.ones(explanation.node_count, np.bool_)
    for name in (VolumeBinding.name, VolumeZone.name):
        plugin = explanation.cycle.plugins.get(name)
        if plugin is None or name not in explanation.cycle.filters:
            continue
        for constraint, rejected in zip(plugin.constraints(), plugin.blocking(), strict=True):
            claim = snapshot.object(_CLAIM, getattr(constraint.subject, "claim", ""), explanation.pod.namespace)
            if claim is not None and is_bound(claim) and rejected.any():
                volumes[name_of(claim)] = volume_name_of(claim)
                reached &= ~rejected
    if len(volumes) > 1 and not reached.any():
        yield GatherVolumes(next(iter(volumes)), tuple(volumes.values()))


def _missing_place(explanation: Explanation, plugin: Plugin, claim: str) -> Iterator[ClaimRemedy]:
    nodes = explanation.snapshot.nodes
    for compared in plugin.evidence(0):
        if isinstance(compared, ZoneComparison) and compared.claim == claim:
            if not nodes.label(compared.key).equals_any(compared.values).any():
                yield _at(explanation, claim, compared.volume, compared.key, compared.values)
                return
        elif isinstance(compared, BoundClaimComparison) and compared.claim == claim and compared.terms:
            for each in compared.terms[0].requirements:
                if each.operator == Operator.IN and not _is_met(explanation, each):
                    yield _at(explanation, claim, compared.volume, each.key, each.values)
                    return


def _is_met(explanation: Explanation, required: NodeRequirement) -> bool:
    nodes = explanation.snapshot.nodes
    if required.key == _NAME:
        return any(name in nodes.index for name in required.values)
    return bool(nodes.label(required.key).equals_any(required.values).any())


def _at(explanation: Explanation, claim: str, volume: str, key: str, values: tuple[str, ...]) -> ClaimRemedy:
    """What is missing for a volume at the given values of a label, which no node has."""
    if key not in (HOSTNAME, _NAME):
        return AddNodeAtVolume(claim, volume, key, values, _like(explanation, key))
    nodes = explanation.snapshot.nodes
    for host in values:
        # A name may be written with its domain, or without.
        meant = next((name for name in nodes.names if name.partition(".")[0] == host.partition(".")[0]), None)
        if meant is not None:
            labels = nodes.nodes[nodes.index[meant]].labels
            return MatchHostLabel(claim, volume, host, meant, labels.get(HOSTNAME, "") if key == HOSTNAME else meant)
    return RestoreHost(claim, (volume,), values, is_bound=True)


def _like(explanation: Explanation, key: str) -> str:
    """Name a node that only volumes keep the pod from, if nothing else goes by the label that a new one would have."""
    cycle, pod = explanation.cycle, explanation.pod
    required = required_terms(pod)
    named = {each.key for term in (required.terms if required else ()) for each in term.expressions}
    goes_by_place = any(each.counts_together for name, each in cycle.plugins.items() if name in _places(cycle))
    if goes_by_place or key in named or key in (pod.spec.get("nodeSelector") or {}):
        return ""
    passing = Obstacles(cycle).others_pass(*filter(reads_volumes, cycle.filters))
    return explanation.snapshot.nodes.names[int(np.argmax(passing))] if passing.any() else ""


def _places(cycle: Cycle) -> list[str]:
    """The filters of a cycle that have nothing to do with volumes."""
    return [name for name in cycle.filters if not reads_volumes(name)]


def _without_host(explanation: Explanation, class_name: str) -> dict[str, str]:
    """The volumes of a class that nobody has claimed and that are on hosts which do not exist, each with its host."""
    snapshot = explanation.snapshot
    found: dict[str, str] = {}
    for volume in snapshot.objects(_VOLUME):
        required = (spec_of(volume).get("nodeAffinity") or {}).get("required")
        if class_of(volume) != class_name or reserving_claim(volume)[1] or required is None:
            continue
        terms = NodeSelector.from_dict(required).terms
        hosts = [
            each
            for term in terms
            for each in (*term.expressions, *term.fields)
            if each.key in (HOSTNAME, _NAME) and each.operator == Operator.IN
        ]
        if hosts and len(terms) == 1 and not any(requirement_mask(snapshot.nodes, each).any() for each in hosts):
            found[name_of(volume)] = hosts[0].values[0]
        else:
            return {}
    return found


def _refused(explanation: Explanation, claim: str) -> list[ProvisioningComparison | SelectedNodeComparison]:
    """Return what VolumeBinding compared for a waiting claim where it fails, on a node of each pattern."""
    outcome = explanation.cycle.filters.get(VolumeBinding.name)
    if outcome is None or outcome.index is None:
        return []
    plugin = explanation.cycle.plugins[VolumeBinding.name]
    rows: list[int] = np.unique(explanation.cycle.patterns, return_index=True)[1].tolist()
    return [
        compared
        for row in rows
        if outcome.index[row] > 0
        for compared in plugin.evidence(row)
        if isinstance(compared, ProvisioningComparison | SelectedNodeComparison)
        and compared.claim == claim
        and not compared.holds
    ]


def _lacks_space(compared: ProvisioningComparison) -> bool:
    return compared.provisions and compared.is_allowed and not compared.has_capacity


def _held(explanation: Explanation, use: ClaimUse) -> Iterator[ClaimRemedy]:
    """Name the pods that keep a ReadWriteOncePod claim for themselves, by whether they end without anybody's doing."""
    pods = explanation.snapshot.pods
    for compared in explanation.evidence(0).get(volume_restrictions.VolumeRestrictions.name, ()):
        if isinstance(compared, volume_restrictions.ExclusiveClaimComparison) and compared.claim == use.claim:
            holders = tuple(holder.key for holder in compared.holders)
            if holders and all(_ends(pods, pods.slot_of[each]) for each in holders):
                yield AwaitPods(use.claim, holders)
            elif holders:
                yield FreeClaim(use.claim, holders)


def _ends(pods: PodTable, slot: int) -> bool:
    """Whether a pod is terminating, or one of a Job, which completes."""
    controller = pods.templates[pods.template[slot]].controller
    return bool(pods.terminating[slot]) or (controller is not None and controller.kind == "Job")

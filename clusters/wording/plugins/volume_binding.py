"""How Berth speaks of VolumeBinding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.evidence import ClaimSubject, Subject
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.volume_binding import (
    BIND_CONFLICT,
    NO_SPACE,
    NODE_CONFLICT,
    VOLUME_MISSING,
    BoundClaimComparison,
    ProvisioningComparison,
    SelectedNodeComparison,
    StorageScore,
    VolumeMatch,
)
from clusters.engine.scoring import FULL
from clusters.wording.amounts import grouped, percent, size
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import bytes_fact, count_fact, node_value
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue
from clusters.wording.selectors import requirement_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.evidence import NodeTerm


class Wording(PluginWording):
    """Words for VolumeBinding."""

    def decides(self) -> str:
        return _("claims must have, or get, a volume that the node can reach")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no claims.")

    def nothing_to_score(self) -> str:
        return _("Does not score: scoring by storage capacity is off in this Kubernetes minor.")

    def requires(self) -> str:
        return _("volumes that nodes cannot reach")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == VOLUME_MISSING:
            return Reason(
                phrase=_("volume of a claim does not exist"),
                counted=ngettext(
                    "%(nodes)s node is rejected for a claim whose volume does not exist",
                    "%(nodes)s nodes are rejected for a claim whose volume does not exist",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("volume of a claim not found"),
            )
        if reason == NODE_CONFLICT:
            return Reason(
                phrase=_("no match for the node affinity of a volume"),
                counted=ngettext(
                    "%(nodes)s node does not match the node affinity of a volume",
                    "%(nodes)s nodes do not match the node affinity of a volume",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("node affinity of a volume"),
            )
        if reason == BIND_CONFLICT:
            return Reason(
                phrase=_("no volume for a claim"),
                counted=ngettext(
                    "%(nodes)s node has no volume for a claim of the pod",
                    "%(nodes)s nodes have no volume for a claim of the pod",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("no volume for a claim"),
            )
        if reason == NO_SPACE:
            return Reason(
                phrase=_("insufficient storage for a claim"),
                counted=ngettext(
                    "%(nodes)s node has insufficient storage for a claim of the pod",
                    "%(nodes)s nodes have insufficient storage for a claim of the pod",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("insufficient storage for a claim"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a claim is added or changes"), (ClusterEvent.CLAIM_ADD, ClusterEvent.CLAIM_UPDATE)),
            Requeue(_("a volume is added or changes"), (ClusterEvent.VOLUME_ADD, ClusterEvent.VOLUME_UPDATE)),
            Requeue(
                _("a storage class is added or changes"),
                (ClusterEvent.STORAGE_CLASS_ADD, ClusterEvent.STORAGE_CLASS_UPDATE),
            ),
            Requeue(_("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
            Requeue(
                _("a driver or its capacity changes"),
                (
                    ClusterEvent.CSI_NODE_ADD,
                    ClusterEvent.CSI_NODE_UPDATE,
                    ClusterEvent.CSI_DRIVER_UPDATE,
                    ClusterEvent.STORAGE_CAPACITY_ADD,
                    ClusterEvent.STORAGE_CAPACITY_UPDATE,
                ),
            ),
        )

    def argument(self, field: str) -> str:
        return _("how long binding the volumes of a pod may take") if field == "bindTimeoutSeconds" else ""

    def lifting_all(self) -> str:
        return _("provide a volume for every claim that the node reaches")

    def lifting_fixed(self, subject: Subject) -> str:
        match subject:
            case ClaimSubject(claim):
                return _("move what the claim %(claim)s holds to where the node reaches it") % {"claim": claim}
            case _other:
                return super().lifting_fixed(subject)

    def lifting(self, subject: Subject) -> str:
        match subject:
            case ClaimSubject(claim):
                return _("provide a volume for the claim %(claim)s that the node reaches") % {"claim": claim}
            case _other:
                return super().lifting(subject)


@comparison_view.register(BoundClaimComparison)
def bound_claim(compared: BoundClaimComparison) -> EvidenceView:
    """Word the node affinity of a bound claim's volume."""
    if not compared.exists:
        gone = _("the volume %(volume)s does not exist") % {"volume": compared.volume}
        return EvidenceView(compared.claim, (FactView(_("missing volume"), compared.volume),), False, missing=gone)
    facts = [FactView(_("volume"), compared.volume)]
    for term in compared.terms or ():
        for each in term.requirements:
            facts += [
                FactView(_("volume requires"), requirement_text(each)),
                FactView(_("node has"), node_value(each.node_value)),
            ]
    unmet = _("the volume %(volume)s cannot be reached from this node") % {"volume": compared.volume}
    return EvidenceView(compared.claim, tuple(facts), holds=compared.holds, missing="" if compared.holds else unmet)


@comparison_view.register(SelectedNodeComparison)
def selected_node(compared: SelectedNodeComparison) -> EvidenceView:
    """Word a claim whose volume is provisioned elsewhere."""
    return EvidenceView(
        compared.claim,
        (bytes_fact(_("request"), compared.requested_bytes), FactView(_("selected node"), compared.selected_node)),
        holds=compared.holds,
        missing=""
        if compared.holds
        else _("the volume of the claim %(claim)s is being provisioned for the node %(node)s")
        % {"claim": compared.claim, "node": compared.selected_node},
    )


@comparison_view.register(VolumeMatch)
def volume_match(compared: VolumeMatch) -> EvidenceView:
    """Word the volume that a waiting claim would be bound to."""
    facts = (
        bytes_fact(_("request"), compared.requested_bytes),
        FactView(_("volume"), compared.volume),
        bytes_fact(_("capacity"), compared.capacity_bytes),
    )
    return EvidenceView(compared.claim, facts, holds=compared.holds)


@comparison_view.register(ProvisioningComparison)
def provisioning(compared: ProvisioningComparison) -> EvidenceView:
    """Word what provisioning a volume for a waiting claim would need."""
    facts = [
        bytes_fact(_("request"), compared.requested_bytes),
        FactView(_("storage class"), compared.storage_class),
        FactView(_("provisioner"), compared.provisioner),
        *(fact for topology in compared.topologies for fact in _topology(topology)),
    ]
    if compared.largest_bytes is not None:
        facts.append(bytes_fact(_("largest volume possible"), compared.largest_bytes))
    return EvidenceView(
        compared.claim, tuple(facts), holds=compared.holds, missing="" if compared.holds else _unmet(compared)
    )


def _topology(topology: NodeTerm) -> Iterator[FactView]:
    for each in topology.requirements:
        yield FactView(_("allowed %(key)s") % {"key": each.key}, ", ".join(each.values))
        yield FactView(_("node %(key)s") % {"key": each.key}, node_value(each.node_value))


def _unmet(compared: ProvisioningComparison) -> str:
    claim, storage_class = compared.claim, compared.storage_class
    if not compared.provisions:
        return _("no volume suits the claim %(claim)s, and the class %(storage_class)s provisions none") % {
            "claim": claim,
            "storage_class": storage_class,
        }
    if not compared.is_allowed:
        return _("the class %(storage_class)s does not allow this node") % {"storage_class": storage_class}
    return _("the claim %(claim)s requests %(request)s, at most %(largest)s can be provisioned for this node") % {
        "claim": claim,
        "request": size(compared.requested_bytes),
        "largest": size(compared.largest_bytes or 0),
    }


@words_score(StorageScore)
def storage_scores(parts: Sequence[StorageScore], raw: int) -> ScoreView:
    """Word how much of the storage that the node reaches the claims would take, by storage class, and the mean."""
    views = tuple(
        EvidenceView(
            label=part.storage_class,
            facts=(
                bytes_fact(_("requested"), part.requested_bytes),
                bytes_fact(_("capacity"), part.capacity_bytes),
                FactView(_("utilisation"), percent(part.utilisation, FULL)),
                count_fact(_("score"), part.score),
            ),
            formula=_("the score of the utilisation by the shape"),
            worked=grouped(part.score),
        )
        for part in parts
    )
    if len(parts) < 2:
        return ScoreView(views)
    total = " + ".join(grouped(part.score) for part in parts)
    return ScoreView(views, (f"round(({total}) ÷ {len(parts)}) = {raw}",))

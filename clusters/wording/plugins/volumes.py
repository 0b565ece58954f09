"""What plugins compared and scored of claims, volumes and disks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_volume_limits import DriverComparison
from clusters.engine.plugins.volume_binding import (
    BoundClaimComparison,
    ProvisioningComparison,
    SelectedNodeComparison,
    StorageScore,
    VolumeMatch,
)
from clusters.engine.plugins.volume_restrictions import (
    DiskComparison,
    ExclusiveClaimComparison,
)
from clusters.engine.plugins.volume_zone import ZoneComparison
from clusters.engine.scoring import FULL
from clusters.wording.amounts import grouped, percent, size
from clusters.wording.evidence import (
    EvidenceView,
    FactView,
    ScoreView,
    bytes_fact,
    comparison_view,
    count_fact,
    node_value,
    pod_facts,
    pod_list,
    words_score,
)
from clusters.wording.lists import listed
from clusters.wording.resources import requirement_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.evidence import NodeTerm


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
        else _("claim %(claim)s is being provisioned for node %(node)s")
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
        return _("no volume suits claim %(claim)s; class %(storage_class)s provisions none") % {
            "claim": claim,
            "storage_class": storage_class,
        }
    if not compared.is_allowed:
        return _("the class %(storage_class)s does not allow this node") % {"storage_class": storage_class}
    return _("claim %(claim)s requests %(request)s; at most %(largest)s can be provisioned here") % {
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


@comparison_view.register(ZoneComparison)
def zone(compared: ZoneComparison) -> EvidenceView:
    """Word a zone or region label of a volume and of the node."""
    key = compared.key
    unmet = _("the volume %(volume)s is in %(values)s (%(key)s), the node is not") % {
        "volume": compared.volume,
        "values": listed(compared.values),
        "key": key,
    }
    return EvidenceView(
        label=compared.claim,
        facts=(
            FactView(_("volume"), compared.volume),
            *(FactView(_("volume %(key)s") % {"key": key}, value) for value in compared.values),
            FactView(_("node %(key)s") % {"key": key}, node_value(compared.node_value)),
        ),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )


@comparison_view.register(DiskComparison)
def disk(compared: DiskComparison) -> EvidenceView:
    """Word a disk that a node cannot mount twice."""
    source, name = compared.source, compared.disk
    unmet = _("the disk %(disk)s (%(source)s) is mounted by %(pods)s") % {
        "disk": name,
        "source": source,
        "pods": pod_list(compared.holders),
    }
    return EvidenceView(
        label=f"{source} {name}",
        facts=pod_facts(_("held by"), compared.holders),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )


@comparison_view.register(ExclusiveClaimComparison)
def exclusive_claim(compared: ExclusiveClaimComparison) -> EvidenceView:
    """Word a claim that one pod at a time may use."""
    unmet = _("the claim %(claim)s (ReadWriteOncePod) is used by %(pods)s") % {
        "claim": compared.claim,
        "pods": pod_list(compared.holders),
    }
    return EvidenceView(
        label=compared.claim,
        facts=pod_facts(_("held by"), compared.holders),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )


@comparison_view.register(DriverComparison)
def volume_limit(compared: DriverComparison) -> EvidenceView:
    """Word how many volumes of a driver a node has and may have."""
    if compared.is_lacking:
        missing = _("the CSI driver %(driver)s is not installed on the node") % {"driver": compared.driver}
        return EvidenceView(compared.driver, (), holds=False, missing=missing)
    facts = (count_fact(_("attached"), compared.attached), count_fact(_("request"), compared.requested))
    if compared.limit is None:
        return EvidenceView(compared.driver, facts, holds=compared.holds)
    attached, limit = grouped(compared.attached), grouped(compared.limit)
    return EvidenceView(
        compared.driver,
        (*facts, count_fact(_("limit"), compared.limit)),
        holds=compared.holds,
        formula=_("attached + request ≤ limit"),
        worked=f"{compared.attached} + {compared.requested} ≤ {compared.limit}",
        missing=""
        if compared.holds
        else _("%(attached)s of at most %(limit)s volumes of %(driver)s are attached")
        % {"attached": attached, "limit": limit, "driver": compared.driver},
    )

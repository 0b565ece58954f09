"""Words for VolumeRestrictions."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.volume_restrictions import DiskComparison, ExclusiveClaimComparison
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import pod_facts, pod_list
from clusters.wording.evidence.views import EvidenceView


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

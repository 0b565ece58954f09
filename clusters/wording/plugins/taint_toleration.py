"""How Berth speaks of TaintToleration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.taint_toleration import TaintComparison, TaintSubject, UntoleratedTaints
from clusters.engine.relaxing.relaxations import CORDON_TAINT
from clusters.engine.traits import ClusterEvent
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import count_fact, yes_no
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.subjects import Subject


class Wording(PluginWording):
    """Words for TaintToleration."""

    def decides(self) -> str:
        return _("taints that the pod must tolerate, or that it would rather avoid")

    def requires(self) -> str:
        return _("taints")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a node is added or its taints change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT)),
            Requeue(_("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        )

    def lifting_all(self) -> str:
        return _("tolerate every taint")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case TaintSubject(taint) if taint.key == CORDON_TAINT:
                return _("uncordon the node")
            case TaintSubject(taint):
                return _("tolerate %(taint)s") % {"taint": taint}
            case _other:
                return super().lifting(subject)


@comparison_view.register(TaintComparison)
def taint(compared: TaintComparison) -> EvidenceView:
    """Word a taint and whether the pod tolerates it."""
    return EvidenceView(
        label=str(compared.taint),
        facts=(FactView(_("effect"), compared.taint.effect), FactView(_("tolerated"), yes_no(compared.tolerated))),
        holds=compared.holds,
        missing="" if compared.holds else _("untolerated taint %(taint)s") % {"taint": str(compared.taint)},
    )


@words_score(UntoleratedTaints)
def untolerated_taints(parts: Sequence[UntoleratedTaints], raw: int) -> ScoreView:
    """Word the taints that dissuade; each counts one."""
    return ScoreView(
        tuple(
            EvidenceView(
                label=_("PreferNoSchedule taints"),
                facts=(
                    *(FactView(_("untolerated"), str(each)) for each in part.taints),
                    count_fact(_("count"), len(part.taints)),
                ),
                formula=_("count"),
                worked=str(raw),
            )
            for part in parts
        )
    )

"""How Berth speaks of TaintToleration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.taint_toleration import (
    CORDON_TAINT,
    UNNAMED,
    TaintComparison,
    TaintSubject,
    UntoleratedTaints,
)
from clusters.engine.taints import TaintMeaning, is_fixed, meaning_of
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import yes_no
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import Subject

_UNTOLERATED = re.compile(r"node\(s\) had untolerated taint \{([^:]*): (.*)\}", re.DOTALL)


class Wording(PluginWording):
    """Words for TaintToleration."""

    def decides(self) -> str:
        return _("untolerated taints: NoSchedule and NoExecute reject the pod, PreferNoSchedule lowers the score")

    def requires(self) -> str:
        return _("taints")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if match := _UNTOLERATED.fullmatch(reason):
            key, value = match.groups()
            values = {"taint": f"{key}={value}" if value else key, "nodes": grouped(nodes)}
            return Reason(
                phrase=_("untolerated taint %(taint)s") % values,
                counted=ngettext(
                    "%(nodes)s node has the untolerated taint %(taint)s",
                    "%(nodes)s nodes have the untolerated taint %(taint)s",
                    nodes,
                )
                % values,
                cause=_("untolerated taints"),
            )
        if reason == UNNAMED:
            cause = _("untolerated taints")
            return Reason(phrase=cause, counted=self.counted_together(nodes), cause=cause)
        return None

    def counted_together(self, nodes: int) -> str:
        # A node records its first untolerated taint alone.
        return ngettext("%(nodes)s node has untolerated taints", "%(nodes)s nodes have untolerated taints", nodes) % {
            "nodes": grouped(nodes)
        }

    def cause(self, reasons: Sequence[str]) -> str:
        return _("untolerated taints")

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
            case TaintSubject(taint) if meaning_of(taint.key, taint.value) is TaintMeaning.UNHEALTHY:
                return _("repair the nodes that have %(taint)s") % {"taint": taint}
            case TaintSubject(taint) if is_fixed(taint.key, taint.value):
                return _("wait until %(taint)s is removed") % {"taint": taint}
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
                facts=(*(FactView(_("untolerated"), str(each)) for each in part.taints),),
                formula=_("number of untolerated taints"),
                worked=str(raw),
            )
            for part in parts
        )
    )

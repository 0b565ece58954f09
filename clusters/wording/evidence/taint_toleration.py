"""Words for TaintToleration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.taint_toleration import TaintComparison, UntoleratedTaints
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import count_fact, yes_no
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView

if TYPE_CHECKING:
    from collections.abc import Sequence


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

"""Words for evidence that several plugins state: scaling by the maximum, and volumes that could not be read."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.evidence import ByMaximum, UnreadableVolumes
from clusters.wording.evidence.registry import comparison_view, normalisation_view
from clusters.wording.evidence.values import count_fact
from clusters.wording.evidence.views import EvidenceView, FactView


@normalisation_view.register(ByMaximum)
def by_maximum(how: ByMaximum) -> EvidenceView:
    """Word how a score was scaled by the highest one."""
    facts = (count_fact(_("raw"), how.raw), count_fact(_("highest"), how.highest))
    label = _("over the feasible nodes")
    if how.highest <= 0:
        return EvidenceView(label, facts, formula=_("100 for every node") if how.reverse else _("0 for every node"))
    if how.reverse:
        formula = _("100 − ⌊100 × raw ÷ highest⌋")
        return EvidenceView(
            label, facts, formula=formula, worked=f"100 − ⌊100 × {how.raw} ÷ {how.highest}⌋ = {how.normalised}"
        )
    formula = _("⌊100 × raw ÷ highest⌋")
    return EvidenceView(label, facts, formula=formula, worked=f"⌊100 × {how.raw} ÷ {how.highest}⌋ = {how.normalised}")


@comparison_view.register(UnreadableVolumes)
def unreadable_volumes(compared: UnreadableVolumes) -> EvidenceView:
    """Quote what the scheduler says of volumes that it cannot read."""
    return EvidenceView(
        label=_("volumes of %(pod)s") % {"pod": compared.pod},
        facts=tuple(FactView(_("message"), message) for message in compared.messages),
        holds=False,
        missing="; ".join(compared.messages),
    )

"""Explanations that would cost too much, in words: which limit, and what to do."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.scheduling import LIMITS, Excess, Measure
from clusters.wording.amounts import grouped


def limit_sentence(measure: Measure) -> str:
    """Say that an explanation was refused, and which limit it exceeds."""
    limit = grouped(LIMITS[measure])
    match measure:
        case Measure.REQUIREMENTS:
            return _("Too costly to compute: the pod has more than %(limit)s requirements.") % {"limit": limit}
        case Measure.COMPARISONS:
            return _("Too costly to compute: its requirements need more than %(limit)s comparisons.") % {"limit": limit}
        case Measure.PLACED_TERMS:
            return _("Too costly to compute: running pods have more than %(limit)s affinity terms.") % {"limit": limit}
        case Measure.DRY_RUNS:
            return _("Too costly to compute: preemption would try more than %(limit)s combinations.") % {"limit": limit}


def exceeded(excess: Excess) -> str:
    """Say how much was counted where an explanation was refused."""
    counted = grouped(excess.counted)
    match excess.measure:
        case Measure.REQUIREMENTS:
            return _("Here it has %(counted)s requirements.") % {"counted": counted}
        case Measure.COMPARISONS:
            return _("Here there would be %(counted)s comparisons.") % {"counted": counted}
        case Measure.PLACED_TERMS:
            return _("Here they have %(counted)s affinity terms.") % {"counted": counted}
        case Measure.DRY_RUNS:
            return _("Here there would be %(counted)s combinations.") % {"counted": counted}


def limit_remedy(measure: Measure) -> str:
    """Say what makes an explanation possible."""
    match measure:
        case Measure.REQUIREMENTS | Measure.COMPARISONS:
            return _("Merge or remove requirements of the pod.")
        case Measure.PLACED_TERMS:
            return _("Merge terms of the longest spec.affinity.")
        case Measure.DRY_RUNS:
            return _("Merge or remove requirements of the pod, or set preemptionPolicy Never.")

"""Explanations that would cost too much, in words: which limit, and what to do."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.scheduling import LIMITS, Measure
from clusters.wording.messages import message

_LIMITS: Final = {
    Measure.REQUIREMENTS: message("Too costly to compute: more than %(limit)s requirements."),
    Measure.COMPARISONS: message("Too costly to compute: more than %(limit)s comparisons for its requirements."),
    Measure.PLACED_TERMS: message("Too costly to compute: more than %(limit)s affinity terms of running pods."),
    Measure.DRY_RUNS: message("Too costly to compute: more than %(limit)s combinations in preemption."),
}
_FEWER_REQUIREMENTS: Final = gettext_lazy("Merge or remove requirements of the pod.")
_REMEDIES: Final = {
    Measure.REQUIREMENTS: _FEWER_REQUIREMENTS,
    Measure.COMPARISONS: _FEWER_REQUIREMENTS,
    Measure.PLACED_TERMS: gettext_lazy("Merge terms of the longest spec.affinity."),
    Measure.DRY_RUNS: gettext_lazy("Merge or remove requirements of the pod, or set preemptionPolicy Never."),
}
COUNTED = message("Here: %(counted)s.")


def limit_sentence(measure: Measure) -> str:
    """Say that an explanation was refused, and which limit it exceeds."""
    return _LIMITS[measure](limit=LIMITS[measure])


def limit_remedy(measure: Measure) -> str:
    """Say what makes an explanation possible."""
    return str(_REMEDIES[measure])

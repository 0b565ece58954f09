"""Words for what plugins compared and scored; those of each plugin are in its module of `clusters.wording.plugins`."""

from __future__ import annotations

from importlib import import_module

from clusters.wording.evidence.registry import (
    comparison_view,
    missing,
    normalisation_view,
    score_view,
    worded_types,
)
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView

__all__ = [
    "EvidenceView",
    "FactView",
    "ScoreView",
    "comparison_view",
    "missing",
    "normalisation_view",
    "score_view",
    "worded_types",
]

import_module("clusters.wording.plugins")
import_module("clusters.wording.evidence.shared")

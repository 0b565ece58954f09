"""Words for what plugins compared and scored: one module for each plugin, found by itself."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

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

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

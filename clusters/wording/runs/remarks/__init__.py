"""What a simulation simplifies or leaves out of what it was asked: one sentence for each remark."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from clusters.wording.runs.remarks.registry import remark_sentence

__all__ = ["remark_sentence"]

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)

"""Problems in words: what is wrong with what somebody wrote, and what would be right."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from clusters.wording.problems.places import input_sentence, placed_sentence
from clusters.wording.problems.registry import both_sentences, problem_sentence, remedy_sentence, worded_problems

__all__ = [
    "both_sentences",
    "input_sentence",
    "placed_sentence",
    "problem_sentence",
    "remedy_sentence",
    "worded_problems",
]

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)

"""What page and terminal show of evidence: labels, values with units, arithmetic with the numbers filled in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FactView:
    """One named value with its unit; ``exact`` is given where the value is rounded."""

    name: str
    value: str
    exact: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One comparison, one part of a raw score, or one normalisation.

    ``holds`` is None for scores. ``formula`` is the rule and ``worked`` the same with numbers, both empty without one.
    ``missing`` says in brief what does not hold; empty where all does.
    """

    label: str
    facts: tuple[FactView, ...] = ()
    holds: bool | None = None
    formula: str = ""
    worked: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class ScoreView:
    """What a raw score was made from, and the lines that lead from the parts to it."""

    parts: tuple[EvidenceView, ...] = ()
    lines: tuple[str, ...] = ()

"""Shades of what answers are about: the more of a class's answers, the stronger."""

from __future__ import annotations

from dashboard.pictures.verdict_map.spec import SHADES


def share_shade(number: int, answers: int) -> int:
    """Return the shade of a share: 0 for none, the weakest for one of many, the strongest for all."""
    return 1 + round((SHADES - 1) * number / answers) if number else 0

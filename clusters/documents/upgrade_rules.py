"""The entries of the table of versions that bring a difference, as they are written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.documents.explanation import Part
from clusters.engine.upgrading.amendments import AmendmentKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.upgrading.amendments import Amendment


class UpgradeRule(Part, frozen=True, kw_only=True):
    """An entry of the table of versions; ``name`` is empty for the plugins with their points, order and weights."""

    kind: AmendmentKind
    name: str


def written_rules(amendments: Iterable[Amendment]) -> tuple[UpgradeRule, ...]:
    """Write down what brings a difference."""
    return tuple(UpgradeRule(kind=each.kind, name=each.name) for each in amendments)

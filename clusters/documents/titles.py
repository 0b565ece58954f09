"""Titles that are stored with what they name, like those that people give: in the installation's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.reviews import titles as words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def review_title(*, cluster: str, simulation: str) -> str:
    """Return the title of a review whose order has none; ``simulation``: the title of what it is about, or empty."""
    return words.review_title(cluster=cluster, simulation=simulation)


def trial_title(*, number: int | None, cluster: str, rule: str, target: str, facts: Mapping[str, Any]) -> str:
    """Return the title of the simulation that shows what a proposed change of ``target`` does."""
    return words.trial_title(number=number, cluster=cluster, change=words.change_title(rule, target, facts))


def base_title(*, number: int | None, cluster: str, drained: str) -> str:
    """Return the title of the simulation without the change; ``drained`` is the node that it drains, or empty."""
    return words.trial_title(number=number, cluster=cluster, change=words.unchanged(drained))

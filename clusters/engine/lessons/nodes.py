"""What an explanation says of a node by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation


def deciders_on(explanation: Explanation, node: str) -> tuple[str, ...]:
    """The plugins that the scheduler records for a node, several where they leave it out together; none if it fits."""
    rejection = explanation.verdict_of(explanation.snapshot.nodes.index[node])
    if rejection is None:
        return ()
    return rejection.plugins or explanation.cycle.restricting


def decider_on(explanation: Explanation, node: str) -> str:
    """The first of the plugins that the scheduler records for a node, empty where the pod fits."""
    return next(iter(deciders_on(explanation, node)), "")


def rejecting_on(explanation: Explanation, node: str) -> tuple[str, ...]:
    """Every plugin whose filter rejects the pod on a node, whether the scheduler comes to ask it or not."""
    row = explanation.snapshot.nodes.index[node]
    return tuple(dict.fromkeys((*explanation.rejections_of(row), *explanation.rejections_with_nominated(row))))


def total_on(explanation: Explanation, node: str) -> int | None:
    """The weighted total of a node; None where the pod does not fit."""
    return explanation.total_of(explanation.snapshot.nodes.index[node])

"""What is said of drains that do not get to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.disruption.drain import Flag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAMED = 3


def kept_node(kept: Mapping[str, Any]) -> str:
    """Say in one sentence why a node is not drained, and which pods keep it.

    ``kept``: the ``node``, and as ``held`` and ``refused`` how many ``pods`` and the first of them by name; of those
    whose eviction budgets refuse the API server's ``message`` to the first.
    """
    held, refused = kept["held"], kept["refused"]
    if held["pods"]:
        return held_sentence(kept["node"], Flag.FORCE, held["examples"], held["pods"])
    return refused_sentence(kept["node"], refused["examples"], refused["pods"], refused["message"])


def held_sentence(node: str, flag: Flag, names: Sequence[str], total: int) -> str:
    """Say that a drain does not begin for want of a flag, on account of ``total`` pods."""
    which = named_pods(names, total)
    why = f"nothing controls {which}"
    if flag is Flag.EMPTY_DIR:
        why = f"{which} would lose the data of an emptyDir"
    return f"Node {node} is not drained: kubectl drain does not begin without {flag}, as {why}."


def refused_sentence(node: str, names: Sequence[str], total: int, message: str) -> str:
    """Say that budgets refuse the evictions of ``total`` pods; ``message``: what the API server says of the first."""
    which, said = named_pods(names, total), " ".join(message.split())
    if total == 1:
        return f"Node {node} is not drained: the eviction of {which} is refused: {said}"
    return f"Node {node} is not drained: the evictions of {which} are refused: {said}"


def other_nodes(more: int) -> str:
    """Say how many other nodes are not drained."""
    return "1 other node is not drained either." if more == 1 else f"{more:,} other nodes are not drained either."


def named_pods(names: Sequence[str], total: int) -> str:
    """Name the first few pods and count the others."""
    shown = names[:_NAMED]
    more = total - len(shown)
    if total == 1:
        return f"pod {shown[0]}"
    if more:
        return f"pods {', '.join(shown)} and {more:,} more"
    return f"pods {', '.join(shown[:-1])} and {shown[-1]}"

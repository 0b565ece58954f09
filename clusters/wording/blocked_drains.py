"""What is said of drains that do not get to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.disruption import Flag
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def kept_sentence(summary: Mapping[str, Any]) -> str:
    """Say which nodes of a simulation are not drained, and which pods keep the first one; empty where all are."""
    drains = summary["drains"]
    if not drains["kept"]:
        return ""
    more = drains["kept"] - 1
    return " ".join([kept_node(drains["first"][0]), *([OTHER_NODES(nodes=more)] if more else [])])


def kept_node(kept: Mapping[str, Any]) -> str:
    """Say in one sentence why a node is not drained, and which pods keep it.

    ``kept``: the ``node``, and as ``held`` and ``refused`` how many ``pods`` and the first of them by name; of those
    whose eviction budgets refuse the API server's ``message`` to the first.
    """
    held, refused = kept["held"], kept["refused"]
    if held["pods"]:
        return held_sentence(kept["node"], Flag.FORCE, held["examples"], held["pods"])
    return REFUSED(
        node=kept["node"],
        pods=first_of(refused["examples"], total=refused["pods"]),
        message=" ".join(refused["message"].split()),
    )


def keeping_sentence(drains: Mapping[str, Any], pods: int) -> str:
    """Say how many pods stay on nodes of a simulation that drains do not empty; nothing where all are emptied."""
    names = [kept["node"] for kept in drains["first"]]
    return KEEP_NODES(pods=pods, nodes=first_of(names, total=drains["kept"])) if names else ""


def held_sentence(node: str, flag: Flag, names: Sequence[str], total: int) -> str:
    """Say that a drain does not begin for want of a flag, on account of ``total`` pods."""
    said = _LOSES_DATA if flag is Flag.EMPTY_DIR else _NOT_CONTROLLED
    return said(node=node, flag=str(flag), pods=first_of(names, total=total))


_LOSES_DATA = message("Cannot drain %(node)s without %(flag)s: emptyDir data would be lost of %(pods)s.")
_NOT_CONTROLLED = message("Cannot drain %(node)s without %(flag)s: nothing controls %(pods)s.")
REFUSED = message("Cannot drain %(node)s: eviction of %(pods)s refused: %(message)s")
KEEP_NODES = plural(
    "%(pods)s pod keeps %(nodes)s from being drained.",
    "%(pods)s pods keep %(nodes)s from being drained.",
    by="pods",
)
OTHER_NODES = plural(
    "%(nodes)s other node cannot be drained either.", "%(nodes)s other nodes cannot be drained either.", by="nodes"
)

"""Why nodes of a domain do not count for a constraint."""

from __future__ import annotations

from typing import Final

from clusters.engine.spreading import Exclusion
from clusters.wording.messages import message

_NODES: Final = {
    Exclusion.LABEL: message("%(nodes)s of %(total)s nodes lack a required label"),
    Exclusion.AFFINITY: message("%(nodes)s of %(total)s nodes do not match the node affinity (Honor)"),
    Exclusion.TAINTS: message("%(nodes)s of %(total)s nodes have untolerated taints (Honor)"),
}
_CELLS: Final = {
    Exclusion.LABEL: message("missing label: %(nodes)s", context="cell of a file"),
    Exclusion.AFFINITY: message("node affinity: %(nodes)s", context="cell of a file"),
    Exclusion.TAINTS: message("taints: %(nodes)s", context="cell of a file"),
}


def excluded_nodes(reason: Exclusion, nodes: int, total: int) -> str:
    """Say how many of a domain's nodes do not count for a constraint, and why."""
    return _NODES[reason](nodes=nodes, total=total)


def excluded_count(reason: Exclusion, nodes: int) -> str:
    """Write in a cell of a file how many of a domain's nodes do not count for a constraint, and why."""
    return _CELLS[reason](nodes=str(nodes))

"""Which node pool a node belongs to, by a label whose key is a usual name for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Providers, provisioners and people write to which pool a node belongs under labels that end so.
POOL_NAMES = frozenset({"agentpool", "node-group", "node-pool", "nodegroup", "nodepool", "pool"})


def pool_of(labels: Mapping[str, str]) -> str:
    """The pool that a node belongs to: the first label by name that tells it; empty where none does."""
    names = [label for label in labels if label.rpartition("/")[2].removeprefix("gke-") in POOL_NAMES]
    return labels[min(names)] if names else ""

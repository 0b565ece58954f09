"""What the drains of an upgrade's preview are made from, of dumps and of mirrored clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.disruption import budget_states
from clusters.engine.objects import Pod, metadata
from clusters.engine.upgrading.drains import SampledDrains, sampled_pools
from clusters.services.disruption.budgets import pods_beside_nodes
from clusters.services.disruption.drains import daemon_sets_of, pods_on_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.upgrading.drains import SampledPool
    from clusters.models import Cluster
    from clusters.services.files.dumps import Dump


def drains_of_dump(dump: Dump) -> SampledDrains:
    """Return the pools of a dump, with the pods on those of their nodes that are drained."""
    pools, left_out = sampled_pools(dump.snapshot)
    nodes = _nodes(pools)
    pods = [pod for pod in dump.pods.values() if (pod.get("spec") or {}).get("nodeName") in nodes]
    others = [pod for pod in dump.pods.values() if not (pod.get("spec") or {}).get("nodeName") or Pod(pod).finished]
    daemon_sets = frozenset(
        f"{metadata(each).get('namespace', '')}/{metadata(each).get('name', '')}"
        for each in dump.objects
        if each["kind"] == "DaemonSet"
    )
    lasting = _lasting(dump.snapshot, others)
    return SampledDrains(pools, pods, others, lasting, daemon_sets or None, left_out)


def drains_of_cluster(cluster: Cluster, snapshot: Snapshot) -> SampledDrains:
    """Return the pools of a cluster in a state of it; what is read beside the snapshot may be a moment newer."""
    pools, left_out = sampled_pools(snapshot)
    others = list(pods_beside_nodes(cluster))
    return SampledDrains(
        pools,
        pods_on_nodes(cluster, sorted(_nodes(pools))),
        others,
        _lasting(snapshot, others),
        daemon_sets_of(cluster),
        left_out,
    )


def _nodes(pools: Sequence[SampledPool]) -> frozenset[str]:
    return frozenset(node for pool in pools for node in pool.nodes)


def _lasting(snapshot: Snapshot, others: Sequence[Document]) -> frozenset[str]:
    return frozenset(state.budget.key for state in budget_states(snapshot, others) if state.is_blocker)

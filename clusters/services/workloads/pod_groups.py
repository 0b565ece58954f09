"""The groups of pods that a workload's pods belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import labels_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.services.mirror.pod_groups import pod_groups_of

if TYPE_CHECKING:
    from clusters.engine.podgroups.states import PodGroupState
    from clusters.models import Cluster
    from clusters.services.workloads.state import ClusterWorkloads


def groups_of_workload(*, cluster: Cluster, found: ClusterWorkloads, workload: Workload) -> list[PodGroupState]:
    """Return the groups that belong to a workload or have pods of it, those first that need somebody.

    Raises ChangingTooFastError.
    """
    states = pod_groups_of(cluster=cluster).states.values()
    here = (state for state in states if state.key.namespace == workload.namespace)
    return [state for state in here if workload in _workloads(state, found)]


def _workloads(state: PodGroupState, found: ClusterWorkloads) -> set[Workload]:
    """The workloads of a group and its pods, and what controls those."""
    namespace = state.key.namespace
    named = {Workload(namespace, *state.controller)} if state.controller else set()
    for member in state.members.values():
        template_hash = labels_of(member.document).get(TEMPLATE_HASH, "")
        named.add(Workload.of(namespace, Controller.of(member.document), template_hash))
    documents = (document for each in named if each.kind and (document := found.document(each)) is not None)
    above = (owner for document in documents if (owner := Controller.of(document)) is not None)
    return named | {Workload(namespace, owner.kind, owner.name) for owner in above}

"""Pods of DaemonSets on nodes that are changed: made where a DaemonSet begins to run, deleted where it stops.

Upstream: ``updateDaemonSet`` and ``podsShouldBeOnNode`` of ``pkg/controller/daemon/daemon_controller.go``, v1.37.2.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.objects import Pod, key_of, name_of, namespace_of
from clusters.engine.simulation.changes.copying import want_copies
from clusters.engine.simulation.daemons import DaemonEligibility, pinned, pinned_node
from clusters.engine.simulation.remarks import (
    DaemonPodsAdded,
    DaemonPodsGone,
    DaemonSetRefused,
    NotRecreatedElsewhere,
)
from clusters.engine.simulation.workloads import ManifestError, daemon_pod
from clusters.engine.workloads.pod_copies import REVISION_HASH, copy_of
from clusters.engine.workloads.pod_template import Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.world import ClusterDocuments
    from clusters.engine.workloads.pod_copies import PodCopy


class _Daemon(NamedTuple):
    """What a DaemonSet's pods are made after, where it runs, and the pods that it has, by node."""

    workload: Workload
    likeness: Document
    where: DaemonEligibility
    pods: Mapping[str, list[str]]


def follow(world: ClusterDocuments, path: str, before: Mapping[str, Document]) -> None:
    """Make and delete the pods of DaemonSets on nodes that were as ``before``."""
    copies: list[PodCopy] = []
    gone: list[tuple[Workload, str]] = []
    for daemon in _daemons(world, None):
        for name, node in before.items():
            now = world.nodes[name]
            if daemon.where.runs_on(now):
                if not daemon.where.runs_on(node) and name not in daemon.pods:
                    copies.append(_copy(world, daemon, name))
            elif daemon.where.stays_on(node) and not daemon.where.stays_on(now):
                gone += [(daemon.workload, key) for key in daemon.pods.get(name, ())]
    for _, key in gone:
        world.drop(key)
    if gone:
        world.remarks.append(DaemonPodsGone(len(gone), len({workload for workload, _ in gone})))
    _want(world, path, copies)


def join(world: ClusterDocuments, path: str, nodes: Iterable[str], like: str | None) -> None:
    """Make the pods of DaemonSets on nodes that are new, perhaps ``like`` another one."""
    daemons = list(_daemons(world, like))
    copies = [
        _copy(world, daemon, name) for name in nodes for daemon in daemons if daemon.where.runs_on(world.nodes[name])
    ]
    _want(world, path, copies)


def _daemons(world: ClusterDocuments, like: str | None) -> Iterable[_Daemon]:
    """Every DaemonSet whose template is known; of others those with a pod, on the node ``like`` if there is one.

    Of the latter the pods' node affinity was replaced by the name of their own node, and only their node selector and
    tolerations tell where else they run.
    """
    for document in sorted(world.shelf.objects("DaemonSet"), key=lambda each: (namespace_of(each), name_of(each))):
        workload = Workload(namespace_of(document), "DaemonSet", name_of(document))
        key = f"{workload.namespace}/{workload.name}"
        pods = _pods_by_node(world, workload)
        template = world.daemons.get(key)
        if template is None and ((document.get("spec") or {}).get("template") or {}).get("spec"):
            try:
                template, _ = daemon_pod(document, world.shelf, _revision(world, workload))
            except ManifestError:
                world.remarks.append(DaemonSetRefused(key))
                continue
        if template is not None:
            yield _Daemon(workload, template, DaemonEligibility(template, is_template=True), pods)
        elif (sample := _sample(world, workload, like)) is not None:
            yield _Daemon(workload, sample, DaemonEligibility(sample, is_template=False), pods)
    known = {(namespace_of(each), name_of(each)) for each in world.shelf.objects("DaemonSet")}
    for workload in sorted(world.workloads()):
        if workload.kind == "DaemonSet" and (workload.namespace, workload.name) not in known:
            sample = _sample(world, workload, like)
            if sample is not None:
                pods = _pods_by_node(world, workload)
                yield _Daemon(workload, sample, DaemonEligibility(sample, is_template=False), pods)


def _sample(world: ClusterDocuments, workload: Workload, like: str | None) -> Document | None:
    pods = [pod for pod in world.pods_of(workload) if like is None or Pod(pod).node_name == like]
    return min(pods, key=name_of, default=None)


def _revision(world: ClusterDocuments, workload: Workload) -> str:
    """The revision that the newest pod of a DaemonSet bears; empty without pods."""
    pods = [Pod(pod) for pod in world.pods_of(workload)]
    newest = max(pods, key=lambda pod: (pod.created, pod.key), default=None)
    return "" if newest is None else str(newest.labels.get(REVISION_HASH) or "")


def _pods_by_node(world: ClusterDocuments, workload: Workload) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pod in world.pods_of(workload):
        found.setdefault(Pod(pod).node_name or pinned_node(pod), []).append(key_of(pod))
    return found


def _copy(world: ClusterDocuments, daemon: _Daemon, node: str) -> PodCopy:
    return copy_of(world.shelf, pinned(daemon.likeness, node), f"{daemon.workload.name}-{node}")


def _want(world: ClusterDocuments, path: str, copies: list[PodCopy]) -> None:
    foreign = Counter(Pod(copy.pod).scheduler_name for copy in copies)
    mine = [copy for copy in copies if Pod(copy.pod).scheduler_name in world.schedulers]
    for scheduler, count in sorted(foreign.items()):
        if scheduler not in world.schedulers:
            world.remarks.append(NotRecreatedElsewhere(scheduler, count))
    if mine:
        want_copies(world, path, mine)
        world.remarks.append(DaemonPodsAdded(len(mine), len({Controller.of(copy.pod) for copy in mine})))

"""Nodes of a sandbox: added, duplicated, cordoned, failing, and gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.disruption.taint_eviction import driven_out
from clusters.engine.lessons.completing import completed_node
from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.lesson import ObjectName
from clusters.engine.matching.known_taints import says_state
from clusters.engine.nodes.health import READY
from clusters.engine.objects import key_of
from clusters.engine.sandbox.cluster import SandboxCluster
from clusters.engine.sandbox.objects import created, named
from clusters.engine.simulation.changes.daemons import follow
from clusters.engine.simulation.changes.leaving import bring_back, take_away
from clusters.engine.simulation.changes.problems import NoSuchNode
from clusters.engine.simulation.twins import twin_of
from clusters.engine.simulation.workloads import ManifestError, made_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document
    from clusters.engine.sandbox.objects import Objects

_DAEMON_SET: Final = "DaemonSet"
_NOT_READY: Final = {
    "type": READY,
    "status": "False",
    "reason": "KubeletNotReady",
}


def node_of(cluster: SandboxCluster, name: str) -> Document:
    """A node as it was built. Raises SituationError for one that is not there."""
    found = cluster.objects.get(ObjectName("Node", "", name))
    if found is None:
        names = tuple(each.name for each in cluster.objects if each.kind == "Node")
        raise SituationError(NoSuchNode(name, names, len(names)))
    return found


def without_state(node: Document) -> Document:
    """A node without the taints that the node lifecycle controller writes, which follow from its conditions."""
    spec = dict(node.get("spec") or {})
    if "taints" in spec:
        spec["taints"] = [each for each in spec["taints"] or () if not says_state(str(each.get("key")))]
    return {**node, "spec": spec}


def duplicated(cluster: SandboxCluster, name: str) -> tuple[str, Objects]:
    """The name of a node like another one, which is ready, and the objects with it and its DaemonSet pods."""
    likeness = node_of(cluster, name)
    stem, _, number = name.rpartition("-")
    stem, count = (stem, int(number)) if stem and number.isdecimal() else (name, 1)
    taken = {each.name for each in cluster.objects if each.kind == "Node"}
    while (new := f"{stem}-{(count := count + 1)}") in taken:
        pass
    return new, with_nodes(cluster, [twin_of(likeness, new)])


def with_nodes(cluster: SandboxCluster, nodes: Iterable[Document]) -> Objects:
    """The objects with nodes, each with the pods of the DaemonSets that run there. Raises SituationError."""
    given = named(created(map(without_state, nodes), cluster.objects))
    new = [completed_node(node) for name, node in given.items() if name not in cluster.objects]
    daemons: list[Document] = []
    for name, daemon_set in cluster.objects.items():
        if name.kind == _DAEMON_SET and new:
            try:
                daemons += made_of(daemon_set, cluster.situation.snapshot, new).pods
            except ManifestError as error:
                # What was admitted once may be refused by now, as by a LimitRange that came later.
                raise SituationError(error.problem, name, error.field) from None
    after = SandboxCluster({**cluster.objects, **given, **named(created(daemons, cluster.objects))})
    edited = {name.name: completed_node(cluster.objects[name]) for name in given if name in cluster.objects}
    if not edited:
        return after.objects
    world = after.world()
    follow(world, "", edited)
    return after.after(world)


def removed(cluster: SandboxCluster, name: str) -> Objects:
    """The objects without a node; its pods are recreated where a controller does. Raises SituationError."""
    node_of(cluster, name)
    world = cluster.world()
    take_away(world, "", [name])
    return cluster.after(world)


def cordoned(cluster: SandboxCluster, name: str, *, is_cordoned: bool) -> Objects:
    """The objects with a node that is unschedulable, or no longer. Raises SituationError."""
    node = without_state(node_of(cluster, name))
    spec = {field: value for field, value in node["spec"].items() if field != "unschedulable"}
    if is_cordoned:
        spec["unschedulable"] = True
    return {**cluster.objects, ObjectName("Node", "", name): {**node, "spec": spec}}


def failing(cluster: SandboxCluster, name: str, *, is_failing: bool) -> Objects:
    """The objects with a node that its kubelet reports not to be ready, or to be again. Raises SituationError."""
    node = without_state(node_of(cluster, name))
    status: dict[str, Any] = dict(node.get("status") or {})
    others = [each for each in status.get("conditions") or () if each.get("type") != READY]
    status["conditions"] = [*others, *([_NOT_READY] if is_failing else [])]
    return {**cluster.objects, ObjectName("Node", "", name): {**node, "status": status}}


def evicted(cluster: SandboxCluster, name: str) -> Objects:
    """The objects once the pods are gone that do not tolerate the NoExecute taints of a node for ever."""
    node_of(cluster, name)
    leaving = {key for key, _ in driven_out(cluster.situation.snapshot, name)}
    world = cluster.world()
    bring_back(world, "", [pod for pod in world.pods_on(name) if key_of(pod) in leaving])
    return cluster.after(world)

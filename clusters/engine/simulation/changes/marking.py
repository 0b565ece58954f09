"""Changes to nodes that stay: cordons, labels, taints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.disruption.taint_eviction import NO_EXECUTE, tolerated_seconds
from clusters.engine.matching.taints import Taint
from clusters.engine.objects import labels_of, metadata
from clusters.engine.simulation.changes.change import NodesChange
from clusters.engine.simulation.changes.daemons import follow
from clusters.engine.simulation.changes.leaving import bring_back
from clusters.engine.simulation.changes.problems import NoLabels, NoTaints
from clusters.engine.simulation.remarks import TaintToleratedForAWhile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments

# What the node controller adds to a node that is cordoned.
_CORDONED = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


class Cordon(NodesChange):
    """Nodes that accept no pods from now on."""

    __slots__ = ()
    change: ClassVar[str] = "cordon"
    known: ClassVar[tuple[str, ...]] = ("nodes", "selector", "zone")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        for name in self.chosen(world, path):
            node = world.nodes[name]
            tainted = _with_taints(node, [_CORDONED], ())
            world.nodes[name] = {**tainted, "spec": {**tainted["spec"], "unschedulable": True}}


class Uncordon(Cordon):
    """Nodes that accept pods again."""

    __slots__ = ()
    change: ClassVar[str] = "uncordon"

    def apply(self, world: ClusterDocuments, path: str) -> None:
        for name in self.chosen(world, path):
            node = _with_taints(world.nodes[name], (), [(_CORDONED.key, "")])
            spec = {key: value for key, value in node["spec"].items() if key != "unschedulable"}
            world.nodes[name] = {**node, "spec": spec}


@dataclass(frozen=True, slots=True)
class LabelNodes(NodesChange):
    """Nodes that get labels, and lose those whose value is None."""

    labels: Mapping[str, str | None] = field(default_factory=dict)

    change: ClassVar[str] = "label-nodes"
    known: ClassVar[tuple[str, ...]] = ("nodes", "selector", "zone", "labels")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        labels = given.labels("labels", removable=True)
        if not labels:
            raise given.bad("labels", NoLabels())
        return cls(**cls.read_choice(given), labels=labels)

    def apply(self, world: ClusterDocuments, path: str) -> None:
        before = {name: world.nodes[name] for name in self.chosen(world, path)}
        for name, node in before.items():
            labels = {**labels_of(node), **self.labels}
            kept = {key: value for key, value in labels.items() if value is not None}
            world.nodes[name] = {**node, "metadata": {**metadata(node), "labels": kept}}
        follow(world, path, before)


@dataclass(frozen=True, slots=True)
class TaintNodes(NodesChange):
    """Nodes that get taints and lose others; ``remove`` holds keys, or keys with effects as in ``key:effect``."""

    taints: tuple[Taint, ...] = ()
    remove: tuple[str, ...] = ()

    change: ClassVar[str] = "taint-nodes"
    known: ClassVar[tuple[str, ...]] = ("nodes", "selector", "zone", "taints", "remove")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        taints, remove = given.taints("taints"), given.taint_names("remove")
        if not taints and not remove:
            raise given.bad("taints", NoTaints())
        return cls(**cls.read_choice(given), taints=taints, remove=remove)

    def apply(self, world: ClusterDocuments, path: str) -> None:
        gone = [(key, effect) for key, _, effect in (text.partition(":") for text in self.remove)]
        driven: list[Document] = []
        later = 0
        before = {name: world.nodes[name] for name in self.chosen(world, path)}
        for name, node in before.items():
            world.nodes[name] = _with_taints(node, self.taints, gone)
            for pod in world.pods_on(name):
                seconds = self._stays(pod)
                if seconds == 0:
                    driven.append(pod)
                later += bool(seconds)
        bring_back(world, path, driven)
        follow(world, path, before)
        if later:
            world.remarks.append(TaintToleratedForAWhile(later))

    def _stays(self, pod: Document) -> int | None:
        """How many seconds a pod stays under the new taints; None for ever."""
        driving = [taint for taint in self.taints if taint.effect == NO_EXECUTE]
        return tolerated_seconds(driving, (pod.get("spec") or {}).get("tolerations") or ()) if driving else None


def _with_taints(node: Document, more: Any, gone: Any) -> dict[str, Any]:
    """A node with taints added, each in place of one of its key and effect, and others taken away."""
    spec = node.get("spec") or {}
    replaced = {(taint.key, taint.effect) for taint in more}

    def stays(taint: Mapping[str, Any]) -> bool:
        key, effect = taint.get("key"), taint.get("effect")
        return (key, effect) not in replaced and not any(key == k and e in ("", effect) for k, e in gone)

    kept = [taint for taint in spec.get("taints") or () if stays(taint)]
    added = [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in more]
    return {**node, "spec": {**spec, "taints": [*kept, *added]}}

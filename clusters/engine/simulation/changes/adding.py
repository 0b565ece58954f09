"""Nodes that are added: like one that there is, or from a template."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.objects import metadata
from clusters.engine.simulation.changes.change import ClusterChange, first
from clusters.engine.simulation.changes.daemons import join
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import LikeAndSize, NoSuchNode
from clusters.engine.simulation.limits import MOST_NODES
from clusters.engine.simulation.twins import twin_of
from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments

_BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"
_PREFIX = "new-node-"
_PODS_BY_DEFAULT = 110
_MOST_PODS = 100_000


@dataclass(frozen=True, slots=True)
class AddNodes(ClusterChange):
    """New nodes: ``like`` another node, or with so much ``cpu`` and ``memory``. ``zones``: one after another in turn.

    Labels, taints and resources are added to those of the likeness.
    """

    count: int
    prefix: str | None = None
    like: str | None = None
    cpu: str | None = None
    memory: str | None = None
    pods: int | None = None
    resources: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()
    zones: tuple[str, ...] = ()

    change: ClassVar[str] = "add-nodes"
    known: ClassVar[tuple[str, ...]] = (
        "count",
        "prefix",
        "like",
        "cpu",
        "memory",
        "pods",
        "resources",
        "labels",
        "taints",
        "zones",
    )

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        like = given.text_or_none("like")
        if like is not None and (given.has("cpu") or given.has("memory")):
            name = "cpu" if given.has("cpu") else "memory"
            raise given.bad(name, LikeAndSize())
        return cls(
            count=given.integer("count", 1, MOST_NODES),
            prefix=given.name("prefix") if given.has("prefix") else None,
            like=like,
            cpu=given.quantity("cpu") if like is None else None,
            memory=given.quantity("memory") if like is None else None,
            pods=given.integer_or_none("pods", 1, _MOST_PODS),
            resources=given.quantities("resources"),
            labels=given.plain_labels("labels"),
            taints=given.taints("taints"),
            zones=given.label_values("zones"),
        )

    def apply(self, world: ClusterDocuments, path: str) -> None:
        likeness = self._likeness(world, path)
        names: list[str] = []
        number = 0
        while len(names) < self.count:
            number += 1
            name = f"{self.prefix or _PREFIX}{number}"
            if name not in world.nodes:
                zone = self.zones[len(names) % len(self.zones)] if self.zones else None
                world.add_node(path, self._node(likeness, name, zone))
                names.append(name)
        self._add_attach_limits(world, names)
        join(world, path, names, self.like)

    def _likeness(self, world: ClusterDocuments, path: str) -> Document:
        """The node that all new ones are made after."""
        if self.like is None:
            amounts = {"cpu": self.cpu, "memory": self.memory, "pods": str(_PODS_BY_DEFAULT)}
            return {"metadata": {}, "spec": {}, "status": {"allocatable": amounts, "capacity": amounts}}
        if self.like not in world.nodes:
            raise ChangeError(f"{path}.like", NoSuchNode(self.like, first(world.nodes), len(world.nodes)))
        return world.nodes[self.like]

    def _node(self, likeness: Document, name: str, zone: str | None) -> Document:
        twin = twin_of(likeness, name)
        labels, status = {**twin["metadata"]["labels"], **self.labels}, twin["status"]
        if zone is not None:
            labels[ZONE] = zone
            if _BETA_ZONE in labels:
                labels[_BETA_ZONE] = zone
        more = {**self.resources, **({} if self.pods is None else {"pods": str(self.pods)})}
        amounts = {role: {**status[role], **more} for role in ("allocatable", "capacity") if role in status}
        mine = {(taint.key, taint.effect) for taint in self.taints}
        kept = [taint for taint in twin["spec"]["taints"] if (taint.get("key"), taint.get("effect")) not in mine]
        taints = [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in self.taints]
        return {
            **twin,
            "metadata": {**twin["metadata"], "labels": labels},
            "spec": {"taints": [*kept, *taints]},
            "status": {**status, **amounts},
        }

    def _add_attach_limits(self, world: ClusterDocuments, names: list[str]) -> None:
        """How many volumes a node takes is told by an object of its name."""
        limits = world.shelf.object("CSINode", self.like) if self.like else None
        if limits is not None:
            for name in names:
                fields = {**metadata(limits), "name": name, "uid": f"imagined:csinode/{name}"}
                world.shelf.upsert({**limits, "metadata": fields})

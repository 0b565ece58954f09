"""The new ordinals of StatefulSets that do not come to be yet, because one before them has no node.

Upstream: ``updateStatefulSet`` in ``pkg/controller/statefulset/stateful_set_control.go`` v1.34.1: with the policy
OrderedReady an ordinal is created once all before it are Running and Ready, which a placed pod is at once here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusters.engine.objects import key_of, namespace_of
from clusters.engine.simulation.case import Origin
from clusters.engine.simulation.problems import AwaitsOrdinal
from clusters.engine.simulation.ranking import ordinal_of
from clusters.engine.workloads.ordinals import Ordinals
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Wanted
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot


@dataclass(slots=True)
class _OrderedSet:
    """A StatefulSet: its wanted pods by ordinal, how many of the first are known to have nodes, and who is held back.

    ``told``: those of whom a step says that they wait for ``predecessor``.
    """

    name: str
    members: dict[str, int]
    order: list[str]
    placed: int = 0
    held: dict[str, tuple[Document, int]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    predecessor: str = ""


class HeldOrdinals:
    """Decides which of the pods that a question adds are created, as others are placed."""

    def __init__(self, snapshot: Snapshot, wanted: Iterable[Wanted]) -> None:
        self._snapshot = snapshot
        self._set_of: dict[str, _OrderedSet] = {}
        self._added: set[str] = set()
        self._stamps: dict[str, int] = {}
        self._holding: dict[str, _OrderedSet] = {}
        members: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for each in wanted:
            controller = Controller.of(each.pod)
            if controller is None or controller.kind != "StatefulSet":
                continue
            key = key_of(each.pod)
            members[f"{namespace_of(each.pod)}/{controller.name}"].append((ordinal_of(each.pod), key))
            if each.origin is Origin.ADDED:
                self._added.add(key)
        for name, pods in members.items():
            namespace, _, own = name.partition("/")
            if Ordinals.of(snapshot.object("StatefulSet", own, namespace) or {}).is_ordered:
                order = [key for _, key in sorted(pods)]
                found = _OrderedSet(name, {key: place for place, key in enumerate(order)}, order)
                self._set_of |= dict.fromkeys(order, found)

    def holds(self, pod: Document, stamp: Callable[[], int], recorded: Step | None) -> bool:
        """Whether a pod is not created yet; it is remembered then, with a ``stamp``: its place in the queue.

        ``recorded``: the next step, as an earlier release may have recorded it, which tried all ordinals.
        """
        key = key_of(pod)
        found = self._set_of.get(key)
        if found is None:
            return False
        if found.members[key] < found.placed:
            # It was placed, and went.
            found.placed = 0
        if key not in self._added or found.held.get(key):
            return False
        if recorded is not None and recorded.pod == key and not isinstance(recorded.problem, AwaitsOrdinal):
            return False
        if self._first_without_node(found) in ("", key):
            return False
        found.held[key] = pod, stamp()
        self._holding[found.name] = found
        return True

    def loses(self, key: str) -> None:
        """Note that a pod, which may have been placed, is not Running and Ready any more."""
        found = self._set_of.get(key)
        if found is not None:
            found.placed = min(found.placed, found.members[key])

    def stamp_of(self, key: str) -> int | None:
        """The place in the queue of a pod that was held back; None of any other."""
        return self._stamps.pop(key, None)

    def next_after(self, key: str) -> Document | None:
        """The pod that is created as another has been placed; None where none is."""
        found = self._set_of.get(key)
        return None if found is None or not found.held else self.let_go(self._first_without_node(found))

    def let_go(self, key: str) -> Document | None:
        """Hold a pod back no longer; None where it was not."""
        found = self._set_of.get(key)
        held = None if found is None else found.held.pop(key, None)
        if found is None or held is None:
            return None
        found.told.discard(key)
        if not found.held:
            del self._holding[found.name]
        document, self._stamps[key] = held
        return document

    def document_of(self, key: str) -> Document | None:
        """A pod that is held back, None of any other."""
        found = self._set_of.get(key)
        held = None if found is None else found.held.get(key)
        return None if held is None else held[0]

    def untold(self) -> Iterator[tuple[str, AwaitsOrdinal]]:
        """The pods that are held back and of whom no step says for which pod they wait now."""
        for found in self._holding.values():
            predecessor = self._first_without_node(found)
            if predecessor != found.predecessor:
                found.told.clear()
                found.predecessor = predecessor
            for key in sorted(found.held.keys() - found.told, key=found.members.__getitem__):
                found.told.add(key)
                yield key, AwaitsOrdinal(found.name, predecessor.partition("/")[2])

    def _first_without_node(self, found: _OrderedSet) -> str:
        """The first member that has no node; empty where all have one."""
        while found.placed < len(found.order) and self._is_ready(found.order[found.placed]):
            found.placed += 1
        return found.order[found.placed] if found.placed < len(found.order) else ""

    def _is_ready(self, key: str) -> bool:
        """Whether a pod has a node, and is not being deleted."""
        pods = self._snapshot.pods
        return self._snapshot.placed_on(key) is not None and not pods.terminating[pods.slot_of[key]]

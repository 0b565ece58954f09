"""A cluster over a stretch of time: one snapshot that can stand at any moment of it.

The steps are ordered by the version that the cluster itself gave them, so that kinds that were heard of apart fall into
their places. What the scheduler had in front of it need not be any such moment: its own bindings count for it before
they are written, and what others write reaches it late. So a state can also be asked for without some steps and with
some later ones.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from clusters.engine.objects import name_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

_by_version = attrgetter("version")
# Of these only what they select is read; their status tells how far they are.
_SELECTING = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "Service", "StatefulSet"})


@dataclass(frozen=True, eq=False)
class RecordedChange:
    """One change of one object; ``before`` is None for one that came, ``after`` for one that went.

    ``version`` orders the steps of a cluster: an object's resource version, as the integer that it is in practice.
    ``moment`` is when it was heard of, in seconds of whatever clock. ``came``: the version with which a pod came, of a
    change of one that was pending; None where nobody saw it come.
    """

    version: int
    before: Document | None
    after: Document | None
    moment: float = 0.0
    came: int | None = None

    @property
    def document(self) -> Document:
        """The object as the step left it, or found it."""
        document = self.after if self.after is not None else self.before
        assert document is not None  # noqa: S101 - a step has at least one
        return document

    @cached_property
    def identity(self) -> tuple[str, str, str]:
        """Kind, namespace and name, by which a snapshot knows the object."""
        document = self.document
        return str(document.get("kind")), namespace_of(document), name_of(document)

    @cached_property
    def is_by_scheduler(self) -> bool:
        """Whether the scheduler wrote it: a pod got its node, or the one that is being cleared for it."""
        if self.document.get("kind") != "Pod" or self.before is None or self.after is None:
            return False
        return _place(self.before) != _place(self.after)

    @cached_property
    def matters(self) -> bool:
        """Whether the scheduler's answer for another pod can depend on it."""
        return _told(self.before) != _told(self.after)


def _place(pod: Document | None) -> tuple[str, str]:
    """The node of a pod, and the one it is nominated for while it has none."""
    if pod is None:
        return "", ""
    node = str((pod.get("spec") or {}).get("nodeName") or "")
    return node, "" if node else str((pod.get("status") or {}).get("nominatedNodeName") or "")


def _told(document: Document | None) -> object:
    """The part of an object that scheduling other pods reads, for comparison."""
    if document is None:
        return None
    kind, metadata = document.get("kind"), document.get("metadata") or {}
    if kind == "Pod":
        return _told_of_pod(document)
    if kind == "Node":
        status = {name: part for name, part in (document.get("status") or {}).items() if name != "conditions"}
        return metadata.get("labels"), metadata.get("annotations"), document.get("spec"), status
    if kind in _SELECTING:
        return metadata.get("labels"), (document.get("spec") or {}).get("selector")
    return document


def _told_of_pod(pod: Document) -> object:
    place = _place(pod)
    finished = (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")
    if finished or place == ("", ""):
        return None
    metadata = pod.get("metadata") or {}
    return place, metadata.get("labels"), "deletionTimestamp" in metadata, pod.get("spec")


class History:
    """A snapshot of its own, and the steps by which it moves through time."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Begin with a cluster's state before the first step; the snapshot is taken over."""
        self._snapshot = snapshot
        self._steps: list[RecordedChange] = []
        self._applied = 0

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, step: RecordedChange) -> None:
        """Put a step where its version belongs, after those of the same version."""
        place = bisect_left(self._steps, step.version + 1, key=_by_version)
        if place < self._applied:
            self._move(place)
        insort(self._steps, step, key=_by_version)

    def forget(self, moment: float) -> None:
        """Drop the oldest steps heard of before a moment; the oldest state kept is then the one that they led to."""
        count = next((place for place, step in enumerate(self._steps) if step.moment >= moment), len(self._steps))
        if self._applied < count:
            self._move(count)
        del self._steps[:count]
        self._applied -= count

    def before(self, version: int, count: int) -> list[RecordedChange]:
        """Return the last steps before a version, at most ``count`` of them, in order."""
        end = self._position(version)
        return self._steps[max(0, end - count) : end]

    def since(self, version: int, count: int) -> list[RecordedChange]:
        """Return the first steps from a version on, at most ``count`` of them, in order."""
        start = self._position(version)
        return self._steps[start : start + count]

    @contextmanager
    def state(
        self, version: int, *, without: Collection[RecordedChange] = (), beyond: Collection[RecordedChange] = ()
    ) -> Iterator[Snapshot]:
        """Lend the state just before a version: without some of the steps before it, and with some from it on.

        A step that is left out takes the later ones of the same object with it. The snapshot is lent for the time of
        the context only, and nothing in it may be kept that reads the snapshot later.
        """
        self._move(self._position(version))
        touched = {step.identity for step in (*without, *beyond)}
        if not touched:
            yield self._snapshot
            return
        excluded, included = set(without), set(beyond)
        fallen: set[tuple[str, str, str]] = set()
        usual: dict[tuple[str, str, str], Document | None] = {}
        wanted: dict[tuple[str, str, str], Document | None] = {}
        for number, step in enumerate(self._steps):
            identity = step.identity
            if identity not in touched:
                continue
            is_past = number < self._applied
            usual[identity] = step.after if is_past else usual.get(identity, step.before)
            wanted.setdefault(identity, step.before)
            if step in excluded:
                fallen.add(identity)
            elif identity not in fallen and (is_past or step in included):
                wanted[identity] = step.after
        self._lay(wanted)
        try:
            yield self._snapshot
        finally:
            self._lay(usual)

    def _position(self, version: int) -> int:
        return bisect_left(self._steps, version, key=_by_version)

    def _move(self, position: int) -> None:
        while self._applied < position:
            step = self._steps[self._applied]
            self._set(step.identity, step.after)
            self._applied += 1
        while self._applied > position:
            self._applied -= 1
            step = self._steps[self._applied]
            self._set(step.identity, step.before)

    def _lay(self, documents: dict[tuple[str, str, str], Document | None]) -> None:
        # Nodes first: a pod finds its node there.
        for identity in sorted(documents, key=lambda each: each[0] != "Node"):
            self._set(identity, documents[identity])

    def _set(self, identity: tuple[str, str, str], document: Document | None) -> None:
        kind, namespace, name = identity
        if document is not None:
            self._snapshot.upsert(document)
        else:
            self._snapshot.delete({"kind": kind, "metadata": {"namespace": namespace, "name": name}})

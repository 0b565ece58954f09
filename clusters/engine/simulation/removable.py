"""Which nodes could go all together: their pods move one after another, as budgets and the scheduler allow.

What keeps a node follows the cluster autoscaler's rules for scaling down (``cluster-autoscaler/simulator`` 1.34): how
much of it is requested, and pods that it does not evict. Everything is tried out in a copy of the cluster."""

from __future__ import annotations

import enum
import heapq
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.disruption.drains import DrainWorld, Ledger, replacement_of
from clusters.engine.nodes import Amounts
from clusters.engine.objects import Document, Pod, metadata
from clusters.engine.owners import Controller
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.simulation.measures import moving_pods, resource_amounts, room_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.scheduling.cost import Note
    from clusters.engine.snapshot import Snapshot

CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_SAFE = "cluster-autoscaler.kubernetes.io/safe-to-evict"
_SAFE_VOLUMES = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"
_SYSTEM = "kube-system"
# Controllers of which the autoscaler knows that they make a pod again.
_KNOWN = ("ReplicaSet", "ReplicationController", "StatefulSet", "Job")


class Keeps(enum.StrEnum):
    """Why a node stays, in the order in which it is looked at."""

    CONTROL_PLANE = "control-plane"
    USED = "used"
    ANNOTATION = "annotation"
    BARE = "bare"
    CUSTOM = "custom"
    SYSTEM = "system"
    LOCAL_STORAGE = "local-storage"
    BUDGET = "budget"
    NO_ROOM = "no-room"
    OTHER_SCHEDULER = "other-scheduler"
    LIMIT = "limit"


class RemovalOptions(Struct, frozen=True):
    """The autoscaler's settings, with its defaults.

    ``threshold``: percent of CPU or of memory, whichever is more, that must be requested of a node for it to stay.
    ``keeps_custom_pods``, ``keeps_system_pods`` and ``keeps_local_storage``: whether such pods keep their nodes;
    custom ones are those of controllers that Kubernetes does not bring. ``most_placements``: after so many nothing more
    is tried.
    """

    threshold: int = 50
    keeps_custom_pods: bool = True
    keeps_system_pods: bool = True
    keeps_local_storage: bool = True
    most_placements: int = 30_000


class Move(Struct, frozen=True):
    """A pod that is evicted, and the node of the one that replaces it; both as ``namespace/name``.

    ``replacement`` is what the plan calls the new pod: its controller will give it another name, a StatefulSet's keeps
    it; empty where nothing replaces it. ``round``: how often the node's pods had been asked for, from 1; those of one
    round are gone at the same time.
    """

    pod: str
    replacement: str
    node: str
    round: int


class RemovedNode(Struct, frozen=True):
    """A node that can go after the ones before it: its share that is requested, in percent, and where its pods go."""

    name: str
    share: float
    moves: tuple[Move, ...]


class KeptNode(Struct, frozen=True):
    """A node that stays, why, the pods that keep it, and the scheduler's or the API server's words where there are."""

    name: str
    share: float
    why: Keeps
    pods: tuple[str, ...] = ()
    message: str = ""


class Removal(Struct, frozen=True):
    """What can go, in this order, and what stays, in order of name.

    ``after``: the cluster without the nodes, every moved pod on a node of it. ``is_verified``: that was looked up, and
    nobody who had a place and is made again has none.
    """

    removed: tuple[RemovedNode, ...]
    kept: tuple[KeptNode, ...]
    after: Snapshot
    is_verified: bool

    @property
    def is_whole(self) -> bool:
        """Whether every node was tried, so that no other one can go."""
        return not any(node.why is Keeps.LIMIT for node in self.kept)


def find_removable(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    pods: Iterable[Document],
    options: RemovalOptions | None = None,
    *,
    among: Collection[str] | None = None,
    others: Iterable[Document] = (),
    note: Note | None = None,
) -> Removal:
    """Take away node after node, the least used first, as long as its pods may be evicted and fit on other nodes.

    ``pods``: documents of all pods on nodes; ``among``: the nodes in question, all by default; ``others``:
    pods that are pending or have finished, which budgets count; ``note`` is told of pods whose new node is unknown,
    and which keep their node. The snapshot stays as it is.
    """
    search = _Search(snapshot, configuration, pods, options or RemovalOptions(), others, note)
    return search.found(snapshot.nodes.names if among is None else sorted(among))


class _KeptError(Exception):
    """A node has to stay."""

    def __init__(self, why: Keeps, pods: Sequence[str] = (), message: str = "") -> None:
        super().__init__()
        self.why, self.pods, self.message = why, tuple(pods), message


class _Search:
    """Goes through the nodes, in a copy of the cluster that every failed attempt leaves as it was."""

    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        pods: Iterable[Document],
        options: RemovalOptions,
        others: Iterable[Document],
        note: Note | None,
    ) -> None:
        self._options = options
        self._world = DrainWorld(snapshot, configuration, preemptions=0, note=note)
        self._ledger = Ledger(snapshot, others)
        self._residents: defaultdict[str, dict[str, Pod]] = defaultdict(dict)
        for pod in map(Pod, pods):
            if pod.node_name and not pod.finished:
                self._residents[pod.node_name][pod.key] = pod
        self._number = 0
        self._unreplaced = 0
        # Who moved, and where they are now.
        self._moved: dict[str, str] = {}

    def found(self, names: Iterable[str]) -> Removal:
        """Try every node once: with each one that goes, room elsewhere only shrinks."""
        before = int(moving_pods(self._world.snapshot).sum())
        removed, kept = [], []
        queue = [(self._share(name), name) for name in set(names)]
        heapq.heapify(queue)
        while queue:
            share, name = heapq.heappop(queue)
            now = self._share(name)
            if now > share:
                # Pods of others have moved here: those that are used less come first.
                heapq.heappush(queue, (now, name))
                continue
            try:
                removed.append(RemovedNode(name, share, self._emptied(name, share)))
            except _KeptError as error:
                kept.append(KeptNode(name, share, error.why, error.pods, error.message))
        after = self._world.snapshot
        lost = before - self._unreplaced - int(moving_pods(after).sum())
        is_verified = not lost and all(after.placed_on(pod) == node for pod, node in self._moved.items())
        return Removal(tuple(removed), tuple(sorted(kept, key=lambda node: node.name)), after, is_verified)

    def _share(self, name: str) -> float:
        """The larger one of the shares of a node's CPU and memory that are requested now, in percent."""
        nodes = self._world.snapshot.nodes
        row, columns = nodes.index[name], [nodes.resources.index(resource) for resource in (CPU, MEMORY)]
        return float(Amounts(nodes.requested[row, columns], nodes.allocatable[row, columns]).shares.max()) * 100

    # -- one node ----------------------------------------------------------------------------------------

    def _emptied(self, name: str, share: float) -> tuple[Move, ...]:
        """Empty a node and take it away. Raises _KeptError, and nothing has happened then."""
        node = self._world.snapshot.nodes.nodes[self._world.snapshot.nodes.index[name]]
        if any(label in node.labels for label in CONTROL_PLANE):
            raise _KeptError(Keeps.CONTROL_PLANE)
        if share >= self._options.threshold:
            raise _KeptError(Keeps.USED)
        moving = [pod for pod in self._residents[name].values() if not _is_pinned(pod)]
        moving.sort(key=lambda pod: pod.key)
        self._refuse(moving)
        if self._world.placements >= self._options.most_placements:
            raise _KeptError(Keeps.LIMIT)
        self._look_for_room(name, moving)
        mark, balance, number = self._world.mark(), self._ledger.balance(), self._number
        self._world.cordon(name)
        try:
            moves, landed = self._moves(name, moving)
        except _KeptError:
            self._world.back_to(mark)
            self._ledger.restore(balance)
            self._number = number
            raise
        self._take_away(name, moves, landed)
        return tuple(moves)

    def _refuse(self, moving: Sequence[Pod]) -> None:
        """Raise _KeptError where there are pods that the autoscaler does not evict."""
        found: defaultdict[Keeps, list[str]] = defaultdict(list)
        for pod in moving:
            why = self._unmovable(pod)
            if why is not None:
                found[why].append(pod.key)
        for why in Keeps:
            if why in found:
                raise _KeptError(why, found[why])

    def _unmovable(self, pod: Pod) -> Keeps | None:
        annotations = metadata(pod.document).get("annotations") or {}
        if annotations.get(_SAFE) == "true":
            return None
        if annotations.get(_SAFE) == "false":
            return Keeps.ANNOTATION
        controller = Controller.of(pod.document)
        if controller is None:
            return Keeps.BARE
        if self._options.keeps_custom_pods and controller.kind not in _KNOWN:
            return Keeps.CUSTOM
        if self._options.keeps_system_pods and pod.namespace == _SYSTEM and not self._ledger.keys_of(pod):
            return Keeps.SYSTEM
        spared = {volume.strip() for volume in str(annotations.get(_SAFE_VOLUMES) or "").split(",")}
        if self._options.keeps_local_storage and any(
            _is_local(volume) and volume.get("name") not in spared for volume in pod.spec.get("volumes") or ()
        ):
            return Keeps.LOCAL_STORAGE
        return None

    def _look_for_room(self, name: str, moving: Sequence[Pod]) -> None:
        """Raise _KeptError for a pod that no other node has resources for, before anything is tried."""
        nodes, amounts = self._world.snapshot.nodes, resource_amounts(self._world.snapshot)
        elsewhere = np.ones(len(nodes), np.bool_)
        elsewhere[nodes.index[name]] = False
        known: dict[tuple[tuple[str, int], ...], bool] = {}
        for pod in moving:
            asked = tuple(sorted(pod.requests.items()))
            if asked not in known:
                known[asked] = bool((room_for(amounts, pod.requests)[elsewhere] > 0).any())
            if not known[asked]:
                raise _KeptError(Keeps.NO_ROOM, [pod.key])

    def _moves(self, name: str, moving: Sequence[Pod]) -> tuple[list[Move], list[Pod]]:
        """Evict a node's pods, in as many rounds as budgets ask for, and place what replaces them."""
        moves: list[Move] = []
        landed: list[Pod] = []
        left = list(moving)
        for asking in count(1):
            if not left:
                break
            answers = [(pod, self._ledger.ask(pod)) for pod in left]
            refused = [(pod, answer) for pod, answer in answers if not answer.is_granted]
            granted = [pod for pod, answer in answers if answer.is_granted]
            if not granted:
                raise _KeptError(
                    Keeps.BUDGET, [pod.key for pod, _ in refused], refused[0][1].detail or refused[0][1].message
                )
            for pod in granted:
                self._world.remove(pod.document)
            for pod in granted:
                move, after = self._placed(name, pod, asking)
                moves.append(move)
                if after is not None:
                    landed.append(after)
            left = [pod for pod, _ in refused]
            # Others run in the place of those that went, and the disruption controller has seen it.
            self._ledger.settle(self._world.snapshot, {key for pod in moving for key in self._ledger.keys_of(pod)})
        return moves, landed

    def _placed(self, name: str, pod: Pod, asking: int) -> tuple[Move, Pod | None]:
        """Place the replacement of a pod, if its controller creates one."""
        self._number += 1
        made = replacement_of(pod, self._number)
        if made is None:
            return Move(pod.key, "", "", asking), None
        made["metadata"]["annotations"] = metadata(pod.document).get("annotations") or {}
        landing = self._world.place(made)
        if landing.node in ("", name):
            # Who tolerates everything would come back to a node that is merely cordoned.
            why = Keeps.OTHER_SCHEDULER if landing.scheduler else Keeps.NO_ROOM
            raise _KeptError(why, [pod.key], landing.message)
        after = Pod({**made, "spec": {**made["spec"], "nodeName": landing.node}})
        return Move(pod.key, after.key, landing.node, asking), after

    def _take_away(self, name: str, moves: Sequence[Move], landed: Sequence[Pod]) -> None:
        """Let it stand that a node was emptied, and remove the node with the pods that stay on it."""
        self._world.keep()
        for pod in self._residents.pop(name, {}).values():
            if _is_pinned(pod):
                self._world.snapshot.delete({**pod.document, "kind": "Pod"})
        self._world.snapshot.delete({"kind": "Node", "metadata": {"name": name}})
        for move in moves:
            self._moved.pop(move.pod, None)
            self._unreplaced += not move.replacement
        for pod in landed:
            self._residents[pod.node_name][pod.key] = pod
            self._moved[pod.key] = pod.node_name


def _is_pinned(pod: Pod) -> bool:
    controller = Controller.of(pod.document)
    return controller is not None and controller.kind in ("DaemonSet", "Node")


def _is_local(volume: Document) -> bool:
    """Whether what a volume holds stays on the node; what is kept in memory does not count."""
    empty = volume.get("emptyDir")
    return "hostPath" in volume or (empty is not None and (empty or {}).get("medium") != "Memory")

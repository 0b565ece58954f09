"""What a question begins with, and the cluster that its changes make of it.

A question costs what it changes: it works on a copy of the cluster's snapshot, and of nodes and pods it reads the
documents that it needs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.columns import NOWHERE
from clusters.engine.disruption.budgets import KIND as BUDGET
from clusters.engine.disruption.drains import Ledger
from clusters.engine.objects import (
    Document,
    Node,
    Pod,
    key_of,
    labels_of,
    metadata,
    name_of,
    namespace_of,
    sortable_time,
)
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.problems import NameExists, OverLimit
from clusters.engine.quotas import is_counted
from clusters.engine.simulation.case import MOST_NODES, MOST_WANTED, Case, Origin, Wanted
from clusters.engine.simulation.controllers import KIND as QUOTA, pinned_node, settle_quotas
from clusters.engine.simulation.problems import ChangeError, TooManyPending
from clusters.engine.simulation.remarks import PendingElsewhere, Remark
from clusters.engine.snapshot import Snapshot
from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.versions import Release

# Documents of nodes by name, or of pods by ``namespace/name``; what is not there is left out.
Read: TypeAlias = Callable[[Collection[str]], Mapping[str, Document]]


class Base(Struct, frozen=True):
    """A cluster as a question begins with it; others may begin with the same, which stays as it is.

    ``beside``: the pods that wait for a node or have finished. ``read_nodes`` and ``read_pods``: where the documents of
    nodes, and of the pods on them, come from.
    """

    snapshot: Snapshot
    beside: tuple[Document, ...]
    read_nodes: Read
    read_pods: Read

    @classmethod
    def of(cls, objects: Iterable[Document], release: Release, snapshot: Snapshot | None = None) -> Base:
        """A cluster of these objects, in any order; ``snapshot``: one of all of them, where there is one."""
        documents = list(objects)
        nodes = {name_of(each): each for each in documents if each.get("kind") == "Node"}
        pods = {key_of(each): each for each in documents if each.get("kind") == "Pod"}
        return cls(
            Snapshot.from_objects(documents, release) if snapshot is None else snapshot,
            tuple(filter(is_beside, pods.values())),
            lambda names: {name: nodes[name] for name in names if name in nodes},
            lambda keys: {key: pods[key] for key in keys if key in pods},
        )


def is_beside(document: Document) -> bool:
    """Whether a pod waits for a node or has finished, so that a snapshot does not hold it as one on a node."""
    pod = Pod(document)
    return not pod.node_name or pod.finished


class Documents(Mapping[str, Document]):
    """Documents by name, each of them read when somebody first asks for it."""

    def __init__(self, read: Read, known: Iterable[tuple[str, Document]] = ()) -> None:
        self._read = read
        self._known = dict(known)

    def __getitem__(self, name: str) -> Document:
        if name not in self:
            raise KeyError(name)
        self.load((name,))
        return self._known[name]

    @abstractmethod
    def __contains__(self, name: object) -> bool: ...

    def values(self) -> ValuesView[Document]:
        self.load(self)
        return super().values()

    def items(self) -> ItemsView[str, Document]:
        self.load(self)
        return super().items()

    def load(self, names: Iterable[str]) -> None:
        """Read these documents together, as far as they are not known: one by one would take longer."""
        missing = [name for name in names if name not in self._known]
        if missing:
            self._known.update(self._read(missing))


class NodeDocuments(Documents):
    """The nodes of a cluster that is being changed, by name."""

    def __init__(self, base: Base) -> None:
        super().__init__(base.read_nodes)
        self._table = base.snapshot.nodes
        self._gone: set[str] = set()
        # Those that came or changed, as the scheduler looks at them.
        self.changed: dict[str, Node] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.changed or (name in self._table.index and name not in self._gone)

    def __iter__(self) -> Iterator[str]:
        return (name for name in dict.fromkeys((*self._table.names, *self.changed)) if name not in self._gone)

    def __len__(self) -> int:
        return len(self._table) - len(self._gone) + sum(name not in self._table.index for name in self.changed)

    def node(self, name: str) -> Node:
        """A node as the scheduler looks at it. Raises KeyError."""
        changed = self.changed.get(name)
        return self._table.nodes[self._table.index[name]] if changed is None else changed

    def put(self, document: Document) -> None:
        """Add a node, or let one be another of its name."""
        name = name_of(document)
        self._known[name], self.changed[name] = document, Node.from_dict(document)
        self._gone.discard(name)

    def drop(self, name: str) -> None:
        """Take a node away."""
        self.changed.pop(name, None)
        if name in self._table.index:
            self._gone.add(name)

    def apply_to(self, snapshot: Snapshot) -> None:
        """Make the nodes of a snapshot of the base these."""
        if self._gone or self.changed.keys() - self._table.index.keys():
            snapshot.replace_nodes([self.node(name) for name in self])
        else:
            for name in self.changed:
                snapshot.upsert({**self._known[name], "kind": "Node"})


class PodDocuments(Documents):
    """The pods of a snapshot that have a node, and others that have finished or are being deleted without one."""

    def __init__(self, snapshot: Snapshot, read: Read, aside: Mapping[str, Document]) -> None:
        super().__init__(read, aside.items())
        self._pods = snapshot.pods
        self.aside = dict(aside)

    def __contains__(self, key: object) -> bool:
        slot = self._pods.slot_of.get(key)  # type: ignore[call-overload]
        return key in self.aside or (slot is not None and slot not in self._pods.nominees)

    def __iter__(self) -> Iterator[str]:
        nominees = self._pods.nominees
        yield from (key for key, slot in self._pods.slot_of.items() if slot not in nominees and key not in self.aside)
        yield from self.aside

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def put(self, key: str, document: Document) -> None:
        """Let a pod be another one."""
        self._known[key] = document
        if key in self.aside:
            self.aside[key] = document

    def starting(self) -> PodDocuments:
        """Those that a simulation begins with: what has finished is none of them."""
        found = PodDocuments.__new__(PodDocuments)
        found._read, found._known, found._pods = self._read, self._known, self._pods
        found.aside = {key: pod for key, pod in self.aside.items() if not Pod(pod).finished}
        return found


# What disruption budgets allow once a cluster has been changed.
#
# Upstream: ``updatePdbStatus`` in ``pkg/controller/disruption/disruption.go`` v1.34.1. Preemption reads it in the
# status.


def settle_budgets(snapshot: Snapshot, others: Iterable[Document]) -> None:
    """Write the status of every budget; ``others``: pods that the snapshot does not hold, as they wait or are done."""
    documents = list(snapshot.objects(BUDGET))
    if not documents:
        return
    ledger = Ledger(snapshot, others)
    ledger.settle(snapshot, map(key_of, documents))
    for document in documents:
        status = ledger.reported(key_of(document))
        written = {
            "observedGeneration": int(metadata(document).get("generation") or 0),
            "expectedPods": status.expected,
            "currentHealthy": status.healthy,
            "desiredHealthy": status.desired,
            "disruptionsAllowed": status.allowed,
        }
        snapshot.upsert({**document, "status": {**(document.get("status") or {}), **written}})


_BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"


class ChangedCluster:
    """A cluster that is being changed. ``snapshot``: its pods that have a node, and its objects beside pods and nodes.

    ``nodes`` by name; ``pods`` that have a node or have finished, and ``waiting`` ones, by ``namespace/name``;
    ``daemons``: templates of DaemonSets that were added, by ``namespace/name``. ``replaced``: the pods that came in the
    place of others, by those. Raises ChangeError where more pods wait than a simulation places.
    """

    def __init__(self, base: Base, configuration: SchedulerConfiguration) -> None:
        self.snapshot = base.snapshot.copy()
        self.waiting: dict[str, Wanted] = {}
        self.daemons: dict[str, Document] = {}
        self.drained: dict[str, None] = {}
        self.unreachable: dict[str, None] = {}
        self.not_ready: dict[str, None] = {}
        self.replaced: dict[str, str] = {}
        # What was simplified or left out.
        self.remarks: list[Remark] = []
        self.schedulers = frozenset(profile.scheduler_name for profile in configuration.profiles)
        self._configuration = configuration
        self._base = base
        # Of the pods that the snapshot does not hold: those of each workload, and of each node.
        self._members: dict[Workload, dict[str, None]] = defaultdict(dict)
        self._beside_on: dict[str, list[str]] = defaultdict(list)
        self._templates: dict[Workload, list[int]] = defaultdict(list)
        self._numbers: dict[str, int] = {}
        self._added_nodes = 0
        # Pods of the base that were taken away or changed, as the base has them.
        self._before: dict[str, Document] = {}
        beside = sorted(map(Pod, base.beside), key=lambda pod: (pod.created, pod.key))
        self._beside = {pod.key: pod.document for pod in beside}
        self.nodes = NodeDocuments(base)
        self.pods = PodDocuments(
            self.snapshot,
            base.read_pods,
            {pod.key: pod.document for pod in beside if pod.node_name or pod.finished or pod.terminating},
        )
        for pod in beside:
            if pod.key in self.pods.aside:
                self._members[workload_of(pod.document)][pod.key] = None
                self._beside_on[pod.node_name].append(pod.key)
        self._take_in([pod for pod in beside if pod.key not in self.pods.aside])

    def case(self, *, seed: int, samples: bool, is_graceful: bool = False) -> Case:
        """The cluster as a simulation begins with it; it is not to be changed any more."""
        snapshot = self.snapshot
        wanted = sorted(self.waiting.values(), key=lambda each: each.at)
        self.nodes.apply_to(snapshot)
        for each in wanted:
            if (each.pod.get("status") or {}).get("nominatedNodeName"):
                snapshot.upsert({**each.pod, "kind": "Pod"})
        placed = self.pods.starting()
        finished = [pod for key, pod in self.pods.aside.items() if key not in placed.aside]
        settle_budgets(snapshot, [*finished, *(each.pod for each in wanted)])
        if snapshot.objects(QUOTA):
            gone = [pod for key, pod in self._before.items() if not self._is_still(key, pod)]
            settle_quotas(snapshot, self._uncounted(snapshot, {key_of(pod) for pod in gone}), gone)
        leave = (*self.drained, *self.unreachable, *self.not_ready)
        placed.load(key for keys in self._keys_on(leave) for key in keys)
        return Case(
            snapshot=snapshot,
            configuration=self._configuration,
            wanted=wanted,
            drained=sorted(self.drained),
            unreachable=sorted(self.unreachable),
            not_ready=sorted(self.not_ready),
            samples=samples,
            seed=seed,
            placed=placed,
            replaced=dict(self.replaced),
            admits_pods=True,
            orders_ordinals=True,
            is_graceful=is_graceful,
        )

    def _is_still(self, key: str, before: Document) -> bool:
        """Whether a pod of the base is there; one that lost its node is still the same."""
        here = self.pod(key)
        return here is not None and metadata(here).get("uid") == metadata(before).get("uid")

    def _uncounted(self, snapshot: Snapshot, gone: Collection[str]) -> list[Document]:
        """The pods of the base that remain, as it has them, where a quota does not say what is used."""
        spaces = {namespace_of(quota) for quota in snapshot.objects(QUOTA) if not is_counted(quota)}
        if not spaces:
            return []
        keys = (*self._base.snapshot.pods.slot_of, *self._beside)
        wanted = {key for key in keys if key.partition("/")[0] in spaces} - set(gone)
        on_nodes = wanted - self._before.keys() - self._beside.keys()
        self.pods.load(on_nodes)
        known = {**self._beside, **self._before}
        return [known[key] if key in known else self.pods[key] for key in sorted(wanted)]

    # -- nodes -----------------------------------------------------------------------------------------------

    def add_node(self, path: str, node: Document) -> None:
        """Add a node. Raises ChangeError where there is one of its name, or where too many are added."""
        name = name_of(node)
        if name in self.nodes:
            raise ChangeError(path, NameExists(name))
        self._added_nodes += 1
        if self._added_nodes > MOST_NODES:
            raise ChangeError(path, OverLimit(MOST_NODES))
        self.nodes.put(node)

    def drop_nodes(self, names: Iterable[str]) -> list[Document]:
        """Take nodes away with their pods, which are returned."""
        gone = list(names)
        pods = self.pods_on(gone)
        for pod in pods:
            self.drop(key_of(pod))
        for name in gone:
            self.nodes.drop(name)
            self.drained.pop(name, None)
            self.unreachable.pop(name, None)
            self.not_ready.pop(name, None)
        return pods

    def zone_of(self, node: str) -> str:
        """The zone of a node, empty where it has none."""
        labels = self.nodes.node(node).labels
        return str(labels.get(ZONE) or labels.get(_BETA_ZONE) or "")

    # -- pods ------------------------------------------------------------------------------------------------

    def drop(self, key: str) -> None:
        """Take a pod away, wherever it is."""
        wanted = self.waiting.pop(key, None)
        if wanted is None and key not in self.pods:
            return
        pod = self.pods[key] if wanted is None else wanted.pod
        self._note(key, pod)
        self.snapshot.remove_pod(key)
        if self.pods.aside.pop(key, None) is not None or wanted is not None:
            self._members[workload_of(pod)].pop(key, None)

    def own(self, key: str, owner: Document) -> None:
        """Let a pod that nothing controls belong to a controller, by an owner reference to it."""
        pod = self.pods[key] if key in self.pods else self.waiting[key].pod
        owners = [*(metadata(pod).get("ownerReferences") or ()), owner]
        owned = {**pod, "metadata": {**metadata(pod), "ownerReferences": owners}}
        members = self._members[workload_of(pod)]
        if key in members:
            del members[key]
            self._members[workload_of(owned)][key] = None
        self.put_pod(key, owned)

    def want(self, path: str, pods: Iterable[Document] | Iterable[Wanted], origin: Origin = Origin.ADDED) -> None:
        """Let pods wait for a node. Raises ChangeError where one has the name of another, or there are too many."""
        for entry in pods:
            wanted = entry if isinstance(entry, Wanted) else Wanted(entry, origin=origin)
            key = key_of(wanted.pod)
            if key in self.pods or key in self.waiting:
                raise ChangeError(path, NameExists(key))
            if len(self.waiting) >= MOST_WANTED:
                raise ChangeError(path, OverLimit(MOST_WANTED))
            self.waiting[key] = wanted
            self._members[workload_of(wanted.pod)][key] = None

    def put_pod(self, key: str, document: Document) -> None:
        """Let a pod that is there be another one of its name and node."""
        if key not in self.pods:
            self._note(key, self.waiting[key].pod)
            self.waiting[key] = replace(self.waiting[key], pod=document)
            return
        self._note(key, self.pods[key])
        self.pods.put(key, document)
        pods = self.snapshot.pods
        slot = pods.slot_of.get(key)
        if slot is not None:
            arrival = pods.arrival[slot]
            self.snapshot.upsert({**document, "kind": "Pod"})
            # It did not come anew.
            pods.arrival[pods.slot_of[key]] = arrival

    def pod(self, key: str) -> Document | None:
        """A pod by ``namespace/name``, placed or waiting."""
        wanted = self.waiting.get(key)
        return self.pods.get(key) if wanted is None else wanted.pod

    def pods_on(self, nodes: Iterable[str]) -> list[Document]:
        """The pods of nodes, one node after another, and of each in the order in which they were made."""
        return [pod for keys in self._keys_on(nodes) for pod in self._in_order(keys)]

    def pods_of(self, workload: Workload) -> list[Document]:
        """The pods of a workload, placed or waiting."""
        members = self._members.get(workload, ())
        there = [key for key, _ in self._placed_of(workload)] + [key for key in members if key in self.pods.aside]
        return [*self._in_order(there), *(self.waiting[key].pod for key in members if key in self.waiting)]

    def places_of(self, workload: Workload) -> list[tuple[str, str]]:
        """The pods of a workload by ``namespace/name``, and the node of each: for one that waits, which it has to have.

        A node that is not there is empty.
        """
        members = [(key, pod) for key in self._members.get(workload, ()) if (pod := self.pod(key)) is not None]
        return [
            *self._placed_of(workload),
            *((key, Pod(pod).node_name or pinned_node(pod)) for key, pod in members),
        ]

    def label_of(self, key: str, label: str) -> str | None:
        """The value of a label of a pod, placed or waiting; None without it."""
        pods = self.snapshot.pods
        slot = pods.slot_of.get(key)
        return (labels_of(self.pod(key) or {}) if slot is None else pods.labels(slot)).get(label)

    def workloads(self) -> set[Workload]:
        """Every workload that has pods."""
        pods = self.snapshot.pods
        present = np.unique(pods.template[pods.label_set != NOWHERE]).tolist()
        waiting = {workload for workload, keys in self._members.items() if keys}
        return waiting | {pods.templates[number].workload for number in present}

    def new_names(self, namespace: str, stem: str) -> Iterator[str]:
        """Names for new pods: the stem and a number, counted on from call to call."""
        counter = f"{namespace}/{stem}"
        while True:
            number = self._numbers[counter] = self._numbers.get(counter, 0) + 1
            name = f"{stem}-{number}"
            if f"{namespace}/{name}" not in self.pods and f"{namespace}/{name}" not in self.waiting:
                yield name

    def _placed_of(self, workload: Workload) -> list[tuple[str, str]]:
        pods, names = self.snapshot.pods, self.snapshot.nodes.names
        for number in range(sum(map(len, self._templates.values())), len(pods.templates)):
            self._templates[pods.templates[number].workload].append(number)
        is_of_it = np.isin(pods.template, self._templates.get(workload, ())) & (pods.label_set != NOWHERE)
        return [
            (pods.keys[slot], names[row] if (row := int(pods.node[slot])) != NOWHERE else "")
            for slot in np.flatnonzero(is_of_it).tolist()
            if slot not in pods.nominees
        ]

    def _keys_on(self, nodes: Iterable[str]) -> list[list[str]]:
        """The keys of the pods of each of some nodes; the documents of all of them are read together."""
        names, pods, table = list(nodes), self.snapshot.pods, self.snapshot.nodes
        found: dict[str, list[str]] = {name: [*self._beside_on.get(name, ())] for name in names}
        rows = [table.index[name] for name in found if name in table.index]
        for slot in np.flatnonzero(np.isin(pods.node, rows)).tolist():
            found[table.names[pods.node[slot]]].append(pods.keys[slot])
        if len(rows) < len(found):
            for slot, home in pods.homes.items():
                if home in found and home not in table.index and slot not in pods.nominees:
                    found[home].append(pods.keys[slot])
        there = [[key for key in found[name] if key in self.pods] for name in names]
        self.pods.load(key for keys in there for key in keys)
        return there

    def _in_order(self, keys: Iterable[str]) -> list[Document]:
        """Pods in the order in which they were made, whatever order the base has them in."""
        given = list(keys)
        self.pods.load(given)
        found = ((sortable_time(metadata(self.pods[key]).get("creationTimestamp")), key) for key in given)
        return [self.pods[key] for _, key in sorted(found)]

    def _note(self, key: str, pod: Document) -> None:
        """Remember a pod of the base before it is taken away or changed."""
        if key in self._beside or key in self._base.snapshot.pods.slot_of:
            self._before.setdefault(key, pod)

    def _take_in(self, pods: list[Pod]) -> None:
        """Let the pods of the base that wait be wanted first, those of other schedulers aside."""
        foreign = 0
        for pod in pods:
            # In a simulation a pod that waits is there once it has arrived.
            self.snapshot.delete({**pod.document, "kind": "Pod"})
            if pod.scheduler_name in self.schedulers:
                self.waiting[pod.key] = Wanted(pod.document, origin=Origin.PENDING_BEFORE)
                self._members[workload_of(pod.document)][pod.key] = None
            else:
                foreign += 1
        if foreign:
            self.remarks.append(PendingElsewhere(foreign))
        if len(self.waiting) > MOST_WANTED:
            raise ChangeError("base", TooManyPending(len(self.waiting), MOST_WANTED))


def workload_of(pod: Document) -> Workload:
    """What made a pod, as operators call it."""
    return Workload.of(namespace_of(pod), Controller.of(pod), str(labels_of(pod).get(TEMPLATE_HASH) or ""))

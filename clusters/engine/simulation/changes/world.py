"""A cluster that is being changed: its objects, the pending pods, and what is to be remarked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clusters.engine.disruption.budgets import KIND
from clusters.engine.disruption.drains import Ledger
from clusters.engine.objects import Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.simulation.case import Case, Origin, Wanted
from clusters.engine.simulation.changes.change import ChangeError, selector_of
from clusters.engine.simulation.changes.problems import (
    NodeExists,
    PodExists,
    TooManyNodes,
    TooManyPending,
    TooManyWanted,
)
from clusters.engine.simulation.controllers import KIND as QUOTA
from clusters.engine.simulation.controllers import settle_quotas
from clusters.engine.simulation.limits import MOST_NODES, MOST_WANTED
from clusters.engine.simulation.remarks import PendingElsewhere
from clusters.engine.snapshot import Snapshot
from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.simulation.remarks import Remark

# What disruption budgets allow once a cluster has been changed.
#
# Upstream: ``updatePdbStatus`` in ``pkg/controller/disruption/disruption.go`` v1.34.1. Preemption reads it in the
# status.


def settle_budgets(snapshot: Snapshot, others: Iterable[Document]) -> None:
    """Write the status of every budget; ``others``: pods that the snapshot does not hold, as they wait or are done."""
    documents = list(snapshot.objects(KIND))
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


class ClusterDocuments:
    """The documents of a cluster. ``nodes`` by name; ``pods`` that have a node or have finished, and ``waiting`` ones,
    by ``namespace/name``; ``daemons``: templates of DaemonSets that were added, by ``namespace/name``.
    ``replaced``: the pods that came in the place of others, by those.
    """

    def __init__(self, documents: Iterable[Document], configuration: SchedulerConfiguration) -> None:
        self.nodes: dict[str, Document] = {}
        self.pods: dict[str, Document] = {}
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
        # The objects beside nodes and pods.
        self.shelf = Snapshot()
        self._on_node: dict[str, dict[str, None]] = defaultdict(dict)
        self._members: dict[Workload, dict[str, None]] = defaultdict(dict)
        self._numbers: dict[str, int] = {}
        # Pending pods of the base that other schedulers place.
        self._elsewhere: dict[str, Document] = {}
        pods = []
        for document in documents:
            kind = document.get("kind")
            if kind == "Node":
                self.nodes[name_of(document)] = document
            elif kind == "Pod":
                pods.append(Pod(document))
            else:
                self.shelf.upsert(document)
        # Whatever order the objects come in, what becomes of them does not depend on it.
        pods.sort(key=lambda pod: (pod.created, pod.key))
        for pod in pods:
            if pod.node_name or pod.finished or pod.terminating:
                self._keep(pod)
        self._take_in([pod for pod in pods if pod.key not in self.pods])
        self._base = {pod.key: pod.document for pod in pods}

    def case(self, *, seed: int, samples: bool, is_graceful: bool = False) -> Case:
        """The world as a simulation begins with it."""
        wanted = sorted(self.waiting.values(), key=lambda each: each.at)
        nominated = [each.pod for each in wanted if (each.pod.get("status") or {}).get("nominatedNodeName")]
        kinds = self.shelf.content()["objects"].values()
        objects = [*self.nodes.values(), *self.pods.values(), *nominated, *kinds]
        snapshot = Snapshot.from_objects(objects, self._configuration.release)
        finished = {key: pod for key, pod in self.pods.items() if Pod(pod).finished}
        settle_budgets(snapshot, [*finished.values(), *(each.pod for each in wanted)])
        if snapshot.objects(QUOTA):
            there = self._remaining()
            settle_quotas(snapshot, there.values(), (pod for key, pod in self._base.items() if key not in there))
        return Case(
            snapshot=snapshot,
            configuration=self._configuration,
            wanted=wanted,
            drained=sorted(self.drained),
            unreachable=sorted(self.unreachable),
            not_ready=sorted(self.not_ready),
            samples=samples,
            seed=seed,
            placed={key: pod for key, pod in self.pods.items() if key not in finished},
            replaced=dict(self.replaced),
            admits_pods=True,
            orders_ordinals=True,
            is_graceful=is_graceful,
        )

    def _remaining(self) -> dict[str, Document]:
        """The pods of the base that are still there, as the base has them; one that lost its node is still the same."""
        found = dict(self._elsewhere)
        for key, pod in self._base.items():
            here = self.pod(key)
            if here is not None and metadata(here).get("uid") == metadata(pod).get("uid"):
                found[key] = pod
        return found

    # -- nodes -----------------------------------------------------------------------------------------------

    def add_node(self, path: str, node: Document) -> None:
        """Add a node. Raises ChangeError where there is one of its name, or too many."""
        name = name_of(node)
        if name in self.nodes:
            raise ChangeError(path, NodeExists(name))
        if len(self.nodes) >= MOST_NODES:
            raise ChangeError(path, TooManyNodes(MOST_NODES))
        self.nodes[name] = node

    def drop_node(self, name: str) -> list[Document]:
        """Take a node away with its pods, which are returned."""
        pods = self.pods_on(name)
        for pod in pods:
            self.drop(key_of(pod))
        del self.nodes[name]
        self.drained.pop(name, None)
        self.unreachable.pop(name, None)
        self.not_ready.pop(name, None)
        return pods

    def zone_of(self, node: str) -> str:
        """The zone of a node, empty where it has none."""
        labels = metadata(self.nodes[node]).get("labels") or {}
        return str(labels.get(ZONE) or labels.get(_BETA_ZONE) or "")

    def selects(self, selector: str, node: str) -> bool:
        """Whether a label selector means a node."""
        return selector_of(selector).matches(labels_of(self.nodes[node]))

    # -- pods ------------------------------------------------------------------------------------------------

    def drop(self, key: str) -> None:
        """Take a pod away, wherever it is."""
        wanted = self.waiting.pop(key, None)
        pod = self.pods.pop(key, None) or (wanted.pod if wanted else None)
        if pod is None:
            return
        self._on_node[str((pod.get("spec") or {}).get("nodeName"))].pop(key, None)
        self._members[workload_of(pod)].pop(key, None)

    def own(self, key: str, owner: Document) -> None:
        """Let a pod that nothing controls belong to a controller, by an owner reference to it."""
        wanted = self.waiting.get(key)
        pod = self.pods[key] if wanted is None else wanted.pod
        self._members[workload_of(pod)].pop(key, None)
        owners = [*(metadata(pod).get("ownerReferences") or ()), owner]
        owned = {**pod, "metadata": {**metadata(pod), "ownerReferences": owners}}
        if wanted is None:
            self.pods[key] = owned
        else:
            self.waiting[key] = replace(wanted, pod=owned)
        self._members[workload_of(owned)][key] = None

    def want(self, path: str, pods: Iterable[Document] | Iterable[Wanted], origin: Origin = Origin.ADDED) -> None:
        """Let pods wait for a node. Raises ChangeError where one has the name of another, or there are too many."""
        for entry in pods:
            wanted = entry if isinstance(entry, Wanted) else Wanted(entry, origin=origin)
            key = key_of(wanted.pod)
            if key in self.pods or key in self.waiting:
                raise ChangeError(path, PodExists(key))
            if len(self.waiting) >= MOST_WANTED:
                raise ChangeError(path, TooManyWanted(MOST_WANTED))
            self.waiting[key] = wanted
            self._members[workload_of(wanted.pod)][key] = None

    def put_pod(self, key: str, document: Document) -> None:
        """Let a pod that is there be another one of its name, workload and node."""
        if key in self.pods:
            self.pods[key] = document
        else:
            self.waiting[key] = replace(self.waiting[key], pod=document)

    def pod(self, key: str) -> Document | None:
        """A pod by ``namespace/name``, placed or waiting."""
        wanted = self.waiting.get(key)
        return self.pods.get(key) if wanted is None else wanted.pod

    def pods_on(self, node: str) -> list[Document]:
        """The pods of a node."""
        return [self.pods[key] for key in self._on_node.get(node, ())]

    def pods_of(self, workload: Workload) -> list[Document]:
        """The pods of a workload, placed or waiting."""
        keys = self._members.get(workload, ())
        return [self.pods[key] if key in self.pods else self.waiting[key].pod for key in keys]

    def workloads(self) -> Iterator[Workload]:
        """Every workload that has pods."""
        return (workload for workload, keys in self._members.items() if keys)

    def new_names(self, namespace: str, stem: str) -> Iterator[str]:
        """Names for new pods: the stem and a number, counted on from call to call."""
        counter = f"{namespace}/{stem}"
        while True:
            number = self._numbers[counter] = self._numbers.get(counter, 0) + 1
            name = f"{stem}-{number}"
            if f"{namespace}/{name}" not in self.pods and f"{namespace}/{name}" not in self.waiting:
                yield name

    def _keep(self, pod: Pod) -> None:
        """Let a pod of the base be where it says it is."""
        self.pods[pod.key] = pod.document
        if pod.node_name:
            self._on_node[pod.node_name][pod.key] = None
        self._members[workload_of(pod.document)][pod.key] = None

    def _take_in(self, pods: list[Pod]) -> None:
        """Let the pods of the base that wait be wanted first, those of other schedulers aside."""
        for pod in pods:
            if pod.scheduler_name in self.schedulers:
                self.waiting[pod.key] = Wanted(pod.document, origin=Origin.PENDING_BEFORE)
                self._members[workload_of(pod.document)][pod.key] = None
            else:
                self._elsewhere[pod.key] = pod.document
        foreign = len(self._elsewhere)
        if foreign:
            self.remarks.append(PendingElsewhere(foreign))
        if len(self.waiting) > MOST_WANTED:
            raise ChangeError("base", TooManyPending(len(self.waiting), MOST_WANTED))


def workload_of(pod: Document) -> Workload:
    """What made a pod, as operators call it."""
    labels: Any = metadata(pod).get("labels") or {}
    return Workload.of(namespace_of(pod), Controller.of(pod), str(labels.get(TEMPLATE_HASH) or ""))

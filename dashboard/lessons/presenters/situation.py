"""The facts of a situation that a learner reasons with: its map, nodes, pods, manifests, and what is taken for it."""

from __future__ import annotations

import json
from difflib import unified_diff
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from clusters.engine.disruption import KIND as BUDGET
from clusters.engine.lessons import PriorityValue, RequestValue, Situation, object_name
from clusters.engine.nodes import READY, pools_or_zones
from clusters.engine.objects import Document, Node, Pod, key_of
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.selectors import LabelSelector
from clusters.services.decisions.explain import as_text
from clusters.services.lessons.reading import written
from clusters.wording import counts
from clusters.wording.amounts import as_in_manifests, grouped
from clusters.wording.lessons import situation as situation_words, taken as taken_words
from clusters.wording.lists import listed
from clusters.wording.resources import resource_name, selector_text
from clusters.wording.runs.summary import resource_title
from dashboard.pictures.verdict_map.spec import MOST_POOLS, OF_FILTERS, MapKey, VerdictMap
from dashboard.presenters.shared.maps import map_pools, node_loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.columns import NodeTable
    from clusters.engine.status import Index
    from clusters.services.taken_lessons import TakenLesson

# So many nodes are one table that is open.
MOST_NODES: Final = 12


class NodeGroup(Struct, frozen=True):
    """Nodes of one zone and pool, and in words how many they are; all nodes of a small situation have no title."""

    title: str
    counted: str
    nodes: tuple[NodeFacts, ...]


def node_groups(nodes: NodeTable, facts: Sequence[NodeFacts]) -> tuple[NodeGroup, ...]:
    """Present nodes, each with its facts at the same place, in groups."""
    if len(facts) <= MOST_NODES:
        return (NodeGroup("", "", tuple(facts)),)
    groups = []
    for pool in pools_or_zones(nodes, MOST_POOLS):
        own = tuple(facts[row] for row in pool.rows.tolist())
        counted = situation_words.described(
            [counts.NODES(number=len(own)), counts.PODS(number=sum(len(node.pods) for node in own))]
        )
        groups.append(NodeGroup(situation_words.pool(pool.zone, pool.name), counted, own))
    return tuple(groups)


# So many pods stand there one by one, and so many lines at once.
MOST_LINES: Final = 4


class PodFacts(Struct, frozen=True):
    """A pod: where it is, what it requests, and what else decides about it; ``workload`` is the same for its twins."""

    key: str
    facts: str
    workload: str


class PodLine(Struct, frozen=True):
    """Alike pods of one workload: ``title`` says how many they are; of one pod that is its name."""

    title: str
    facts: str
    pods: tuple[str, ...]


class PodLines(Struct, frozen=True):
    """The pods of one place."""

    lines: tuple[PodLine, ...]

    @property
    def is_folded(self) -> bool:
        """Whether there are more lines than stand there at once."""
        return len(self.lines) > MOST_LINES


def pod_lines(pods: Sequence[PodFacts]) -> PodLines:
    """Present few pods one by one, and many by their workload and what they request."""
    if len(pods) <= MOST_LINES:
        return PodLines(tuple(PodLine(pod.key, pod.facts, (pod.key,)) for pod in pods))
    alike: dict[tuple[str, str], list[str]] = {}
    for pod in pods:
        alike.setdefault((pod.workload, pod.facts), []).append(pod.key)
    return PodLines(
        tuple(
            PodLine(
                keys[0] if len(keys) == 1 else situation_words.PODS_OF(name=workload, number=len(keys)),
                facts,
                tuple(keys),
            )
            for (workload, facts), keys in alike.items()
        )
    )


def workload_name(pod: Pod) -> str:
    """Name what a pod belongs to, the same for its twins: what controls it, else its labels, or its namespace alone."""
    owner = pod.controller
    name = str(owner.get("name")) if owner else ",".join(f"{key}={value}" for key, value in sorted(pod.labels.items()))
    return f"{pod.namespace}/{name}" if name else pod.namespace


# What every node has of itself, and nobody selects nodes by.
_OWN_LABELS: Final = frozenset({"kubernetes.io/hostname"})


class NodeFacts(Struct, frozen=True):
    """A node of a situation; ``amounts`` have for each resource of the table its name, what is requested, and free."""

    name: str
    labels: tuple[str, ...]
    taints: tuple[str, ...]
    state: tuple[str, ...]
    amounts: tuple[tuple[str, str, str], ...]
    count: str
    pods: tuple[PodFacts, ...]

    @property
    def pod_lines(self) -> PodLines:
        """Return the pods as a table of nodes has them."""
        return pod_lines(self.pods)


class ClusterFacts(Struct, frozen=True):
    """The whole situation; ``resources`` are the heads of the columns, ``pending`` the pods without a node."""

    resources: tuple[str, ...]
    nodes: tuple[NodeFacts, ...]
    groups: tuple[NodeGroup, ...]
    pending: tuple[PodFacts, ...]
    budgets: tuple[ObjectText, ...]
    budget_kind: str = BUDGET

    @property
    def is_grouped(self) -> bool:
        """Tell whether the nodes are too many for one table that is open."""
        return len(self.nodes) > MOST_NODES

    @property
    def pending_lines(self) -> PodLines:
        """Return the pods without a node as the page of a step has them."""
        return pod_lines(self.pending)

    @property
    def pending_count(self) -> str:
        """Return how many pods have no node, in words."""
        return counts.PENDING_PODS(number=len(self.pending))


class ObjectText(Struct, frozen=True):
    """An object as it was written, under the name by which it is asked for."""

    name: str
    text: str


def cluster_facts(situation: Situation, *, unsaid: str = "") -> ClusterFacts:
    """Present the nodes and pods of a situation; of the pod `unsaid` only that it is there."""
    snapshot = situation.snapshot
    resources = _resources(situation)
    pods: dict[str, list[PodFacts]] = {}
    read = [Pod(document) for document in situation.pods.values()]
    # Who began when decides between pods that began at different times alone.
    are_starts_told = len({pod.start_time for pod in read if pod.node_name}) > 1
    for pod in read:
        found = _pod(pod, is_named_only=pod.key == unsaid, is_start_told=are_starts_told)
        pods.setdefault(pod.node_name, []).append(found)
    nodes = tuple(
        NodeFacts(
            name=node.name,
            labels=tuple(_labels(node)),
            taints=tuple(str(taint) for taint in node.taints),
            state=tuple(_state(node)),
            amounts=tuple(_amounts(snapshot, row, resource) for resource in resources),
            count=situation_words.PODS_ON(
                number=int(snapshot.nodes.pod_count[row]), most=int(snapshot.nodes.allowed_pods[row])
            ),
            pods=tuple(pods.get(node.name, ())),
        )
        for row, node in enumerate(snapshot.nodes.nodes)
    )
    return ClusterFacts(
        resources=tuple(resource_title(each) for each in resources),
        nodes=nodes,
        groups=node_groups(snapshot.nodes, nodes),
        pending=tuple(pods.get("", ())),
        budgets=tuple(_budget(document) for document in snapshot.objects(BUDGET)),
    )


def node_line(snapshot: Snapshot, row: int) -> str:
    """Say of a node what it has left, and its labels, in one line."""
    node = snapshot.nodes.nodes[row]
    free = [
        situation_words.free_of(resource, free=has - used, allocatable=has)
        for resource in (CPU, MEMORY)
        for has, used in [_numbers(snapshot, row, resource)]
    ]
    return situation_words.described([*free, *_labels(node)])


def object_texts(situation: Situation) -> list[ObjectText]:
    """Return every object of a situation as it was written, the pod in question first."""
    own = situation.parts.pod
    found = [
        ObjectText(written(name), as_text(authored(document)))
        for document in situation.parts.objects
        for name in [object_name(document)]
    ]
    return sorted(found, key=lambda each: each.name != f"Pod/{own}")


def pod_text(situation: Situation) -> str:
    """Return the pod in question as it was written; nothing where there is none."""
    name = f"Pod/{situation.parts.pod}"
    found = (each for each in situation.parts.objects if written(object_name(each)) == name)
    return next((as_text(authored(each)) for each in found), "")


def whole_text(situation: Situation) -> str:
    """Return all objects of a situation as one text."""
    return "---\n".join(each.text for each in object_texts(situation))


def authored(document: Document) -> dict[str, Any]:
    """Return an object without the UID that it was given when it was read."""
    metadata = {field: part for field, part in (document.get("metadata") or {}).items() if field != "uid"}
    return {**document, "metadata": metadata}


def changed_lines(before: Document, after: Document) -> str:
    """Return what differs between two objects as the lines of their YAML, marked with − and +."""
    one, other = (as_text(authored(each)).splitlines() for each in (before, after))
    # Without the heads of a unified diff, which name files, and the line numbers of its parts.
    lines = list(unified_diff(one, other, lineterm="", n=3))[2:]
    return "\n".join("…" if line.startswith("@@") else line for line in lines)


def _resources(situation: Situation) -> Sequence[str]:
    """Return CPU and memory, and what else pods request or nodes offer beyond what all have."""
    nodes = situation.snapshot.nodes
    requested = {name for pod in situation.pods.values() for name in Pod(pod).requests}
    others = [name for name in nodes.resources if name not in {CPU, MEMORY} and name in requested]
    return (CPU, MEMORY, *others)


def _numbers(snapshot: Snapshot, row: int, resource: str) -> tuple[int, int]:
    column = snapshot.nodes.resources.index(resource)
    return int(snapshot.nodes.allocatable[row, column]), int(snapshot.nodes.requested[row, column])


def _amounts(snapshot: Snapshot, row: int, resource: str) -> tuple[str, str, str]:
    has, used = _numbers(snapshot, row, resource)
    return (
        resource_title(resource),
        situation_words.requested_of(resource, requested=used, allocatable=has),
        situation_words.free_of(resource, free=has - used, allocatable=has),
    )


def _labels(node: Node) -> list[str]:
    return [f"{key}={value}" for key, value in sorted(node.labels.items()) if key not in _OWN_LABELS]


def _state(node: Node) -> list[str]:
    found = [situation_words.CORDONED] if node.unschedulable else []
    if node.conditions.get(READY, "True") != "True":
        found.append(situation_words.NOT_READY)
    return [str(each) for each in found]


def pod_asked_about(question: Any, situation: Situation) -> str:
    """Return the pod of which a question asks what a table of pods says; nothing where it asks something else."""
    value = question.value if question.kind == "number" else None
    return value.pod or situation.parts.pod if isinstance(value, RequestValue | PriorityValue) else ""


def _budget(document: Document) -> ObjectText:
    """Return what a budget demands, as its manifest has it."""
    spec = document.get("spec") or {}
    demanded = [f"{field}: {spec[field]}" for field in ("minAvailable", "maxUnavailable") if field in spec]
    selected = selector_text(LabelSelector.from_dict(spec.get("selector")))
    return ObjectText(key_of(document), situation_words.described([*demanded, selected]))


def _pod(pod: Pod, *, is_named_only: bool, is_start_told: bool) -> PodFacts:
    if is_named_only:
        return PodFacts(pod.key, "", workload_name(pod))
    facts = [
        f"{resource_name(name)} {as_in_manifests(name, amount)}" for name, amount in pod.requests.items() if amount
    ]
    if pod.priority:
        facts.append(situation_words.PRIORITY(priority=pod.priority))
    if pod.node_name and not pod.ready:
        facts.append(str(situation_words.NOT_READY))
    if pod.node_name and is_start_told:
        facts.append(situation_words.STARTED(time=str(pod.status.get("startTime"))[11:16]))
    return PodFacts(pod.key, situation_words.described(facts), workload_name(pod))


# So many manifests are listed one by one.
MOST_OBJECTS: Final = 16


class Manifest(Struct, frozen=True):
    """An object as it was written; ``alike`` names others that differ from it in name and node alone."""

    name: str
    text: str
    alike: tuple[str, ...]


class ManifestGroup(Struct, frozen=True):
    """Manifests of one kind, of so many objects; those of a small situation are one group without a kind."""

    kind: str
    objects: int
    manifests: tuple[Manifest, ...]


def manifest_groups(situation: Situation) -> tuple[ManifestGroup, ...]:
    """Present the manifests of a situation, that of the pod in question first."""
    pod = f"Pod/{situation.parts.pod}"
    documents = sorted(situation.parts.objects, key=lambda each: written(object_name(each)) != pod)
    if len(documents) <= MOST_OBJECTS:
        return (ManifestGroup("", len(documents), tuple(_manifests(documents, _name))),)
    kinds: dict[str, list[Document]] = {}
    for document in documents:
        kinds.setdefault(str(document.get("kind")), []).append(document)
    return tuple(ManifestGroup(kind, len(own), tuple(_manifests(own, _likeness))) for kind, own in kinds.items())


def object_names(groups: Iterable[ManifestGroup]) -> list[tuple[str, list[str]]]:
    """Return the names of all objects by their kinds, alike ones too, as there are manifests of."""
    return [
        (group.kind, [name for manifest in group.manifests for name in (manifest.name, *manifest.alike)])
        for group in groups
    ]


def _manifests(documents: Iterable[Document], likeness: Callable[[Any], str]) -> Iterator[Manifest]:
    alike: dict[str, list[Document]] = {}
    for document in documents:
        alike.setdefault(likeness(document), []).append(document)
    for first, *others in alike.values():
        yield Manifest(_name(first), as_text(authored(first)), tuple(map(_name, others)))


def _name(document: Document) -> str:
    return written(object_name(document))


def _likeness(document: Document) -> str:
    """Return what alike objects have in common: everything but their names, and the nodes of pods."""
    whole = authored(document)
    metadata = {field: part for field, part in whole["metadata"].items() if field != "name"}
    spec = {field: part for field, part in (whole.get("spec") or {}).items() if field != "nodeName"}
    return json.dumps({**whole, "metadata": metadata, "spec": spec}, sort_keys=True, default=str)


# Sets of taints that are told apart; what is rarer is one key.
_MOST_SETS: Final = 8
_PLAIN, _TAINTED = "verdict-chosen-solid", "verdict-unknown-solid"


def situation_map(situation: Situation) -> VerdictMap:
    """Present the nodes of a situation by their taints."""
    snapshot = situation.snapshot
    nodes = snapshot.nodes.nodes
    pools, order = map_pools(snapshot.nodes)
    ordered = [nodes[row] for row in order.tolist()]
    keys, key_of = _keys(ordered)
    resource = _resource(situation, order)
    loads = node_loads(snapshot, order, resource)
    return VerdictMap(
        sentence=situation_words.SUMMARY(
            nodes=counts.NODES(number=len(ordered)),
            keys=", ".join(f"{grouped(key.nodes)} {key.label}" for key in keys),
        ),
        keys=keys,
        pools=pools,
        names=tuple(node.name for node in ordered),
        key_of=key_of,
        shade_of=(0,) * len(ordered),
        loads=loads,
        loads_caption=situation_words.loads(resource) if loads else "",
        lines=tuple(node_line(snapshot, row) for row in order.tolist()),
    )


def _keys(nodes: list[Node]) -> tuple[tuple[MapKey, ...], tuple[int, ...]]:
    """Return a key for each set of taints, those without any first, and which of them each node has."""
    sets = [taints_of(node) for node in nodes]
    distinct = sorted(set(sets) - {""}, key=lambda each: (-sets.count(each), each))
    labels = [str(situation_words.UNTAINTED), *(situation_words.TAINTED(taints=each) for each in distinct[:_MOST_SETS])]
    number_of = {"": 0, **{each: number for number, each in enumerate(distinct[:_MOST_SETS], 1)}}
    key_of = tuple(number_of.get(each, len(labels)) for each in sets)
    if len(distinct) > _MOST_SETS:
        labels.append(str(situation_words.OTHER_TAINTS))
    marks = ["", *OF_FILTERS]
    return tuple(
        MapKey(label, "", _TAINTED if number else _PLAIN, marks[number], key_of.count(number))
        for number, label in enumerate(labels)
    ), key_of


def taints_of(node: Node) -> str:
    """Return the taints of a node in a row; a cordoned node says so, whatever its taints are."""
    found = [str(taint) for taint in node.taints]
    return listed([*([str(situation_words.CORDONED)] if node.unschedulable and not found else []), *found])


def _resource(situation: Situation, order: Index) -> str:
    """Return the resource of which the pod in question requests the most, by what nodes have; without a pod CPU.

    What is free does not count: where it is scarce would say too much.
    """
    nodes, subject = situation.snapshot.nodes, situation.subject
    if subject is None or not len(order):
        return CPU
    requests = situation.explanation.pod.requests
    shares = {
        resource: requests[resource] / max(1, int(np.max(nodes.allocatable[:, nodes.resources.index(resource)])))
        for resource in (CPU, MEMORY, *requests)
        if resource in nodes.resources and requests.get(resource)
    }
    return max(shares, key=lambda resource: shares[resource], default=CPU)


def taken_view(made: TakenLesson) -> dict[str, Any]:
    """Present a lesson that can be made."""
    part = made.part
    return {
        "amount": taken_words.NODES_AND_PODS(nodes=len(part.nodes), pods=made.pods),
        "part": ""
        if part.is_whole
        else taken_words.PART_TAKEN(
            nodes=len(part.nodes),
            nodes_in_all=part.nodes_in_all,
            pods=made.pods,
            # The pod in question is one of them.
            pods_in_all=part.pods_in_all + 1,
        ),
        "questions": tuple(taken_words.step_title(step.kind, step.plugin) for step in made.steps),
        "names": str(taken_words.NAMES_REPLACED),
    }

"""The facts of a situation that a learner reasons with: what nodes have, which pods they run, and every manifest."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.disruption import KIND as BUDGET
from clusters.engine.lessons import PriorityValue, RequestValue, object_name
from clusters.engine.nodes import READY
from clusters.engine.objects import Pod, key_of
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.selectors import LabelSelector
from clusters.services.decisions.what_if import as_text
from clusters.services.lessons.reading import written
from clusters.wording import counts
from clusters.wording.amounts import as_in_manifests
from clusters.wording.lessons import situation as words
from clusters.wording.resources import resource_name
from clusters.wording.runs.summary import resource_title
from clusters.wording.selectors import selector_text
from dashboard.lessons.presenters.node_groups import MOST_NODES, node_groups
from dashboard.lessons.presenters.pod_lines import PodFacts, pod_lines, workload_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Snapshot
    from clusters.engine.lessons import Situation
    from clusters.engine.objects import Document, Node
    from dashboard.lessons.presenters.node_groups import NodeGroup
    from dashboard.lessons.presenters.pod_lines import PodLines

# What every node has of itself, and nobody selects nodes by.
_OWN_LABELS: Final = frozenset({"kubernetes.io/hostname"})


@dataclass(frozen=True, slots=True)
class NodeFacts:
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


@dataclass(frozen=True, slots=True)
class ClusterFacts:
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
        return counts.pending_pods(len(self.pending))


@dataclass(frozen=True, slots=True)
class ObjectText:
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
            count=words.PODS_ON(number=int(snapshot.nodes.pod_count[row]), most=int(snapshot.nodes.allowed_pods[row])),
            pods=tuple(pods.get(node.name, ())),
        )
        for row, node in enumerate(snapshot.nodes.nodes)
    )
    return ClusterFacts(
        resources=tuple(resource_title(each) for each in resources),
        nodes=nodes,
        groups=node_groups(snapshot.nodes.nodes, nodes),
        pending=tuple(pods.get("", ())),
        budgets=tuple(_budget(document) for document in snapshot.objects(BUDGET)),
    )


def node_line(snapshot: Snapshot, row: int) -> str:
    """Say of a node what it has left, and its labels, in one line."""
    node = snapshot.nodes.nodes[row]
    free = [
        words.free_of(resource, free=has - used, allocatable=has)
        for resource in (CPU, MEMORY)
        for has, used in [_numbers(snapshot, row, resource)]
    ]
    return words.described([*free, *_labels(node)])


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
        words.requested_of(resource, requested=used, allocatable=has),
        words.free_of(resource, free=has - used, allocatable=has),
    )


def _labels(node: Node) -> list[str]:
    return [f"{key}={value}" for key, value in sorted(node.labels.items()) if key not in _OWN_LABELS]


def _state(node: Node) -> list[str]:
    found = [words.CORDONED] if node.unschedulable else []
    if node.conditions.get(READY, "True") != "True":
        found.append(words.NOT_READY)
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
    return ObjectText(key_of(document), words.described([*demanded, selected]))


def _pod(pod: Pod, *, is_named_only: bool, is_start_told: bool) -> PodFacts:
    if is_named_only:
        return PodFacts(pod.key, "", workload_name(pod))
    facts = [
        f"{resource_name(name)} {as_in_manifests(name, amount)}" for name, amount in pod.requests.items() if amount
    ]
    if pod.priority:
        facts.append(words.PRIORITY(value=pod.priority))
    if pod.node_name and not pod.ready:
        facts.append(str(words.NOT_READY))
    if pod.node_name and is_start_told:
        facts.append(words.STARTED(time=str(pod.status.get("startTime"))[11:16]))
    return PodFacts(pod.key, words.described(facts), workload_name(pod))

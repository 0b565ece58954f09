"""Drains of nodes: what keeps each from being drained now, and plans for many, made in a copy of the cluster."""

from __future__ import annotations

import enum
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import SchedulerConfiguration, UnknownScheduler
from clusters.engine.devices.claims import release
from clusters.engine.disruption.budgets import (
    BudgetState,
    Census,
    Computed,
    DisruptionBudget,
    EvictionAnswer,
    ReportedStatus,
    answer_under,
    compute,
    disruption_budgets,
    healthy_pods,
    scale_of,
)
from clusters.engine.objects import Document, Node, Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.owners import Controller
from clusters.engine.scheduling.cost import Failure, Note, attempt
from clusters.engine.scheduling.explanation import place
from clusters.engine.taints import Taint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

# What a drain does with a pod, and the replacement that its controller creates.
#
# Upstream: the filters of ``k8s.io/kubectl/pkg/drain`` v1.34.1. DaemonSets are taken as ignored
# (``--ignore-daemonsets``), without which hardly any node can be drained.


# Which nodes cannot be drained now, and which budgets are in the way.


class Treatment(enum.StrEnum):
    """What a drain does with a pod."""

    EVICTED = "evicted"
    DAEMON_SET = "daemon-set"
    STATIC = "static"
    HELD = "held"

    @property
    def stays(self) -> bool:
        """Whether the pod is still there when the drain is over."""
        return self in (Treatment.DAEMON_SET, Treatment.STATIC)


class Flag(enum.StrEnum):
    """A flag without which kubectl drain does not evict some pods."""

    FORCE = "--force"
    EMPTY_DIR = "--delete-emptydir-data"


class DrainOptions(Struct, frozen=True):
    """How a drain is called: which pods it may take, and what becomes of a node afterwards.

    ``force``: also pods that nothing controls and nobody brings back. ``empty_dirs``: also pods that lose an emptyDir.
    ``at_a_time``: how many nodes at most are drained together, 0 for as many as budgets allow. ``uncordon``: whether
    nodes accept pods again once they are drained, as in a rolling upgrade.
    """

    force: bool = False
    empty_dirs: bool = True
    at_a_time: int = 0
    uncordon: bool = False


class Handling(Struct, frozen=True):
    """What a drain does with a pod; ``wants`` are the flags without which it does not begin."""

    treatment: Treatment
    wants: tuple[Flag, ...] = ()
    loses_data: bool = False
    is_unmanaged: bool = False


def handling_of(pod: Pod, options: DrainOptions, daemon_sets: frozenset[str] | None = None) -> Handling:
    """What a drain does with a pod.

    ``daemon_sets``: every DaemonSet as ``namespace/name``, None where they are not known; a pod whose DaemonSet is gone
    goes only by force. Pods that have finished are deleted without a question.
    """
    controller = Controller.of(pod.document)
    is_orphan = False
    if not pod.finished and controller is not None and controller.kind == "DaemonSet":
        is_orphan = daemon_sets is not None and f"{pod.namespace}/{controller.name}" not in daemon_sets
        if not is_orphan:
            return Handling(Treatment.DAEMON_SET)
    # kubectl goes by an annotation, which is not mirrored; kubelets give it to the pods that they make the node own.
    if controller is not None and controller.kind == "Node":
        return Handling(Treatment.STATIC)
    if pod.finished:
        return Handling(Treatment.EVICTED)
    loses_data = any("emptyDir" in volume for volume in pod.spec.get("volumes") or ())
    is_unmanaged = controller is None or is_orphan
    wants = []
    if loses_data and not options.empty_dirs:
        wants.append(Flag.EMPTY_DIR)
    if is_unmanaged and not options.force:
        wants.append(Flag.FORCE)
    treatment = Treatment.HELD if wants else Treatment.EVICTED
    return Handling(treatment, tuple(wants), loses_data, is_unmanaged)


def replacement_of(pod: Pod, number: int) -> dict[str, Any] | None:
    """The pod that the controller makes for an evicted one, taken to be ready already; None where it makes none.

    It is the evicted pod without its node: controllers make pods from templates that are not mirrored. A StatefulSet's
    keeps its name; ``number`` makes the others' names unique.
    """
    controller = Controller.of(pod.document)
    if controller is None or pod.finished or controller.kind in ("DaemonSet", "Node"):
        return None
    keeps_name = controller.kind == "StatefulSet"
    if pod.terminating and not keeps_name:
        # It was replaced when its deletion began.
        return None
    name = pod.name if keeps_name else f"{controller.name}-replacement-{number}"
    old: Mapping[str, Any] = metadata(pod.document)
    kept = {field: old[field] for field in ("namespace", "labels", "ownerReferences") if field in old}
    spec = {field: part for field, part in pod.spec.items() if field != "nodeName"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**kept, "name": name, "uid": f"replacement-{number}"},
        "spec": spec,
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def ephemeral_claims(pod: Document) -> list[dict[str, Any]]:
    """The claims that the ephemeral volume controller makes for a new pod."""
    meta = metadata(pod)
    name, namespace = str(meta.get("name") or ""), str(meta.get("namespace") or "")
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": meta.get("uid"), "controller": True}
    found = []
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate")
        if template is not None:
            found.append(
                {
                    "apiVersion": "v1",
                    "kind": "PersistentVolumeClaim",
                    "metadata": {
                        "name": f"{name}-{volume.get('name', '')}",
                        "namespace": namespace,
                        "uid": f"{meta.get('uid')}-{volume.get('name', '')}",
                        "ownerReferences": [owner],
                    },
                    "spec": template.get("spec") or {},
                    "status": {"phase": "Pending"},
                }
            )
    return found


class BudgetRefusal(NamedTuple):
    """What one budget does to the drain of one node: so many of its pods there are refused.

    ``shared``: how many of them because another budget selects them too. ``lasts``: whether waiting does not help.
    """

    budget: DisruptionBudget
    pods: int
    refused: int
    shared: int
    lasts: bool


class BlockedDrain(NamedTuple):
    """A node whose drain budgets block.

    ``lasts``: whether it stays blocked until somebody changes a budget. ``most``: the most pods that one budget
    refuses; a pod of two budgets is refused once, so sums would count it twice.
    """

    node: str
    refusals: tuple[BudgetRefusal, ...]
    lasts: bool
    most: int


def blocked_drains(states: Iterable[BudgetState]) -> list[BlockedDrain]:
    """Every node whose drain some budget blocks: the lasting ones first, then those with the most refused pods."""
    found: dict[str, list[BudgetRefusal]] = {}
    for state in states:
        nodes, is_blocker = state.nodes, state.is_blocker
        numbers = np.flatnonzero(nodes.refused)
        columns = (numbers, nodes.pods[numbers], nodes.refused[numbers], nodes.shared[numbers])
        for number, pods, refused, shared in zip(*(column.tolist() for column in columns), strict=True):
            refusal = BudgetRefusal(state.budget, pods, refused, shared, lasts=is_blocker or shared > 0)
            found.setdefault(nodes.names[number], []).append(refusal)
    drains = [
        BlockedDrain(node, tuple(each), any(one.lasts for one in each), max([one.refused for one in each]))
        for node, each in found.items()
    ]
    return sorted(drains, key=lambda drain: (not drain.lasts, -drain.most, drain.node))


# What budgets allow while pods are evicted one after another and others take their places.
#
# Upstream: the Eviction API charges a budget's status, ``pkg/registry/core/pod/storage/eviction.go``, and the
# disruption controller computes it anew, ``pkg/controller/disruption/disruption.go``, v1.34.1.


class Balance(Struct, frozen=True):
    """Where a ledger stands: budgets by ``namespace/name``, and those that the controller has to look at again."""

    budgets: Mapping[str, DisruptionBudget]
    stale: frozenset[str]


class Ledger:
    """The budgets of a cluster as the API server sees them from eviction to eviction.

    ``others``: pods that the snapshot does not hold because they wait for a node or have finished; budgets count them.
    """

    def __init__(self, snapshot: Snapshot, others: Iterable[Document] = ()) -> None:
        self._budgets = {budget.key: budget for budget in disruption_budgets(snapshot)}
        self._by_namespace: dict[str, list[DisruptionBudget]] = defaultdict(list)
        for budget in self._budgets.values():
            self._by_namespace[budget.namespace].append(budget)
        self._others: dict[str, list[Document]] = defaultdict(list)
        for pod in others:
            if namespace_of(pod) in self._by_namespace:
                self._others[namespace_of(pod)].append(pod)
        self._selecting: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[str, ...]] = {}
        self._stale: set[str] = set(self._budgets)

    def keys_of(self, pod: Pod) -> tuple[str, ...]:
        """The budgets that select a pod, as ``namespace/name``."""
        memo = (pod.namespace, tuple(sorted(pod.labels.items())))
        known = self._selecting.get(memo)
        if known is None:
            found = self._by_namespace.get(pod.namespace, ())
            known = tuple(budget.key for budget in found if budget.selector.matches(pod.labels))
            self._selecting[memo] = known
        return known

    def peek(self, pod: Pod) -> EvictionAnswer:
        """What the API server would answer to the pod's eviction."""
        return answer_under(pod, [self._budgets[key] for key in self.keys_of(pod)])

    def ask(self, pod: Pod) -> EvictionAnswer:
        """What the API server answers to the pod's eviction; a budget at whose expense it is granted is charged."""
        keys = self.keys_of(pod)
        answer = self.peek(pod)
        if answer.is_granted:
            self._stale.update(keys)
        if answer.is_charged:
            budget = self._budgets[keys[0]]
            reported = budget.reported
            left = replace(reported, allowed=reported.allowed - 1, disrupted=reported.disrupted | {pod.name})
            self._budgets[keys[0]] = replace(budget, reported=left)
        return answer

    def reported(self, key: str) -> ReportedStatus:
        """The status of a budget by ``namespace/name``. Raises KeyError."""
        return self._budgets[key].reported

    def look_again(self, keys: Iterable[str]) -> None:
        """Have the controller look at these budgets anew: their pods changed without an eviction."""
        self._stale.update(keys)

    def settle(self, snapshot: Snapshot, keys: Iterable[str]) -> None:
        """Let the controller write the status of those of the budgets about whose pods something changed."""
        due = sorted(self._stale.intersection(keys))
        if not due:
            return
        # Evicted pods are gone by now, and what it does not see go the controller forgets after two minutes.
        budgets = [
            replace(self._budgets[key], reported=replace(self._budgets[key].reported, disrupted=frozenset()))
            for key in due
        ]
        namespaces = sorted({budget.namespace for budget in budgets})
        census = Census(snapshot, budgets, [pod for each in namespaces for pod in self._others.get(each, ())])
        for number, budget in enumerate(budgets):
            guarded = census.guarded(number)
            scale = scale_of(snapshot, budget.namespace, census.controllers(guarded))
            computed = compute(budget, len(guarded), healthy_pods(snapshot, budget, guarded), scale)
            self._budgets[budget.key] = _written(budget, computed)
        self._stale.difference_update(due)

    def balance(self) -> Balance:
        """Where the ledger stands, to come back to."""
        return Balance(dict(self._budgets), frozenset(self._stale))

    def restore(self, balance: Balance) -> None:
        """Come back to where the ledger stood."""
        self._budgets, self._stale = dict(balance.budgets), set(balance.stale)


def _written(budget: DisruptionBudget, computed: Computed) -> DisruptionBudget:
    """The budget with the status that the controller writes; what is not known of it is as reported."""
    if computed.failure:
        return replace(budget, is_observed=True, reported=replace(budget.reported, allowed=0))
    reported = budget.reported
    expected = reported.expected if computed.expected is None else computed.expected
    desired = reported.desired if computed.desired is None else computed.desired
    allowed = computed.allowed
    if allowed is None:
        allowed = max(0, computed.healthy - desired) if expected > 0 else 0
    written = replace(reported, expected=expected, healthy=computed.healthy, desired=desired, allowed=allowed)
    return replace(budget, is_observed=True, reported=written)


# The order in which nodes can be drained: evictions, where the pods go, batches, and what keeps the rest.
#
# Evictions are requested in the order of the pods' names, node by node; kubectl requests those of all pods of a node
# at once, so which of several pods under one budget is evicted first cannot be known.


class Block(enum.StrEnum):
    """What keeps a node from being drained; the first that holds counts, and what waiting may help against comes last.

    ``BUDGET``: a budget allows nothing until its pods are ready.
    """

    TWO_BUDGETS = "two-budgets"
    NEVER = "never"
    FLAG = "flag"
    NO_ROOM = "no-room"
    BUDGET = "budget"
    NOT_COMPUTED = "not-computed"

    @property
    def lasts(self) -> bool:
        """Whether waiting does not help."""
        return self is not Block.BUDGET


class PlannedPod(Struct, frozen=True):
    """A pod of a chosen node, and what its eviction would be answered if all drains began now; None: not requested."""

    node: str
    pod: str
    handling: Handling
    answer: EvictionAnswer | None


class Eviction(Struct, frozen=True):
    """A granted eviction. Pods are named ``namespace/name``.

    ``round``: how often evictions of the node's pods had been requested when it was granted, from 1. ``landing``:
    where its replacement goes, None where nothing replaces it. ``moved``: how often a drain had moved it before.
    """

    node: str
    pod: str
    round: int
    answer: EvictionAnswer
    landing: Landing | None
    handling: Handling
    moved: int = 0

    @property
    def is_homeless(self) -> bool:
        """Whether its replacement has no node."""
        return self.landing is not None and not self.landing.node


class DrainedNode(Struct, frozen=True):
    """A node that is empty afterwards but for pods that stay; ``rounds``: how often evictions are requested."""

    name: str
    evictions: tuple[Eviction, ...]
    staying: int
    rounds: int


class Batch(Struct, frozen=True):
    """Nodes that are drained at the same time."""

    nodes: tuple[DrainedNode, ...]

    @property
    def rounds(self) -> int:
        return max(node.rounds for node in self.nodes)

    @property
    def evictions(self) -> list[Eviction]:
        """All evictions, round by round."""
        found = [eviction for node in self.nodes for eviction in node.evictions]
        return sorted(found, key=lambda eviction: eviction.round)


class Blocker(Struct, frozen=True):
    """A pod that keeps a node from being drained, and why: flags, the API server's answer, or no node for it."""

    pod: str
    kind: Block
    handling: Handling
    answer: EvictionAnswer | None = None
    landing: Landing | None = None


class BlockedNode(Struct, frozen=True):
    """A node that the plan does not drain.

    ``evicted``: what kubectl evicts there all the same, known where the plan is of this node alone.
    """

    name: str
    blockers: tuple[Blocker, ...]
    evicted: tuple[Eviction, ...] = ()

    @property
    def kind(self) -> Block:
        """What weighs most."""
        order = list(Block)
        return min((blocker.kind for blocker in self.blockers), key=order.index, default=Block.NOT_COMPUTED)


class Plan(Struct, frozen=True):
    """How chosen nodes can be drained. ``asked``: every pod on them, as if all drains began now."""

    nodes: tuple[str, ...]
    asked: tuple[PlannedPod, ...]
    batches: tuple[Batch, ...]
    blocked: tuple[BlockedNode, ...]

    @property
    def courses(self) -> list[Sequence[Eviction]]:
        """The evictions of each batch, then those of each blocked node."""
        return [*(batch.evictions for batch in self.batches), *(node.evicted for node in self.blocked)]


class Resident(Struct, frozen=True):
    """A pod on a node that is to be drained, and how often a drain has moved it already."""

    pod: Pod
    handling: Handling
    moved: int = 0


def residents_of(
    pods: Iterable[Document], options: DrainOptions, daemon_sets: frozenset[str] | None = None
) -> dict[str, list[Resident]]:
    """The pods of nodes in the order in which their evictions are requested, by node."""
    found: dict[str, list[Resident]] = {}
    for pod in sorted(map(Pod, pods), key=lambda pod: (pod.namespace, pod.name)):
        found.setdefault(pod.node_name, []).append(Resident(pod, handling_of(pod, options, daemon_sets)))
    return found


def first_answers(
    snapshot: Snapshot,
    nodes: Sequence[str],
    residents: Mapping[str, Sequence[Resident]],
    others: Iterable[Document] = (),
) -> list[PlannedPod]:
    """What evicting every pod of these nodes would be answered now, budgets charged from one to the next.

    A node with pods that need a flag is not begun with, so no eviction is requested there.
    """
    ledger = Ledger(snapshot, others)
    found = []
    for node in nodes:
        held = any(resident.handling.treatment is Treatment.HELD for resident in residents.get(node, ()))
        for resident in residents.get(node, ()):
            is_asked = not held and resident.handling.treatment is Treatment.EVICTED
            answer = ledger.ask(resident.pod) if is_asked else None
            found.append(PlannedPod(node, resident.pod.key, resident.handling, answer))
    return found


# What a drain of each node by itself would meet now, for all nodes at once.


class Outlook(enum.StrEnum):
    """What a drain that starts now meets: nothing, or what weighs most of that which is in its way.

    ``ALLOWED``: budgets and controllers allow it, and whether the pods fit on other nodes was not looked at. ``WAITS``:
    budgets allow nothing until pods are ready, which those that are unschedulable do not become by themselves.
    """

    NOW = "now"
    ALLOWED = "allowed"
    WAITS = "waits"
    FORCE = "force"
    NO_ROOM = "room"
    LASTING = "lasting"


_OUTLOOKS: Final = {
    Block.TWO_BUDGETS: Outlook.LASTING,
    Block.NEVER: Outlook.LASTING,
    Block.FLAG: Outlook.FORCE,
    Block.NO_ROOM: Outlook.NO_ROOM,
    Block.BUDGET: Outlook.WAITS,
}


_WEIGHS_MORE: Final = frozenset({Outlook.LASTING, Outlook.FORCE, Outlook.NO_ROOM})


class NodeDrain(NamedTuple):
    """A node and its pods: ``evicted`` are asked for, of which nothing controls ``unmanaged``; ``staying`` are not.

    ``blocked``: what budgets do to the drain, None where they let it pass. ``blockers``: the pods that block it as the
    plan for the node alone says, None where none was made.
    """

    node: str
    evicted: int
    unmanaged: int
    staying: int
    blocked: BlockedDrain | None
    blockers: tuple[Blocker, ...] | None = None

    @property
    def outlook(self) -> Outlook:
        """Lasting budgets, then pods that only go by force, then room, then budgets that wait for pods to be ready."""
        if self.blockers is not None:
            return _OUTLOOKS[BlockedNode(self.node, self.blockers).kind] if self.blockers else Outlook.NOW
        if self.blocked is not None and self.blocked.lasts:
            return Outlook.LASTING
        if self.unmanaged:
            return Outlook.FORCE
        if self.blocked is not None:
            return Outlook.WAITS
        return Outlook.ALLOWED if self.evicted else Outlook.NOW

    @property
    def also_waits(self) -> bool:
        """Whether budgets block it until pods are ready, though its outlook is something that weighs more."""
        return self.blocked is not None and not self.blocked.lasts and self.outlook in _WEIGHS_MORE

    @property
    def needs_plan(self) -> bool:
        """Whether more than the node's budgets and controllers decides about its drain."""
        return self.outlook in (Outlook.ALLOWED, Outlook.WAITS)


def drain_counts(snapshot: Snapshot) -> Ints:
    """Count what drains of all nodes evict, of that what nothing controls, and what stays; shape (N, 3).

    Pods that have finished are not counted: they go without a question.
    """
    pods, count = snapshot.pods, len(snapshot.nodes)
    slots = np.flatnonzero(pods.node >= 0)
    rows, templates = pods.node[slots], pods.template[slots]
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    bare = np.array([template.controller is None for template in pods.templates], np.bool_)
    stays = pinned[templates] if len(slots) else np.zeros(0, np.bool_)
    alone = bare[templates] if len(slots) else np.zeros(0, np.bool_)
    return np.stack([np.bincount(rows[some], minlength=count) for some in (~stays, alone, stays)], axis=1)


def node_drains(snapshot: Snapshot, blocked: Iterable[BlockedDrain]) -> list[NodeDrain]:
    """Every node, in order of name, with what its drain meets by `drain_counts` and the budgets."""
    names, by_node = snapshot.nodes.names, {drain.node: drain for drain in blocked}
    return list(map(NodeDrain, names, *drain_counts(snapshot).T.tolist(), map(by_node.get, names)))


# A copy of a cluster in which nodes are drained, and every step can be taken back.

# What the node controller adds to a node that is cordoned.
_CORDONED = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
# Whether lower pods could be preempted is dear to find out, so it is asked of the first pods without a place only.
PREEMPTIONS = 20


class Landing(Struct, frozen=True):
    """Where a replacement goes: a node, or empty with the scheduler's ``message``.

    ``feasible``: how many nodes would take it, of which ``best`` are equally good and the first was taken. ``victims``:
    nodes where it would fit if lower pods were preempted, None where that was not looked at. ``scheduler``: another one
    that places it, nobody knows where; ``is_gated``: scheduling gates hold it back. ``failed``: the error's reference
    where that could not be computed, and ``message`` is the error. ``uncertain``: what could reject it on its node and
    is not computed.
    """

    node: str
    message: str = ""
    feasible: int = 0
    best: int = 0
    victims: int | None = None
    scheduler: str = ""
    is_gated: bool = False
    failed: str = ""
    uncertain: tuple[Uncertainty, ...] = ()


class DrainWorld:
    """A cluster that is being drained; the snapshot that it starts from stays as it is."""

    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        *,
        preemptions: int = PREEMPTIONS,
        note: Note | None = None,
    ) -> None:
        self.snapshot = snapshot.copy()
        self._origin = snapshot
        self.placements = 0
        self._configuration = configuration
        self._undo: list[Callable[[], object]] = []
        self._preemptions_left = preemptions
        self._note = note

    def cordon(self, name: str) -> None:
        """Let no new pod go to a node, and not even those that tolerate only its other taints."""
        node = self._node(name)
        taints = node.taints if _CORDONED in node.taints else (*node.taints, _CORDONED)
        self._change(replace(node, unschedulable=True, taints=taints))

    def uncordon(self, name: str) -> None:
        """Let pods go to a node again; its other taints stay."""
        node = self._node(name)
        taints = tuple(taint for taint in node.taints if taint.key != _CORDONED.key)
        self._change(replace(node, unschedulable=False, taints=taints))

    def reopen(self, name: str) -> None:
        """Let a node be as it was before all draining."""
        self._change(self._origin.nodes.nodes[self._origin.nodes.index[name]])

    def remove(self, pod: Document) -> None:
        """Take a pod away."""
        self.snapshot.delete(pod)
        self._undo.append(lambda: self.snapshot.upsert(pod))
        self._undo += [partial(self.snapshot.upsert, claim) for claim in release(self.snapshot, Pod(pod))]

    def hold(self, pod: Document, node: str) -> None:
        """Put a pod that is not there on a node, whatever else would suit it."""
        self.snapshot.assume(pod, node)
        self._undo.append(lambda: self.snapshot.delete(pod))

    def place(self, pod: Document) -> Landing:
        """Put a new pod where the scheduler would; nobody is preempted."""
        self.placements += 1
        for claim in ephemeral_claims(pod):
            # A StatefulSet's pod has the name of the one before it, and so has its claim.
            before = self.snapshot.object(claim["kind"], name_of(claim), namespace_of(claim))
            self.snapshot.upsert(claim)
            undo = partial(self.snapshot.delete, claim) if before is None else partial(self.snapshot.upsert, before)
            self._undo.append(undo)
        landing = attempt(lambda: self._placed(pod))
        if isinstance(landing, Failure):
            if self._note is not None:
                self._note(f"The place of {key_of(pod)}", landing)
            return Landing("", landing.error, failed=landing.reference)
        if landing.node:
            self._undo.append(lambda: self.snapshot.delete(pod))
        return landing

    def _placed(self, pod: Document) -> Landing:
        landing = Landing("")
        try:
            for placement in place(self.snapshot, [pod], self._configuration):
                landing = self._landing(placement.node, placement.explanation)
                self._undo += [partial(self.snapshot.upsert, claim) for claim in placement.reserved.before]
                self._undo += [partial(self.snapshot.delete, claim) for claim in placement.reserved.made]
        except UnknownScheduler as error:
            return Landing("", scheduler=error.scheduler_name)
        return landing

    def keep(self) -> None:
        """Let everything so far stand; it can no longer be taken back."""
        self._undo.clear()

    def mark(self) -> int:
        """The present moment, to come back to."""
        return len(self._undo)

    def back_to(self, mark: int) -> None:
        """Take every step since a mark back, the last one first."""
        while len(self._undo) > mark:
            self._undo.pop()()

    def _node(self, name: str) -> Node:
        return self.snapshot.nodes.nodes[self.snapshot.nodes.index[name]]

    def _change(self, node: Node) -> None:
        before, nodes = self._node(node.name), self.snapshot.nodes
        nodes.replace(nodes.index[node.name], node)
        self._undo.append(lambda: nodes.replace(nodes.index[before.name], before))

    def _landing(self, node: str, explanation: Explanation) -> Landing:
        cycle = explanation.cycle
        if node:
            uncertain = explanation.uncertainties
            return Landing(node, feasible=len(cycle.feasible), best=len(cycle.choices), uncertain=uncertain)
        if not explanation.gates.ok:
            return Landing("", is_gated=True)
        victims = None
        if self._preemptions_left:
            self._preemptions_left -= 1
            preemption = explanation.preemption
            victims = 0 if preemption is None else len(preemption.candidates)
        return Landing("", explanation.refusal or "", victims=victims)


# Makes the plan: drains nodes in a copy of the cluster, batch by batch, until all are done or none can be.


class DrainCase(Struct, frozen=True):
    """What a plan is made from: ``pods`` run on the chosen ``nodes``, ``others`` are pending or have finished.

    ``lasting``: budgets, as ``namespace/name``, that block until somebody changes them. ``daemon_sets``: as in
    ``handling_of``. ``most_placements``: after so many placements nothing more is computed. ``note``: told
    of replacements whose place cannot be computed.
    """

    nodes: Sequence[str]
    pods: Sequence[Document]
    others: Sequence[Document] = ()
    lasting: frozenset[str] = frozenset()
    daemon_sets: frozenset[str] | None = None
    most_placements: int = 50_000
    note: Note | None = None


def alone_blockers(
    snapshot: Snapshot, configuration: SchedulerConfiguration, case: DrainCase
) -> dict[str, tuple[Blocker, ...]]:
    """What blocks each node as the plan of it alone says, without --force; empty where nothing does.

    The snapshot stays as it is.
    """
    return _Planner(snapshot, configuration, case, DrainOptions(), None, preemptions=0).alone()


def drain_plan(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    case: DrainCase,
    options: DrainOptions,
    progress: Callable[[int], object] | None = None,
) -> Plan:
    """How the nodes can be drained, greedily and in the order given; the snapshot stays as it is.

    A batch takes every node in turn whose pods are all granted at once and all fit, beside those of the nodes
    before it. Where there is none, nodes are taken that have to ask again until others took the places of their pods,
    as long as no budget is waited for by two of them. ``progress`` is told how many nodes are done.
    """
    return _Planner(snapshot, configuration, case, options, progress).plan()


class _StuckError(Exception):
    """A node cannot be drained now."""

    def __init__(self, *blockers: Blocker) -> None:
        super().__init__()
        self.blockers = blockers


class _Planner:
    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        case: DrainCase,
        options: DrainOptions,
        progress: Callable[[int], object] | None,
        preemptions: int = PREEMPTIONS,
    ) -> None:
        self._origin, self._case, self._options, self._progress = snapshot, case, options, progress
        self._chosen = frozenset(case.nodes)
        self._world = DrainWorld(snapshot, configuration, preemptions=preemptions, note=case.note)
        self._ledger = Ledger(snapshot, case.others)
        self._residents = residents_of(case.pods, options, case.daemon_sets)
        self._blockers: dict[str, tuple[Blocker, ...]] = {}
        # With how many nodes done a node was tried without success: it waits for others then.
        self._tried: dict[str, int] = {}
        self._numbers = 0
        self._done = 0
        self._keys = {key for node in self._residents for key in self._budgets_on(node)}

    def plan(self) -> Plan:
        nodes = tuple(self._case.nodes)
        asked = first_answers(self._origin, nodes, self._residents, self._case.others)
        remaining = [node for node in nodes if not self._is_hopeless(node)]
        if not self._options.uncordon:
            for node in nodes:
                self._world.cordon(node)
        batches: list[Batch] = []
        while remaining and not self._is_over:
            batch = self._next_batch(remaining)
            if not batch:
                break
            batches.append(Batch(tuple(batch)))
            drained = {node.name for node in batch}
            remaining = [node for node in remaining if node not in drained]
            self._done += len(batch)
            if self._progress is not None:
                self._progress(self._done)
        drained = {node.name for batch in batches for node in batch.nodes}
        blocked = tuple(
            BlockedNode(node, self._blockers.get(node, ()), self._evicted_from(node) if len(nodes) == 1 else ())
            for node in nodes
            if node not in drained
        )
        return Plan(nodes, tuple(asked), tuple(batches), blocked)

    def alone(self) -> dict[str, tuple[Blocker, ...]]:
        """Drain each node by itself, note what blocks it, and take all of it back."""
        found: dict[str, tuple[Blocker, ...]] = {}
        mark, balance = self._world.mark(), self._ledger.balance()
        for node in self._case.nodes:
            self._chosen, self._keys, self._numbers = frozenset({node}), self._budgets_on(node), 0
            if not self._is_hopeless(node) and any(
                self._tried_node(node, waits=waits) is not None for waits in (False, True)
            ):
                self._blockers.pop(node, None)
            self._world.back_to(mark)
            self._ledger.restore(balance)
            found[node] = self._blockers.get(node, ())
        return found

    @property
    def _is_over(self) -> bool:
        return self._world.placements >= self._case.most_placements

    def _is_hopeless(self, node: str) -> bool:
        """Whether something is in the way that no eviction of another pod changes; notes what."""
        found = []
        for resident in self._residents.get(node, ()):
            if resident.handling.treatment is Treatment.HELD:
                found.append(Blocker(resident.pod.key, Block.FLAG, resident.handling))
            elif resident.handling.treatment is Treatment.EVICTED:
                answer = self._ledger.peek(resident.pod)
                if answer.code == 500:
                    found.append(Blocker(resident.pod.key, Block.TWO_BUDGETS, resident.handling, answer))
                elif not answer.is_granted and self._case.lasting.intersection(self._ledger.keys_of(resident.pod)):
                    found.append(Blocker(resident.pod.key, Block.NEVER, resident.handling, answer))
        if found:
            self._blockers[node] = tuple(found)
        return bool(found)

    # -- batches -----------------------------------------------------------------------------------------

    def _next_batch(self, remaining: Sequence[str]) -> list[DrainedNode]:
        """The next batch: at once where any node can be, with waiting otherwise; empty where nothing goes."""
        fresh = [node for node in remaining if node not in self._tried]
        again = [node for node in remaining if self._tried.get(node, self._done) < self._done]
        # A rolling upgrade gives room back with every batch, so trying again is worth it at once, and in order.
        either = [node for node in remaining if self._tried.get(node, -1) < self._done]
        stages = (either,) if self._options.uncordon else (fresh, again)
        for candidates in stages:
            for waits in (False, True):
                batch = self._gather(candidates, waits=waits)
                if batch:
                    self._close(batch)
                    return batch
            self._tried.update(dict.fromkeys(candidates, self._done))
        return []

    def _gather(self, candidates: Sequence[str], *, waits: bool) -> list[DrainedNode]:
        """Drain as many of the nodes together as possible."""
        most = self._options.at_a_time or len(candidates)
        is_rolling = self._options.uncordon
        ahead = set(candidates[:most]) if is_rolling and self._options.at_a_time else set()
        for node in ahead:
            self._world.cordon(node)
        batch: list[DrainedNode] = []
        received: set[str] = set()
        waited_for: set[str] = set()
        for node in candidates:
            if len(batch) == most or self._is_over:
                break
            # What has just moved there is not moved again at once.
            if node in received or (waits and waited_for & self._budgets_on(node)):
                continue
            drained = self._tried_node(node, waits=waits)
            if drained is None:
                ahead.discard(node)
                if is_rolling:
                    self._world.reopen(node)
                continue
            ahead.discard(node)
            batch.append(drained)
            waited_for |= self._budgets_on(node)
            received.update(each.landing.node for each in drained.evictions if each.landing is not None)
        for node in ahead:
            self._world.reopen(node)
        return batch

    def _close(self, batch: Sequence[DrainedNode]) -> None:
        """Let what the batch did stand, and the controller catch up."""
        for node in batch:
            self._residents.pop(node.name, None)
            self._blockers.pop(node.name, None)
        for node in batch:
            if self._options.uncordon:
                self._world.uncordon(node.name)
        self._ledger.settle(self._world.snapshot, self._keys)
        self._world.keep()

    def _budgets_on(self, node: str) -> set[str]:
        return {key for resident in self._residents.get(node, ()) for key in self._ledger.keys_of(resident.pod)}

    # -- one node ----------------------------------------------------------------------------------------

    def _tried_node(self, node: str, *, waits: bool) -> DrainedNode | None:
        """Drain a node; where that is not possible nothing has happened, and what was in the way is noted."""
        mark, balance, numbers = self._world.mark(), self._ledger.balance(), self._numbers
        self._world.cordon(node)
        try:
            evictions, moved = self._drained(node, waits=waits)
        except _StuckError as error:
            self._world.back_to(mark)
            self._ledger.restore(balance)
            self._numbers = numbers
            self._blockers[node] = error.blockers
            if any(blocker.kind is Block.NO_ROOM for blocker in error.blockers):
                # Placing its pods again is dear, so others are tried first.
                self._tried[node] = self._done
            return None
        for target, resident in moved:
            if target in self._chosen:
                self._residents.setdefault(target, []).append(resident)
        staying = sum(resident.handling.treatment.stays for resident in self._residents.get(node, ()))
        rounds = max((eviction.round for eviction in evictions), default=1)
        return DrainedNode(node, tuple(evictions), staying, rounds)

    def _evicted_from(self, node: str) -> tuple[Eviction, ...]:
        """What kubectl evicts from a node that it does not empty, or whose pods have nowhere to go."""
        if self._is_over or any(each.handling.treatment is Treatment.HELD for each in self._residents.get(node, ())):
            return ()
        self._world.cordon(node)
        evictions, _ = self._drained(node, waits=True, insists=True)
        return tuple(evictions)

    def _drained(
        self, node: str, *, waits: bool, insists: bool = False
    ) -> tuple[list[Eviction], list[tuple[str, Resident]]]:
        """Evict a node's pods, asking again for those that were refused if that is worth it.

        Raises _StuckError, unless it ``insists`` as kubectl does: then it evicts whatever it may.
        """
        left = [each for each in self._residents.get(node, ()) if each.handling.treatment is Treatment.EVICTED]
        evictions: list[Eviction] = []
        moved: list[tuple[str, Resident]] = []
        asking = 0
        while left:
            asking += 1
            if waits:
                self._ledger.settle(self._world.snapshot, self._keys)
            refused: list[tuple[Resident, EvictionAnswer]] = []
            granted: list[tuple[Resident, EvictionAnswer]] = []
            for resident in left:
                answer = self._ledger.ask(resident.pod)
                (granted if answer.is_granted else refused).append((resident, answer))
                if refused and not waits:
                    break
            if refused and (not waits or not granted):
                if insists:
                    break
                raise _StuckError(*(self._refusal(resident, answer) for resident, answer in refused))
            for resident, _ in granted:
                self._world.remove(resident.pod.document)
            homeless = []
            for resident, answer in granted:
                eviction, after = self._replaced(node, resident, answer, asking)
                evictions.append(eviction)
                if after is not None and eviction.landing is not None:
                    moved.append((eviction.landing.node, after))
                if eviction.landing is not None and eviction.is_homeless:
                    homeless.append(Blocker(eviction.pod, Block.NO_ROOM, eviction.handling, answer, eviction.landing))
            if homeless and not insists:
                raise _StuckError(*homeless, *(self._refusal(each, answer) for each, answer in refused))
            left = [resident for resident, _ in refused]
        return evictions, moved

    def _replaced(
        self, node: str, resident: Resident, answer: EvictionAnswer, asking: int
    ) -> tuple[Eviction, Resident | None]:
        """Place the replacement that the pod's controller creates."""
        self._numbers += 1
        replacement = replacement_of(resident.pod, self._numbers)
        landing = None if replacement is None else self._world.place(replacement)
        eviction = Eviction(node, resident.pod.key, asking, answer, landing, resident.handling, resident.moved)
        if replacement is None or landing is None:
            return eviction, None
        spec = {**replacement["spec"], "nodeName": landing.node}
        return eviction, Resident(Pod({**replacement, "spec": spec}), resident.handling, resident.moved + 1)

    def _refusal(self, resident: Resident, answer: EvictionAnswer) -> Blocker:
        kind = Block.TWO_BUDGETS if answer.code == 500 else Block.BUDGET
        if kind is Block.BUDGET and self._case.lasting.intersection(self._ledger.keys_of(resident.pod)):
            kind = Block.NEVER
        return Blocker(resident.pod.key, kind, resident.handling, answer)

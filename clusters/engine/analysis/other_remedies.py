"""What somebody could do where other pods, or nodes that are not ready yet, are why no node takes a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.analysis.node_remedies import node_remedies
from clusters.engine.analysis.remedies import AwaitNodes, AwaitTerminating, ChangeStrategy, ReleaseFinalizers
from clusters.engine.columns.pods import NOWHERE
from clusters.engine.cycle import run_cycle
from clusters.engine.disruption.arithmetic import PercentageError
from clusters.engine.matching.known_taints import is_starting
from clusters.engine.objects import Pod, metadata, sortable_time
from clusters.engine.relaxing.edits import Tolerate
from clusters.engine.rollout.plan import Way, plan_of
from clusters.engine.volumes.claims import spec_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.engine.world import no_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine import Explanation
    from clusters.engine.analysis.remedies import Remedy
    from clusters.engine.matching.taints import Taint
    from clusters.engine.rollout.plan import RolloutPlan
    from clusters.engine.status import Ints, Mask

_DAEMON_REVISION = "controller-revision-hash"
# So many nodes, or pods, are named.
_MOST_NAMED = 5


def other_remedies(explanation: Explanation) -> Iterator[Remedy]:
    """Yield what a pod that fits nowhere could wait for, and the update that keeps it out; each has been tried."""
    if explanation.fits or explanation.cycle.stopped_by is not None or not explanation.node_count:
        return
    yield from node_remedies(explanation)
    yield from _starting(explanation)
    yield from _terminating(explanation)
    yield from _held_by_predecessor(explanation)


def _starting(explanation: Explanation) -> Iterator[Remedy]:
    """Nodes that are being prepared, and take the pod as soon as they are."""
    sets = {number: taints for number, taints in standing_taints(explanation).items() if is_starting(_keys(taints))}
    if not sets:
        return
    nodes, document = explanation.snapshot.nodes, explanation.pod.document
    for taint in dict.fromkeys(each for taints in sets.values() for each in taints):
        document = Tolerate(taint).apply(document)
    then = run_cycle(explanation.snapshot, Pod(document), explanation.profile)
    ready = {row: sets[number] for row in then.feasible.tolist() if (number := int(nodes.taint_set[row])) in sets}
    if ready:
        keys = dict.fromkeys(key for taints in ready.values() for key in _keys(taints))
        yield AwaitNodes(tuple(nodes.names[row] for row in list(ready)[:_MOST_NAMED]), tuple(keys))


def _keys(taints: Iterable[Taint]) -> list[str]:
    return [each.key for each in taints]


def standing_taints(explanation: Explanation) -> dict[int, tuple[Taint, ...]]:
    """By number of each set of taints in the cluster those that reject the pod, where there are any."""
    tolerations = explanation.cycle.context.tolerations
    found = {
        number: tuple(t for t in taints if t.forbids_scheduling and not any(each.tolerates(t) for each in tolerations))
        for number, taints in enumerate(explanation.snapshot.nodes.taint_sets)
    }
    return {number: taints for number, taints in found.items() if taints}


# -- pods that hold what it needs --------------------------------------------------------------------------------------


def passing_without(explanation: Explanation, slots: Ints) -> Mask:
    """Shape (N,): nodes that every filter lets pass once those of some bound pods that are on it have left it.

    Nominated pods count, as they do in a cycle: with them and without.
    """
    cycle = explanation.cycle
    passing = ~cycle.left_out
    for before in (no_changes(), cycle.nominated_world):
        if before is None:
            continue
        world = before.removing(explanation.snapshot.pods, slots, np.empty(0, np.int64))
        for name in cycle.filters:
            failed = cycle.plugins[name].filter(world).failed
            if failed is not None:
                passing &= ~failed
    return passing


def bound_slots(explanation: Explanation, chosen: Mask) -> Ints:
    """Slots of the bound pods among some, shape (P,)."""
    pods = explanation.snapshot.pods
    count = len(pods.keys)
    return np.flatnonzero(chosen[:count] & (pods.node[:count] != NOWHERE))


def _terminating(explanation: Explanation) -> Iterator[Remedy]:
    """Pods that are terminating on a node that takes the pod when they are gone: on the one of the fewest.

    Those that finalizers hold are told where it is not enough that the others go.
    """
    pods = explanation.snapshot.pods
    if explanation.pod.nominated_node_name:
        return
    found = _leaving(explanation, pods.terminating & ~pods.held)
    if found is not None:
        yield AwaitTerminating(*found)
        return
    found = _leaving(explanation, pods.terminating) if pods.held.any() else None
    if found is not None:
        held = tuple(key for key in found[1] if pods.held[pods.slot_of[key]])
        yield ReleaseFinalizers(found[0], held)


def _leaving(explanation: Explanation, chosen: Mask) -> tuple[str, tuple[str, ...]] | None:
    """The node that takes the pod without the fewest of some of its pods, and these."""
    snapshot = explanation.snapshot
    slots = bound_slots(explanation, chosen)
    if not len(slots):
        return None
    leaving = np.bincount(snapshot.pods.node[slots], minlength=len(snapshot.nodes))
    rows = np.flatnonzero(passing_without(explanation, slots) & (leaving > 0))
    if not len(rows):
        return None
    row = int(rows[np.argmin(leaving[rows])])
    keys = sorted(snapshot.pods.keys[slot] for slot in slots if snapshot.pods.node[slot] == row)
    return snapshot.nodes.names[row], tuple(keys)


def _held_by_predecessor(explanation: Explanation) -> Iterator[Remedy]:
    """An earlier revision of the pod's own workload that holds what it needs, and stays until it is available."""
    pod, pods = explanation.pod, explanation.snapshot.pods
    workload = Workload.of(pod.namespace, Controller.of(pod.document), pod.labels.get(TEMPLATE_HASH, ""))
    plan = _plan(explanation, workload)
    own = [number for number, template in enumerate(pods.templates) if template.workload == workload]
    if plan is None or not own:
        return
    staying = bound_slots(explanation, np.isin(pods.template, own) & ~pods.terminating)
    old = np.array([slot for slot in staying.tolist() if _is_earlier(explanation, slot)], np.int64)
    if not len(old) or not _stays(plan, old, staying, pods.ready):
        return
    opened = passing_without(explanation, old)
    holders = sorted(pods.keys[slot] for slot in old.tolist() if opened[pods.node[slot]])
    if holders:
        named = tuple(holders[:_MOST_NAMED])
        yield ChangeStrategy(
            workload.kind, workload.namespace, workload.name, named, plan.max_surge, plan.max_unavailable
        )


def _plan(explanation: Explanation, workload: Workload) -> RolloutPlan | None:
    """How the workload of the pod updates, if it creates new pods beside old ones."""
    document = explanation.snapshot.object(workload.kind, workload.name, workload.namespace)
    replicas = None if document is None else spec_of(document).get("replicas")
    try:
        plan = None if document is None else plan_of(document, workload.kind, 1 if replicas is None else int(replicas))
    except PercentageError:
        return None
    return plan if plan is not None and plan.way in (Way.SURGE, Way.NODES) else None


def _is_earlier(explanation: Explanation, slot: int) -> bool:
    """Whether a pod of the pod's own workload is of an earlier revision."""
    pod, pods = explanation.pod, explanation.snapshot.pods
    mine, its = Controller.of(pod.document), pods.templates[pods.template[slot]].controller
    if mine is None or its is None:
        return False
    if mine.kind == "DaemonSet":
        return pods.labels(slot).get(_DAEMON_REVISION) != pod.labels.get(_DAEMON_REVISION)
    created = [
        sortable_time(metadata(found).get("creationTimestamp"))
        for each in (its, mine)
        if (found := explanation.snapshot.object(each.kind, each.name, pod.namespace)) is not None
    ]
    return mine != its and created == sorted(created)


def _stays(plan: RolloutPlan, old: Ints, staying: Ints, ready: Mask) -> bool:
    """Whether the controller deletes no earlier pod before a new one is available.

    A DaemonSet that surges keeps the earlier pod of each node. A Deployment keeps so many that are available, and
    deletes first those that are not.
    """
    if plan.way is Way.NODES:
        return plan.surge > 0
    available = int(ready[staying].sum())
    removable = len(old) + available - int(ready[old].sum()) - plan.fewest
    return available <= plan.fewest and (removable <= 0 or bool(ready[old].all()))

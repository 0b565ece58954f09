"""What an update of a workload would meet, simulated on a copy of the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.arithmetic import PercentageError
from clusters.engine.objects import Pod
from clusters.engine.rollout import OldPod, Progress, RolloutPlan, Round, Way, plan_of, replacing, surging
from clusters.engine.simulation.admission import PodAdmission
from clusters.engine.uncertainty import uncertainties
from clusters.engine.volumes.claims import spec_of
from clusters.engine.workloads.pod_copies import PodCopy, copy_of, revised, revised_replica_set
from clusters.engine.workloads.pod_template import Controller
from clusters.services.evaluation.questions import Question
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.quotas import quotas_of
from clusters.services.workloads.samples import documents_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from clusters.engine import Snapshot
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.objects import Document
    from clusters.engine.workloads.pod_template import Workload
    from clusters.models import Cluster
    from clusters.services.workloads.state import ClusterWorkloads

# So many new pods are placed; what comes after is not looked at.
MOST_PODS = 300
_REVISION = "next"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


@dataclass(frozen=True, slots=True)
class Update:
    """The rounds of an update, all of them unless ``is_cut``; ``wanted`` pods would be replaced.

    ``uncertain``: what could reject each new pod and is not computed.
    """

    plan: RolloutPlan
    rounds: tuple[Round, ...]
    wanted: int
    is_cut: bool
    uncertain: tuple[Uncertainty, ...]


def plan_for(found: ClusterWorkloads, workload: Workload) -> RolloutPlan | None:
    """Return how the workload's controller updates its pods; None where it does not."""
    state = found.states[workload]
    desired = state.placed - state.terminating + state.pending if state.desired is None else state.desired
    try:
        return plan_of(found.document(workload) or {}, workload.kind, desired)
    except PercentageError:
        # Kubernetes takes no such object.
        return None


QUESTION: Final[Question[Update]] = Question("update")


def earlier_update(*, cluster: Cluster, workload: Workload) -> tuple[Update, datetime] | None:
    """Return the update that was simulated last, and the time of the state that it began with."""
    kept = QUESTION.last(cluster, workload.kind, workload.namespace, workload.name)
    return None if kept is None else (kept.answers[b""], kept.at)


def update_of(
    *, cluster: Cluster, found: ClusterWorkloads, workload: Workload, sample: Document, plan: RolloutPlan
) -> Update | None:
    """Replace every pod by one like ``sample``; None while a worker does.

    Raises UnknownScheduler, SelectorError and ConfigurationError.
    """
    subject = workload.kind, workload.namespace, workload.name
    with QUESTION.answered(cluster, *subject, snapshot=found.snapshot) as answers:
        return answers.of(b"", lambda: _simulated(cluster, found, workload, sample, plan, answers.check))


def _simulated(
    cluster: Cluster,
    found: ClusterWorkloads,
    workload: Workload,
    sample: Document,
    plan: RolloutPlan,
    check: Callable[[], object],
) -> Update:
    snapshot = found.snapshot.copy()
    quotas = quotas_of(cluster=cluster, snapshot=found.snapshot, namespace=workload.namespace)
    admission = PodAdmission(snapshot, quotas)
    slots = found.slots(workload).tolist()
    names = [found.snapshot.pods.name(slot) for slot in slots] if quotas else []
    charged = documents_of(cluster, workload.namespace, names)
    old = _standing(found, workload, charged)
    # Pods that are being deleted count no more for their controller, and will have gone.
    staying = {pod.name for pod in old}
    for slot in slots:
        name = found.snapshot.pods.name(slot)
        if name not in staying:
            snapshot.delete({"kind": "Pod", "metadata": {"namespace": workload.namespace, "name": name}})
            if name in charged:
                admission.release(charged[name])
    wanted = len([pod for pod in old if pod.ordinal >= plan.partition]) if plan.way is Way.ORDINALS else plan.desired
    rounds: list[Round] = []
    placed = 0
    for each in _rounds(cluster, snapshot, workload, sample, plan, old, admission):
        rounds.append(each)
        placed += len(each.nodes)
        if placed >= MOST_PODS:
            break
        check()
    is_cut = not rounds or rounds[-1].progress is Progress.GOES_ON
    profile = configuration_of(cluster).profile_for(sample)
    doubts = uncertainties(snapshot, Pod(sample), profile, is_created=False)
    return Update(plan, tuple(rounds), wanted, is_cut, doubts)


def _standing(found: ClusterWorkloads, workload: Workload, charged: Mapping[str, Document]) -> list[OldPod]:
    """The pods that are replaced; with documents where quotas were charged for them."""
    pods, nodes = found.snapshot.pods, found.snapshot.nodes
    slots, is_pinned = found.slots(workload), workload.kind == "DaemonSet"
    placed = [
        OldPod(
            workload.namespace,
            pods.name(slot),
            nodes.names[int(pods.node[slot])] if pods.node[slot] >= 0 else "",
            is_ready=bool(pods.ready[slot]),
            since=int(pods.start[slot]),
            document=charged.get(pods.name(slot)),
        )
        for slot in slots[~pods.terminating[slots]].tolist()
    ]
    waiting = [
        OldPod(
            workload.namespace,
            pod.name,
            _awaited(pod.document) if is_pinned else "",
            is_ready=False,
            document=pod.document,
        )
        for pod in found.pending.get(workload, ())
    ]
    return placed + waiting


def _rounds(
    cluster: Cluster,
    snapshot: Snapshot,
    workload: Workload,
    sample: Document,
    plan: RolloutPlan,
    old: list[OldPod],
    admission: PodAdmission,
) -> Iterator[Round]:
    configuration = configuration_of(cluster)
    configuration.profile_for(sample)
    new = revised(sample, _REVISION)
    if plan.way is Way.ORDINALS:
        last = sorted(old, key=lambda pod: -pod.ordinal)[:MOST_PODS]
        documents = documents_of(cluster, workload.namespace, [pod.name for pod in last])

        def again(pod: OldPod) -> PodCopy:
            document = documents.get(pod.name, sample)
            return copy_of(snapshot, revised(document, _REVISION), pod.name, keeps_claims=pod.name in documents)

        return replacing(snapshot, configuration, plan, old, again, admission)
    if plan.way is Way.NODES:

        def there(pod: OldPod) -> PodCopy:
            return copy_of(snapshot, _meant_for(new, pod.node), f"{pod.name}-{_REVISION}")

        return replacing(snapshot, configuration, plan, [pod for pod in old if pod.node], there, admission)
    owner = Controller.of(sample)
    replica_set = snapshot.object("ReplicaSet", owner.name, workload.namespace) if owner is not None else None
    if replica_set is not None:
        snapshot.upsert(revised_replica_set(replica_set, _REVISION))

    def more(number: int) -> PodCopy:
        return copy_of(snapshot, new, f"{workload.name}-{_REVISION}-{number}")

    return surging(snapshot, configuration, plan, old, more, admission)


def _meant_for(pod: Document, node: str) -> Mapping[str, Any]:
    """Send a DaemonSet's pod to another node, as its controller does: by a term about the node's name."""
    spec = pod["spec"]
    affinity = spec.get("affinity") or {}
    by_node = affinity.get("nodeAffinity") or {}
    required = by_node.get(_REQUIRED) or {}
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    written: Sequence[Mapping[str, Any]] = required.get("nodeSelectorTerms") or ({},)
    terms = [{**term, "matchFields": [field]} for term in written]
    rule = {**by_node, _REQUIRED: {"nodeSelectorTerms": terms}}
    return {**pod, "spec": {**spec, "affinity": {**affinity, "nodeAffinity": rule}}}


def _awaited(pod: Document) -> str:
    """Return the node that a DaemonSet's pod waits for, by the same term; empty where it tells none."""
    by_node = (spec_of(pod).get("affinity") or {}).get("nodeAffinity") or {}
    terms = (by_node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    fields = [field for term in terms for field in term.get("matchFields") or () if field.get("key") == "metadata.name"]
    return next((str(name) for field in fields for name in field.get("values") or ()), "")

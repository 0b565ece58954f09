"""Groups of pods: Berth and the real scheduler look at the same cluster and say the same of every pod and group."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest
from msgspec import Struct

from clusters.engine import Snapshot
from clusters.engine.configuration import SchedulerConfiguration
from clusters.engine.objects import Pod
from clusters.engine.scheduling import GroupAttempt, GroupVerdict, attempt_group
from clusters.engine.versions import Gate
from clusters.models import Cluster, Decision
from tests.controlplane.following import PATIENCE, create_cluster
from tests.controlplane.nodes import create_node, wait_until_untainted
from tests.controlplane.release import RELEASE
from tests.controlplane.test_agreement import mirrored
from tests.support.waiting import wait_until
from tests.support.watching import end, start_watcher, wait_until_followed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.scheduling.cycle import Cycle
    from dashboard.serving.children import Child
    from tests.controlplane.api import Api, Object
    from tests.controlplane.plane import ControlPlane

pytestmark = [
    pytest.mark.controlplane,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not RELEASE.rules.evaluates_groups_first, reason="groups are compared as 1.37 tries them"),
]

API, NESTED, EVENTS = "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha3", "events.k8s.io/v1"
GATES: Final = (Gate.GENERIC_WORKLOAD, Gate.TOPOLOGY_AWARE_WORKLOADS, Gate.COMPOSITE_POD_GROUP)
GROUPING: Final = RELEASE.with_gates(dict.fromkeys(GATES, True))
PROFILE: Final = SchedulerConfiguration.default(GROUPING).profiles[0]
RACK, HOST, SPACE = "rack", "kubernetes.io/hostname", "gangs"
NODES, ROUNDS = 9, 60
# The API server asks for one, and does not look for it.
OF_WORKLOAD = {"workloadRef": {"workloadName": "job", "templateName": "workers"}}
MOST_UNCERTAIN_STATES = 0.02
PRIORITIES = {"low": -10, "usual": 10, "high": 100}


class Seen(Struct):
    """What became of a group: where its pods are, what was said of each first, and what the group says."""

    nodes: dict[str, str]
    said: dict[str, str]
    condition: Object | None


def a_pod(name: str, cpu: float, priority: str, **spec: Any) -> Object:
    requests = {"cpu": f"{int(cpu * 1000)}m", "memory": "64Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": SPACE, "labels": {"app": name.split("-")[0]}},
        "spec": {
            "priorityClassName": priority,
            "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "main", "image": "app:1", "resources": {"requests": requests}}],
            **spec,
        },
    }


def a_shape(group: str, chance: random.Random) -> Object:
    """What the pods of a group ask of nodes."""
    mine = {"labelSelector": {"matchLabels": {"app": group}}, "topologyKey": HOST}
    match chance.randrange(6):
        case 0:
            spread = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", **mine}
            return {"topologySpreadConstraints": [spread]}
        case 1:
            return {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [mine]}}}
        case 2:
            return {"nodeSelector": {"pool": "a"}}
        case _:
            return {}


def create_group(api: Api, name: str, chance: random.Random, priority: str, parent: str = "") -> list[str]:
    """Create a group and its pods, which a gate on the first holds back together; return their names."""
    size = chance.randint(1, 5)
    gang = {"gang": {"minCount": chance.randint(1, size)}}
    spec: Object = {"schedulingPolicy": gang if chance.random() < 0.8 else {"basic": {}}, "priorityClassName": priority}
    if chance.random() < 0.5:
        spec["schedulingConstraints"] = {"topology": [{"key": RACK}]}
    if chance.random() < 0.2:
        spec["disruptionMode"] = {"all": {}}
    if parent:
        spec |= {"parentCompositePodGroupName": parent, **OF_WORKLOAD}
    metadata = {"name": name, "namespace": SPACE}
    api.create({"apiVersion": API, "kind": "PodGroup", "metadata": metadata, "spec": spec})
    shape, cpu = a_shape(name, chance), chance.choice([0.5, 1, 2, 3])
    names = [f"{name}-{number}" for number in range(size)]
    for pod in names:
        held = {"schedulingGates": [{"name": "test.berth/all"}]} if pod == names[0] else {}
        api.create(a_pod(pod, cpu, priority, schedulingGroup={"podGroupName": name}, **shape, **held))
    return names


def state(api: Api) -> list[Object]:
    """Everything that groups are decided by; no pod is held back."""
    kinds = ((API, "PodGroup"), (NESTED, "CompositePodGroup"), ("scheduling.k8s.io/v1", "PriorityClass"))
    found = [
        {**each, "apiVersion": api_of, "kind": kind} for api_of, kind in kinds for each in api.objects(api_of, kind)
    ]
    for each in mirrored(api):
        if each["kind"] == "Pod":
            each["spec"].pop("schedulingGates", None)
        found.append(each)
    return found


def seen(api: Api, group: str, pods: list[str]) -> Seen:
    """Wait until the scheduler has decided on a group, and return what it said first."""

    def first_words() -> dict[str, str]:
        events = [
            each for each in api.objects(EVENTS, "Event", namespace=SPACE) if each["reason"] == "FailedScheduling"
        ]
        found: dict[str, str] = {}
        for each in sorted(events, key=lambda event: event["eventTime"] or ""):
            found.setdefault(each["regarding"]["name"], each["note"])
        return {name: note for name, note in found.items() if name in pods}

    def nodes() -> dict[str, str]:
        found = {
            each["metadata"]["name"]: each["spec"].get("nodeName") for each in api.objects("v1", "Pod", namespace=SPACE)
        }
        return {name: node for name, node in found.items() if node and name in pods}

    wait_until(
        lambda: {*first_words(), *nodes()} >= set(pods),
        seconds=60,
        otherwise=f"the scheduler did not decide on {group}",
    )
    status = api.get(API, "PodGroup", group, namespace=SPACE).get("status") or {}
    return Seen(nodes(), first_words(), next(iter(status.get("conditions") or ()), None))


def attempted(before: Snapshot, pod: Object, nodes: dict[str, str]) -> GroupAttempt:
    """What Berth says of the group of a pod; of equally good nodes it takes the scheduler's."""

    def follow(_: int, cycle: Cycle) -> int:
        row = before.nodes.index.get(nodes.get(cycle.context.pod.name, ""), -1)
        return row if row in cycle.choices else int(cycle.choices[0])

    found = attempt_group(before, Pod(pod), PROFILE, choose=follow)
    assert found is not None
    return found


def differences(found: GroupAttempt, real: Seen, *, is_final: bool) -> list[tuple[str, str, str]]:
    """Where what happened is not what is computed: pod or group, real, computed.

    ``is_final``: no pod was left behind, with which the scheduler tries again and may write down what comes of that.
    """
    wrong = []
    is_scheduled = found.verdict is GroupVerdict.SCHEDULED
    for each in found.members:
        name = each.pod.partition("/")[2]
        if is_scheduled and each.node:
            if real.nodes.get(name) != each.node or name in real.said:
                wrong.append((name, real.nodes.get(name) or real.said[name], each.node))
        elif real.said.get(name) != found.message_of(each):
            wrong.append((name, real.said.get(name) or real.nodes[name], found.message_of(each)))
    if real.condition is not None and is_final and found.verdict is not GroupVerdict.PREEMPTS:
        computed = found.as_recorded()["condition"]
        if real.condition["status"] != computed["status"] or real.condition["reason"] != computed["reason"]:
            wrong.append((str(found.key), str(real.condition), str(computed)))
        elif not is_scheduled and real.condition["message"] != computed["message"]:
            wrong.append((str(found.key), real.condition["message"], computed["message"]))
    return wrong


def other_victims(api: Api, placed: set[str], found: GroupAttempt) -> list[tuple[str, str, str]]:
    """Whether pods of other groups were removed for a group than is computed; those of one group are equals."""

    def groups(names: Iterable[str]) -> list[str]:
        return sorted(name.rpartition("-")[0] for name in names)

    def gone() -> list[str]:
        return groups(placed - {pod["metadata"]["name"] for pod in api.objects("v1", "Pod", namespace=SPACE)})

    computed = groups(each.partition("/")[2] for each in found.victims)
    with contextlib.suppress(AssertionError):
        wait_until(lambda: gone() == computed, seconds=20, otherwise="other victims")
    return [] if gone() == computed else [(str(found.key), str(gone()), str(computed))]


def furnish(plane: ControlPlane) -> None:
    """A namespace, priority classes and nodes, no two of which are alike, so that few are equally good."""
    plane.create_namespace(SPACE)
    for name, value in PRIORITIES.items():
        kind = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
        plane.api.create({**kind, "metadata": {"name": name}, "value": value})
    names = [f"node-{number}" for number in range(NODES)]
    for number, name in enumerate(names):
        labels = {"pool": "ab"[number % 2], **({RACK: f"r{number % 3}"} if number < NODES - 1 else {})}
        capacity = {"cpu": f"{3000 + 370 * number}m", "memory": f"{8 + number}Gi"}
        create_node(plane.api, name, labels=labels, capacity=capacity)
    wait_until_untainted(plane.api, names)


def create_groups(api: Api, number: int, chance: random.Random) -> dict[str, list[str]]:
    """Create a group, or two in a composite, that wait for the first pods; return the pods' names by group."""
    priority = chance.choice(list(PRIORITIES))
    if chance.random() < 0.7:
        name = f"g{number}"
        return {name: create_group(api, name, chance, priority)}
    least = {"gang": {"minGroupCount": chance.randint(1, 2)}} if chance.random() < 0.8 else {"basic": {}}
    spec: Object = {"schedulingPolicy": least, "priorityClassName": priority, **OF_WORKLOAD}
    if chance.random() < 0.4:
        spec["schedulingConstraints"] = {"topology": [{"key": RACK}]}
    whole = {"name": f"whole{number}", "namespace": SPACE}
    api.create({"apiVersion": NESTED, "kind": "CompositePodGroup", "metadata": whole, "spec": spec})
    return {name: create_group(api, name, chance, priority, whole["name"]) for name in (f"g{number}a", f"g{number}b")}


def make_room(api: Api, chance: random.Random) -> None:
    """What did not fit goes, and now and then what did."""
    part = 0.6 if chance.random() < 0.15 else 0
    for pod in api.objects("v1", "Pod", namespace=SPACE):
        if "nodeName" not in pod["spec"] or chance.random() < part:
            api.delete("v1", "Pod", pod["metadata"]["name"], namespace=SPACE)
    wait_until(
        lambda: all(
            "nodeName" in pod["spec"] and "deletionTimestamp" not in pod["metadata"]
            for pod in api.objects("v1", "Pod", namespace=SPACE)
        ),
        seconds=60,
        otherwise="pods are not deleted",
    )


@pytest.fixture
def cluster(grouping_control_plane: ControlPlane) -> Cluster:
    """The cluster as Berth follows it, which is told of the gates: its scheduler is no pod."""
    found = create_cluster(grouping_control_plane)
    found.chosen_feature_gates = {gate.value: True for gate in GATES}
    found.save(update_fields=["chosen_feature_gates"])
    return found


@pytest.fixture
def watcher(cluster: Cluster, redis_url: str) -> Iterator[Child]:
    child = start_watcher(cluster, redis_url=f"{redis_url}?db=2")
    yield child
    child.stop(grace=10)


def test_groups_are_decided_as_the_scheduler_decides(
    grouping_control_plane: ControlPlane, cluster: Cluster, watcher: Child, measurements: list[str]
) -> None:
    """Groups come one after the other, alone or two in a composite; each is judged on the cluster as it was before."""
    api, chance = grouping_control_plane.api, random.Random(31)
    furnish(grouping_control_plane)
    wait_until_followed(cluster, seconds=PATIENCE)
    verdicts: Counter[str] = Counter()
    wrong: list[tuple[str, str, str]] = []
    compared = by_chance = 0
    for number in range(ROUNDS):
        pods = create_groups(api, number, chance)
        documents = state(api)
        before = Snapshot.from_objects(documents, GROUPING)
        for some in pods.values():
            api.patch("v1", "Pod", some[0], {"spec": {"schedulingGates": None}}, namespace=SPACE)
        everything = {name: seen(api, name, some) for name, some in pods.items()}
        nodes = {name: node for each in everything.values() for name, node in each.nodes.items()}
        by_name = {each["metadata"]["name"]: each for each in documents if each["kind"] == "Pod"}
        is_final = len(nodes) in (0, sum(map(len, pods.values())))
        for name, real in everything.items():
            found = attempted(before, by_name[pods[name][0]], nodes)
            verdicts[found.verdict] += 1
            if found.is_random or found.tells_of_any or found.verdict is GroupVerdict.UNCERTAIN:
                by_chance += len(found.members)
                continue
            compared += len(found.members)
            wrong += differences(found, real, is_final=is_final)
            if found.verdict is GroupVerdict.PREEMPTS:
                placed = {name for name, each in by_name.items() if each["spec"].get("nodeName")}
                wrong += other_victims(api, placed, found)
        make_room(api, chance)

    wait_until(
        lambda: not Decision.objects.filter(verdict=Decision.Verdict.WAITING).exists(),
        seconds=180,
        otherwise="decisions wait to be judged",
    )
    judged = Decision.objects.filter(cluster=cluster).exclude(verdict=Decision.Verdict.UNJUDGED)
    disagreeing = judged.filter(verdict=Decision.Verdict.DISAGREES)
    for each in disagreeing:
        print(each.kind, each.name, each.node_name, each.reason, each.message, flush=True)
    counts = f"{compared} pods compared, {by_chance} by chance, {len(wrong)} decided otherwise"
    measurements.append(f"groups: {counts}; {dict(verdicts)}")
    measurements.append(f"groups: the journal judged {judged.count()} decisions, {disagreeing.count()} otherwise")
    assert wrong == []
    assert compared > ROUNDS
    assert verdicts[GroupVerdict.PREEMPTS] > 3
    # What came to pass between the state that is known and a decision is told apart.
    assert not disagreeing.exclude(reason=Decision.Reason.LAG).exists()
    assert disagreeing.count() <= MOST_UNCERTAIN_STATES * judged.count()
    assert end(watcher) == 0

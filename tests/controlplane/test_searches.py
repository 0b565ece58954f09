"""A thousand nodes, of which kube-scheduler looks at a part: Berth finds out which, and the scheduler's log tells."""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.objects import Node
from clusters.engine.scheduling.searches import NodeOrders
from clusters.models import Cluster, Decision
from tests.controlplane.following import PATIENCE, create_cluster
from tests.controlplane.nodes import create_node, wait_until_untainted
from tests.controlplane.release import RELEASE
from tests.controlplane.searches import LOGS_SCORES, logged_searches, starts_of
from tests.controlplane.test_agreement import a_pod
from tests.support.waiting import wait_until
from tests.support.watching import start_watcher, wait_until_followed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dashboard.serving.children import Child
    from tests.controlplane.api import Api
    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.django_db(transaction=True)]

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason
ZONE = "topology.kubernetes.io/zone"
NAMESPACE = "searched"
NODES, LATER_NODES, PLACED, PODS = 1_000, 10, 1_500, 500
# At a time, as a burst: these are decided within some hundredths of a second.
AT_ONCE = 10
# As parts of all decisions: within sampling, once there were some to learn from; and disagreeing.
LEARNING, MOST_SAMPLED, MOST_DISAGREEING = 50, 0.05, 0.001
# Of the searches of which something is told, how many began where that says.
LEAST_RIGHT = 0.9


def is_right(decision: Decision, start: int, order: Sequence[str]) -> bool:
    """Whether a search began where the decision says."""
    assert decision.basis is not None
    looked_at = decision.basis["search"]["looked_at"]
    first, last = order.index(looked_at["first"]), order.index(looked_at["last"])
    return (start - first) % len(order) <= (last - first) % len(order)


def create_world(api: Api, chance: random.Random, names: Sequence[str]) -> None:
    """Create nodes of three zones and three sizes, one in ten of them for other pods."""
    for number, name in enumerate(names):
        taints = [{"key": "dedicated", "value": "x", "effect": "NoSchedule"}] if number % 10 == 3 else []
        capacity = {"cpu": chance.choice(["8", "16", "32"]), "memory": chance.choice(["16Gi", "32Gi", "64Gi"])}
        create_node(api, name, labels={ZONE: f"zone-{number % 3}"}, taints=taints, capacity=capacity)
    wait_until_untainted(api, names, seconds=PATIENCE)


def pod_of(chance: random.Random, name: str, **spec: Any) -> dict[str, Any]:
    pod = a_pod(NAMESPACE, name, chance.choice(["web", "api"]), f"{chance.randrange(100, 900)}m", **spec)
    memory = f"{chance.randrange(100, 900)}Mi"
    pod["spec"]["containers"][0]["resources"]["requests"]["memory"] = memory
    return pod


@pytest.fixture
def cluster(own_control_plane: ControlPlane) -> Cluster:
    return create_cluster(own_control_plane)


@pytest.fixture
def watch(cluster: Cluster, redis_url: str) -> Iterator[Callable[[], Child]]:
    """Return what starts a watcher."""
    started: list[Child] = []

    def start() -> Child:
        started.append(start_watcher(cluster, redis_url=f"{redis_url}?db=3"))
        return started[-1]

    yield start
    for child in started:
        child.stop(grace=10)


def test_where_searches_begin_is_found_by_what_they_choose(
    own_control_plane: ControlPlane, cluster: Cluster, watch: Callable[[], Child], measurements: list[str]
) -> None:
    plane, chance, began = own_control_plane, random.Random(41), time.monotonic()

    def measure(what: str) -> None:
        measurements.append(f"searches: {time.monotonic() - began:4.0f} s: {what}")
        print(measurements[-1], flush=True)

    api = plane.api
    plane.create_namespace(NAMESPACE)
    names = [f"node-{number:04}" for number in range(NODES)]
    is_told_by_name = RELEASE.rules.tells_nodes_by_name
    if not is_told_by_name:
        # One that started later would be told of these nodes in no order.
        plane.restart_scheduler(LOGS_SCORES)
    create_world(api, chance, names)
    for number in range(PLACED):
        api.create(pod_of(chance, f"placed-{number}", nodeName=chance.choice(names)))
    measure(f"{NODES} nodes, {PLACED} pods on them")
    if is_told_by_name:
        plane.restart_scheduler(LOGS_SCORES)
    watch()
    wait_until_followed(cluster, seconds=PATIENCE)
    orders = NodeOrders(is_told_by_name=is_told_by_name)

    def order() -> list[str]:
        found = sorted((Node.from_dict(each) for each in api.objects("v1", "Node")), key=lambda node: node.name)
        # The last is the order of a scheduler that knew the first nodes when it started, or saw them come.
        return [found[row].name for row in orders.of(found).orders[-1].tolist()]

    judged = Decision.objects.filter(kind=Kind.BOUND, namespace=NAMESPACE).exclude(verdict=Verdict.WAITING)

    def wait_for(count: int) -> None:
        wait_until(lambda: judged.count() >= count, seconds=PATIENCE, otherwise="decisions are not judged")

    def schedule(numbers: range) -> None:
        for first in range(numbers.start, numbers.stop, AT_ONCE):
            for number in range(first, min(first + AT_ONCE, numbers.stop)):
                api.create(pod_of(chance, f"pod-{number:04}"))
            wait_for(first + AT_ONCE)

    before = order()
    schedule(range(PODS // 2))
    measure(f"{PODS // 2} pods scheduled")
    # Behind all others in the scheduler's order, and not in that of the names.
    create_world(api, chance, [f"node-{NODES * number // LATER_NODES:04}-later" for number in range(LATER_NODES)])
    after = order()
    schedule(range(PODS // 2, PODS))
    measure(f"{PODS} pods scheduled, half of them with {LATER_NODES} nodes more")

    found = list(judged.order_by("pk"))
    logged = list(logged_searches(plane.site.log("scheduler")).items())
    first, second = dict(logged[: PODS // 2]), dict(logged[PODS // 2 :])
    starts = {**starts_of(first, before), **starts_of(second, after)}
    right = [
        is_right(decision, starts[pod], before if pod in first else after)
        for decision in found
        if (pod := f"{NAMESPACE}/{decision.name}") and (_search_of(decision) or {}).get("looked_at")
    ]
    verdicts = {verdict: sum(each.verdict == verdict for each in found) for verdict in Verdict}
    measure(f"verdicts: {verdicts}; by the search: {sum(each.reason == Reason.SEARCH for each in found)}")
    sampled = [number for number, each in enumerate(found) if each.verdict == Verdict.SAMPLED]
    places = [search["places"] for each in found[LEARNING:] if (search := _search_of(each))]
    measure(
        f"within sampling: {len(sampled)}, at {sampled}; places: {statistics.median(places)} in the middle, "
        f"{max(places)} at most; began where it was said: {sum(right)} of {len(right)}"
    )
    learned = found[LEARNING:]
    assert sum(each.verdict == Verdict.SAMPLED for each in learned) <= MOST_SAMPLED * len(learned)
    assert verdicts[Verdict.DISAGREES] <= MOST_DISAGREEING * len(found)
    # The first ones came before the judge had begun.
    assert not any(each.verdict == Verdict.UNJUDGED for each in found[AT_ONCE:])
    assert sum(right) >= LEAST_RIGHT * len(right)


def _search_of(decision: Decision) -> dict[str, Any] | None:
    """What a decision says of its search, if that ended early."""
    return (decision.basis or {}).get("search")

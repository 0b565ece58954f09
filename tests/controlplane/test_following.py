"""Berth follows a real cluster with nothing but its own ClusterRole, and says what it may not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.documents.stored_problems import problem_of_text
from clusters.engine.batch_systems import BATCH_SYSTEMS
from clusters.models import Cluster, Pod, WatchedKind
from clusters.problems.live import MayNotList
from tests.controlplane.binaries import KUBERNETES_VERSION
from tests.controlplane.following import PATIENCE, create_cluster, wait_until_equal
from tests.controlplane.test_control_plane import budget, spread_deployment, wait_for_pods
from tests.support.waiting import wait_until
from tests.support.watching import start_watcher, wait_until_followed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dashboard.serving.children import Child
    from tests.controlplane.api import Api
    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cluster(control_plane: ControlPlane) -> Cluster:
    return create_cluster(control_plane)


@pytest.fixture
def watcher(cluster: Cluster, redis_url: str) -> Iterator[Child]:
    child = start_watcher(cluster, redis_url=f"{redis_url}?db=2")
    yield child
    child.stop(grace=10)


def test_the_mirror_is_what_the_cluster_is(
    cluster: Cluster, watcher: Child, api: Api, namespace: str, create_nodes: Callable[[int], list[str]]
) -> None:
    wait_until_followed(cluster, seconds=PATIENCE)
    create_nodes(12)
    api.create(spread_deployment(namespace, replicas=30))
    api.create(budget(namespace, min_available=5))
    wait_for_pods(api, namespace, ready=30)
    wait_until_equal(cluster, api)

    api.patch("apps/v1", "Deployment", "web", {"spec": {"replicas": 9}}, namespace=namespace)
    wait_for_pods(api, namespace, ready=9)
    wait_until_equal(cluster, api)

    cluster.refresh_from_db()
    assert cluster.kube_version == KUBERNETES_VERSION
    # The kinds that are off in this version, or not in it, unless somebody asks for them.
    unserved = WatchedKind.objects.filter(state=WatchedKind.State.UNSERVED).values_list("kind", flat=True)
    # DeviceTaintRules are on from 1.37.
    known = {"DeviceTaintRule"} if KUBERNETES_VERSION.startswith("v1.37") else set()
    of_others = {each.kind for each in BATCH_SYSTEMS}
    assert set(unserved) == {"CompositePodGroup", "DeviceTaintRule", "PodGroup", "Workload", *of_others} - known
    assert Pod.objects.filter(namespace=namespace).exclude(node_name="").count() == 9


def test_a_kind_that_rbac_takes_away_suffers_alone_until_it_is_given_back(
    cluster: Cluster, watcher: Child, control_plane: ControlPlane, api: Api
) -> None:
    wait_until_followed(cluster, seconds=PATIENCE)
    name = "berth"
    role = api.get("rbac.authorization.k8s.io/v1", "ClusterRole", name)
    without = [rule for rule in role["rules"] if rule["apiGroups"] != ["policy"]]
    try:
        api.patch("rbac.authorization.k8s.io/v1", "ClusterRole", name, {"rules": without})
        # Watches that run go on; the next one is refused.
        control_plane.restart_apiserver()
        wait_until(
            lambda: WatchedKind.objects.filter(kind="PodDisruptionBudget", state=WatchedKind.State.FORBIDDEN).exists(),
            seconds=PATIENCE,
            otherwise="nobody is refused",
        )
        refused = WatchedKind.objects.get(kind="PodDisruptionBudget")
        assert isinstance(problem_of_text(refused.problem), MayNotList)
    finally:
        api.patch("rbac.authorization.k8s.io/v1", "ClusterRole", name, {"rules": role["rules"]})
    wait_until_followed(cluster, seconds=PATIENCE)

"""oom_score_adj, by the cases that upstream's own arithmetic gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.kubelet import ContainerRole, OomScore, ScoreGround, oom_order, oom_scores

if TYPE_CHECKING:
    from tests.engine.builders import Document

GIB = 2**30
BOTH = {"cpu": "1", "memory": "1Gi"}
ALWAYS: dict[str, Any] = {"restartPolicy": "Always"}


def container(name: str, *, requests: Document | None = None, limits: Document | None = None, **other: Any) -> Document:
    return {"name": name, "resources": {"requests": requests or {}, "limits": limits or {}}, **other}


def asking(name: str, memory: str, **other: Any) -> Document:
    return container(name, requests={"memory": memory}, **other)


def a_pod(*containers: Document, name: str = "web", **spec: Any) -> Document:
    return {"metadata": {"name": name, "namespace": "shop"}, "spec": {"containers": list(containers), **spec}}


def scores(pod: Document, capacity: int | None = 8 * GIB) -> dict[str, int | None]:
    return {each.container: each.score for each in oom_scores(pod, capacity)}


def only(pod: Document, capacity: int | None = 8 * GIB) -> OomScore:
    (found,) = oom_scores(pod, capacity)
    return found


def test_classes_have_scores_of_their_own() -> None:
    guaranteed = only(a_pod(container("main", requests=BOTH, limits=BOTH)))
    best_effort = only(a_pod(container("main")))

    assert (guaranteed.score, guaranteed.ground) == (-997, ScoreGround.GUARANTEED)
    assert (best_effort.score, best_effort.ground) == (1000, ScoreGround.BEST_EFFORT)


def test_critical_pods_of_nodes_have_the_score_of_guaranteed_ones() -> None:
    node = a_pod(container("main"), priority=2_000_001_000, priorityClassName="system-node-critical")
    cluster = a_pod(container("main"), priority=2_000_000_000, priorityClassName="system-cluster-critical")
    named_alone = a_pod(container("main"), priority=0, priorityClassName="system-node-critical")

    assert (only(node).score, only(node).ground) == (-997, ScoreGround.NODE_CRITICAL)
    assert only(cluster).score == only(named_alone).score == 1000


@pytest.mark.parametrize(
    ("memory", "score", "ground"),
    [
        ("0", 999, ScoreGround.MOST),
        ("8388608", 999, ScoreGround.MOST),
        # A thousandth of 8 GiB is 8589934.592 bytes.
        ("8589934", 999, ScoreGround.MOST),
        ("8589935", 999, ScoreGround.REQUEST),
        ("2Gi", 750, ScoreGround.REQUEST),
        ("8166Mi", 4, ScoreGround.REQUEST),
        ("8175Mi", 3, ScoreGround.REQUEST),
        ("9Gi", 3, ScoreGround.LEAST),
    ],
)
def test_burstable_containers_have_a_score_by_their_request(memory: str, score: int, ground: ScoreGround) -> None:
    found = only(a_pod(container("main", requests={"cpu": "1", "memory": memory})))

    assert (found.score, found.ground) == (score, ground)


def test_sidecar_has_no_higher_score_than_the_main_container_that_requests_least() -> None:
    mains = (asking("small", "1Gi"), asking("large", "4Gi"))
    small = a_pod(*mains, initContainers=[asking("proxy", "128Mi", **ALWAYS), asking("setup", "128Mi")])
    large = a_pod(*mains, initContainers=[asking("proxy", "4Gi", **ALWAYS)])

    # An init container that ends has a score by its own request.
    assert scores(small) == {"small": 875, "large": 500, "proxy": 875, "setup": 985}
    assert scores(large)["proxy"] == 500
    assert [each.ground for each in oom_scores(small, 8 * GIB)][2] is ScoreGround.OF_MAIN


def test_containers_share_what_is_requested_at_pod_level_alone() -> None:
    level = {"requests": {"memory": "4Gi"}}
    free = a_pod(container("one"), container("two"), resources=level)
    partly = a_pod(asking("one", "2Gi"), container("two"), resources=level)
    without = a_pod(asking("one", "2Gi"), container("two"), resources={"requests": {"cpu": "1"}})

    assert scores(free) == {"one": 750, "two": 750}
    assert scores(partly) == {"one": 625, "two": 875}
    assert scores(without) == {"one": 750, "two": 999}


def test_pod_level_counts_for_sidecars_and_their_main_containers_alike() -> None:
    level = {"requests": {"memory": "4Gi"}}
    pod = a_pod(asking("main", "1Gi"), initContainers=[container("proxy", **ALWAYS)], resources=level)

    # 3 GiB are left for two: 1.5 GiB each, so that main counts with 2.5 GiB, and proxy with no less.
    assert scores(pod) == {"main": 688, "proxy": 688}


def test_without_the_nodes_memory_only_burstable_containers_have_no_score() -> None:
    assert scores(a_pod(asking("main", "1Gi")), None) == {"main": None}
    assert scores(a_pod(container("main")), None) == {"main": 1000}


def test_ephemeral_containers_request_nothing() -> None:
    pod = a_pod(asking("main", "1Gi"), ephemeralContainers=[{"name": "debug"}])

    assert scores(pod)["debug"] == 999
    assert oom_scores(pod, GIB)[-1].role is ContainerRole.EPHEMERAL


def test_order_begins_with_the_highest_score_and_leaves_finished_pods_out() -> None:
    done = {**a_pod(container("main"), name="done"), "status": {"phase": "Succeeded"}}
    found = oom_order(
        [
            a_pod(container("main", requests=BOTH, limits=BOTH), name="safe"),
            a_pod(asking("large", "4Gi"), asking("small", "1Gi"), name="mixed"),
            done,
            a_pod(container("main"), name="bare"),
        ],
        8 * GIB,
    )

    assert [(each.pod, each.container) for each in found] == [
        ("shop/bare", "main"), ("shop/mixed", "small"), ("shop/mixed", "large"), ("shop/safe", "main"),
    ]  # fmt: skip

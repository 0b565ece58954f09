"""What is known about a budget, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.disruption import Never, ZeroCause, budget_states
from tests.engine.disruption.builders import (
    NODES,
    WEB,
    a_budget,
    a_deployment,
    an_owner,
    leaving,
    reporting,
    running,
    synced,
    the_state,
)

if TYPE_CHECKING:
    from tests.engine.builders import Document


def web(replicas: int, *, healthy: int | None = None) -> list[Document]:
    """A Deployment whose pods lie on node-1, node-2 and so on; the first ``healthy`` of them are ready."""
    deployment, replica_set = a_deployment(replicas)
    ready = replicas if healthy is None else healthy
    pods = [running(f"web-{n}", f"node-{n % 4 + 1}", owner=replica_set, ready=n < ready) for n in range(replicas)]
    return [*NODES, deployment, replica_set, *pods]


@pytest.mark.parametrize(
    ("spec", "replicas", "healthy", "expected", "desired", "allowed"),
    [
        ({"minAvailable": 2}, 3, 3, 3, 2, 1),
        ({"minAvailable": 4}, 3, 3, 3, 4, 0),
        ({"minAvailable": "50%"}, 3, 3, 3, 2, 1),
        ({"minAvailable": "1%"}, 3, 3, 3, 1, 2),
        ({"minAvailable": "100%"}, 3, 3, 3, 3, 0),
        ({"minAvailable": "0%"}, 3, 3, 3, 0, 3),
        ({"minAvailable": 0}, 3, 2, 3, 0, 2),
        ({"maxUnavailable": 1}, 3, 3, 3, 2, 1),
        ({"maxUnavailable": 1}, 3, 2, 3, 2, 0),
        ({"maxUnavailable": 1}, 3, 1, 3, 2, 0),
        ({"maxUnavailable": 5}, 3, 3, 3, 0, 3),
        ({"maxUnavailable": "30%"}, 7, 7, 7, 4, 3),
        ({"maxUnavailable": "34%"}, 3, 3, 3, 1, 2),
        ({"maxUnavailable": 0}, 3, 3, 3, 3, 0),
        ({"maxUnavailable": "0%"}, 3, 3, 3, 3, 0),
        ({}, 3, 3, 0, 0, 0),
        ({"minAvailable": 1, "maxUnavailable": 1}, 3, 3, 3, 2, 1),
    ],
)
def test_the_arithmetic(spec: Document, replicas: int, healthy: int, expected: int, desired: int, allowed: int) -> None:
    computed = the_state(*web(replicas, healthy=healthy), a_budget(**spec)).computed

    assert (computed.expected, computed.healthy, computed.desired, computed.allowed) == (
        expected,
        healthy,
        desired,
        allowed,
    )
    assert (computed.failure, computed.unknown) == ("", "")


@pytest.mark.parametrize("kind", ["ReplicaSet", "StatefulSet", "ReplicationController"])
def test_expected_pods_are_those_that_the_controllers_mean_to_keep(kind: str) -> None:
    first, second = an_owner(kind, "first", replicas=4), an_owner(kind, "second", replicas=None)
    pods = [running("p1", "node-1", owner=first), running("p2", "node-1", owner=first), running("p3", owner=second)]
    state = the_state(*NODES, first, second, *pods[:2], a_budget(maxUnavailable="50%"), others=pods[2:])

    assert (state.computed.expected, state.scale.replicas, state.pods) == (5, 5, 3)
    assert (state.computed.desired, state.computed.allowed) == (2, 1)


def test_two_replica_sets_of_a_deployment_count_once() -> None:
    deployment, old = a_deployment(3)
    new = an_owner("ReplicaSet", "web-2", replicas=2, of=deployment)
    pods = [running("a", "node-1", owner=old), running("b", "node-2", owner=new)]

    assert the_state(deployment, old, new, *NODES, *pods, a_budget(maxUnavailable=1)).computed.expected == 3
    assert the_state(old, new, *NODES, *pods, a_budget(maxUnavailable=1)).computed.expected == 5


@pytest.mark.parametrize(
    ("owner", "failure", "unknown"),
    [
        (an_owner("DaemonSet", "d"), "daemonsets.apps does not implement the scale subresource", ""),
        (an_owner("ReplicaSet", "unknown"), "", "ReplicaSet unknown"),
        ({**an_owner("Rollout", "r"), "apiVersion": "argoproj.io/v1alpha1"}, "", "the scale of Rollout r"),
        ({**an_owner("ReplicaSet", "r"), "apiVersion": "example.com/v1"}, "", "the scale of ReplicaSet r"),
    ],
)
def test_controllers_without_a_known_scale(owner: Document, failure: str, unknown: str) -> None:
    pod = running("p", "node-1", owner=owner)
    computed = the_state(*NODES, pod, a_budget(maxUnavailable=1)).computed

    assert (computed.failure, computed.unknown, computed.expected) == (failure, unknown, None)
    assert computed.allowed == (0 if failure else None)
    assert the_state(*NODES, pod, a_budget(minAvailable=0)).computed.allowed == 1


@pytest.mark.parametrize("uid", ["another", None])
def test_a_controller_that_was_replaced_is_not_the_pods(uid: str | None) -> None:
    _, replica_set = a_deployment(3)
    present = {**replica_set, "metadata": {**replica_set["metadata"], "uid": uid, "name": "web-1"}}
    other = an_owner("ReplicaSet", "other", replicas=1)
    computed = the_state(
        *NODES, other, present, running("p", owner=replica_set, node="node-1"), a_budget(maxUnavailable=1)
    )

    assert computed.computed.failure == ('found no controllers for pod "p"' if uid else "")


@pytest.mark.parametrize("amount", ["three", "x%", "5"])
def test_an_amount_that_is_none_fails(amount: str) -> None:
    computed = the_state(*web(3), a_budget(maxUnavailable=amount)).computed

    assert computed.allowed == 0
    assert computed.failure.startswith("invalid value for IntOrString: ")


def test_pods_that_leave_or_were_granted_to_an_eviction_are_not_healthy() -> None:
    objects = web(4)
    objects[-1] = leaving(objects[-1])
    budget = reporting(a_budget(maxUnavailable=2), disruptedPods={"web-0": "2026-01-01T00:00:00Z"})
    state = the_state(*objects, budget)

    assert (state.computed.healthy, state.computed.allowed, state.terminating, state.unhealthy) == (2, 0, 1, ())


def test_pods_by_node_and_zone() -> None:
    objects = web(5, healthy=4)
    state = the_state(*objects, a_budget(maxUnavailable=1), others=[running("waiting", ready=False, phase="Pending")])

    assert state.nodes.names == ("node-1", "node-2", "node-3", "node-4")
    assert state.nodes.pods.tolist() == [2, 1, 1, 1]
    assert state.nodes.healthy.tolist() == [1, 1, 1, 1]
    assert [(each.zone, each.pods, each.healthy) for each in state.zones] == [("a", 2, 2), ("b", 3, 2)]
    assert state.unhealthy == ("default/waiting", "default/web-4")
    assert (state.pods, state.unmanaged) == (6, ("default/waiting",))


def test_a_drain_is_not_blocked_where_more_pods_lie_than_may_go_at_once() -> None:
    _, replica_set = a_deployment(4)
    objects = [
        *web(4)[:-4],
        *(running(f"p{n}", node, owner=replica_set) for n, node in enumerate(("node-1", "node-1", "node-2"))),
    ]
    objects.append(running("starts", "node-3", owner=replica_set, phase="Pending", ready=False))
    state = the_state(*objects, synced(a_budget(maxUnavailable=2), *objects))

    assert state.budget.grants == 1
    assert state.nodes.blocked == ()
    assert state.nodes.refused.tolist() == [0, 0, 0]
    assert state.cause is None


def test_pods_of_a_daemon_set_do_not_block_a_drain() -> None:
    agent = an_owner("DaemonSet", "agent")
    state = the_state(*NODES, running("agent-1", "node-1", owner=agent), a_budget(minAvailable=1))

    assert state.nodes.blocked == ()


@pytest.mark.parametrize(
    ("policy", "status", "blocked"),
    [
        ("AlwaysAllow", {"currentHealthy": 0, "desiredHealthy": 2}, ()),
        ("IfHealthyBudget", {"currentHealthy": 0, "desiredHealthy": 2}, ("node-1", "node-2")),
        ("IfHealthyBudget", {"currentHealthy": 2, "desiredHealthy": 2}, ()),
    ],
)
def test_unhealthy_pods_and_drains(policy: str, status: Document, blocked: tuple[str, ...]) -> None:
    budget = a_budget(minAvailable=2, unhealthyPodEvictionPolicy=policy)
    state = the_state(*web(2, healthy=0), reporting(budget, disruptionsAllowed=0, **status))

    assert state.nodes.blocked == blocked


def test_pods_under_two_budgets_can_not_be_evicted_at_all() -> None:
    objects = web(3)
    first, second = (synced(a_budget(name, maxUnavailable=2), *objects) for name in ("one", "two"))
    other = running("other", "node-4", labels={"app": "other", "tier": "x"})
    third = a_budget("three", labels={"tier": "x"}, minAvailable=0)
    states = {
        each.budget.name: each for each in budget_states(Snapshot.from_objects([*objects, first, second, other, third]))
    }

    assert states["one"].shared == states["two"].shared == ("default/web-0", "default/web-1", "default/web-2")
    assert (states["one"].overlapping, states["two"].overlapping) == (("two",), ("one",))
    assert states["one"].nodes.blocked == ("node-1", "node-2", "node-3")
    assert (states["three"].shared, states["three"].overlapping) == ((), ())


def test_budgets_share_only_pods_that_are_still_there() -> None:
    both = running("both", "node-1", labels={"app": "web", "tier": "x"})
    objects = [*NODES, both, running("web", "node-1"), a_budget(), a_budget("tier", labels={"tier": "x"})]
    snapshot = Snapshot.from_objects(objects)
    assert [each.overlapping for each in budget_states(snapshot)] == [("web",), ("tier",)]
    snapshot.delete(both)

    assert [each.overlapping for each in budget_states(snapshot)] == [(), ()]


@pytest.mark.parametrize(
    ("spec", "replicas", "expected"),
    [
        ({"maxUnavailable": 0}, 3, Never.NONE_UNAVAILABLE),
        ({"maxUnavailable": "0%"}, 3, Never.NONE_UNAVAILABLE),
        ({"minAvailable": 3}, 3, Never.ALL_AVAILABLE),
        ({"minAvailable": 4}, 3, Never.MORE_THAN_REPLICAS),
        ({"minAvailable": "100%"}, 3, Never.ALL_AVAILABLE),
        ({"minAvailable": "90%"}, 3, Never.ALL_AVAILABLE),
        ({"minAvailable": "60%"}, 1, Never.ALL_AVAILABLE),
        ({}, 3, Never.NOTHING_ASKED),
        ({"minAvailable": 2}, 3, None),
        ({"minAvailable": "60%"}, 3, None),
        ({"maxUnavailable": "1%"}, 3, None),
        ({"maxUnavailable": 3}, 3, None),
        ({"maxUnavailable": "much"}, 3, None),
    ],
)
def test_budgets_that_never_allow_anything(spec: Document, replicas: int, expected: Never | None) -> None:
    objects = web(replicas)
    state = the_state(*objects, a_budget(**spec))

    assert state.never is expected
    if expected:
        assert state.cause is ZeroCause.NEVER
        assert state.is_blocker
        assert state.computed.allowed == 0


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"maxUnavailable": 1}, Never.UNMANAGED),
        ({"minAvailable": "50%"}, Never.UNMANAGED),
        ({"minAvailable": 2}, Never.ALL_AVAILABLE),
        ({"minAvailable": 1}, None),
    ],
)
def test_bare_pods_are_counted_only_by_a_number(spec: Document, expected: Never | None) -> None:
    state = the_state(*NODES, running("a", "node-1"), running("b", "node-2"), a_budget(**spec))

    assert state.never is expected
    assert state.computed.allowed == (1 if expected is None else 0)
    assert state.unmanaged == ("default/a", "default/b")


def causes() -> dict[ZeroCause | None, list[Document]]:
    """A cluster for each cause; the budget is the last object and has no status yet unless it says so."""
    deployment, old = a_deployment(3)
    new = an_owner("ReplicaSet", "web-2", replicas=2, of=deployment)
    rollout = [
        *(running(f"old-{n}", "node-1", owner=old, labels={**WEB, "pod-template-hash": "1"}) for n in range(2)),
        running("new-1", "node-2", owner=new, labels={**WEB, "pod-template-hash": "2"}, ready=False),
    ]
    behind = reporting(a_budget(maxUnavailable=1), expectedPods=3, currentHealthy=2, desiredHealthy=2)
    stale = {**synced(a_budget(maxUnavailable=1), *web(3)), "metadata": {**a_budget()["metadata"], "generation": 2}}
    failed = {"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed", "message": "no match for kind"}
    custom = {**an_owner("Rollout", "r"), "apiVersion": "argoproj.io/v1alpha1"}
    going = [*web(3)[:-1], leaving(web(3)[-1])]
    short = web(3)[:-1]

    def with_budget(objects: list[Document], **spec: Any) -> list[Document]:
        return [*objects, synced(a_budget(**spec), *objects)]

    return {
        None: with_budget(web(3), maxUnavailable=1),
        ZeroCause.NEVER: with_budget(web(3, healthy=1), maxUnavailable=0),
        ZeroCause.SYNC_FAILED: [*web(3), reporting(a_budget(maxUnavailable=1), conditions=[failed])],
        ZeroCause.NOT_OBSERVED: [*web(3), stale],
        ZeroCause.NO_PODS: with_budget([*NODES], maxUnavailable=0),
        ZeroCause.ROLLOUT: with_budget([*NODES, deployment, old, new, *rollout], maxUnavailable=1),
        ZeroCause.EVICTING: with_budget(going, maxUnavailable=1),
        ZeroCause.UNHEALTHY: with_budget(web(3, healthy=2), maxUnavailable=1),
        ZeroCause.MISSING: with_budget(short, maxUnavailable=1),
        ZeroCause.BEHIND: [*web(3), behind],
        ZeroCause.UNKNOWN: [
            *NODES,
            running("p", "node-1", owner=custom),
            reporting(a_budget(maxUnavailable=1), expectedPods=1, currentHealthy=1, desiredHealthy=1),
        ],
    }


@pytest.mark.parametrize("cause", [None, *ZeroCause])
def test_why_nothing_may_go_now(cause: ZeroCause | None) -> None:
    state = the_state(*causes()[cause])

    assert state.cause is cause
    assert state.is_blocker == (cause in (ZeroCause.NEVER, ZeroCause.SYNC_FAILED))


@pytest.mark.parametrize(("revisions", "cause"), [("12", ZeroCause.ROLLOUT), ("11", ZeroCause.UNHEALTHY)])
def test_a_stateful_set_rolls_out_pod_by_pod(revisions: str, cause: ZeroCause) -> None:
    owner = an_owner("StatefulSet", "db", replicas=2)
    pods = [
        running(
            f"db-{n}", "node-1", owner=owner, labels={**WEB, "controller-revision-hash": f"db-{revision}"}, ready=n > 0
        )
        for n, revision in enumerate(revisions)
    ]
    budget = synced(a_budget(maxUnavailable=1), *NODES, owner, *pods)

    assert the_state(*NODES, owner, *pods, budget).cause is cause


def test_a_status_that_does_not_follow_from_the_objects() -> None:
    assert not the_state(*causes()[None]).differs
    assert the_state(*causes()[ZeroCause.BEHIND]).differs


def test_blockers_come_first() -> None:
    objects = web(3)
    never = synced(a_budget("z-never", maxUnavailable=0), *objects)
    loose = synced(a_budget("a-loose", maxUnavailable=3, labels={"app": "none"}), *objects)

    assert [each.budget.name for each in budget_states(Snapshot.from_objects([*objects, loose, never]))] == [
        "z-never",
        "a-loose",
    ]

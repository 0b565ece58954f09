"""The queue of a sandbox: pod by pod and all at once, preemption, and each attempt explained as it was made."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine.sandbox import (
    MOST_ACTS,
    ActKind,
    SandboxCluster,
    SandboxHistory,
    Spread,
    WorkloadFields,
    WorkloadKind,
    explain_attempt,
    last_message,
    put,
    run_queue,
)
from clusters.engine.simulation import Outcome
from tests.engine.lessons.clusters import node, pod, priority_class
from tests.engine.sandbox.sandboxes import built, nodes_of, pods_of, scheduled


def one_more(history: SandboxHistory) -> SandboxHistory:
    return history.scheduled(run_queue(SandboxCluster(history.run_base), history.run_attempts + 1))


def test_each_pod_goes_where_the_explanation_of_its_attempt_says() -> None:
    web = WorkloadFields(WorkloadKind.DEPLOYMENT, "web", "1", "64Mi", replicas=5, spread=Spread.ZONES).manifests()
    cluster = built(node("a", zone="x"), node("b", zone="y"), node("c", zone="y"), *web)
    run = run_queue(cluster)

    assert [attempt.outcome for attempt in run.attempts] == [Outcome.PLACED] * 5
    assert run.is_over
    for attempt in run.attempts:
        explanation = explain_attempt(cluster, attempt.number)
        assert explanation.pod.key == attempt.pod
        assert attempt.node in explanation.best
    placed = {
        f"default/{each['metadata']['name']}": each["spec"]["nodeName"]
        for each in pods_of(SandboxCluster(run.objects), "web")
    }
    assert placed == {attempt.pod: attempt.node for attempt in run.attempts}


def test_a_pod_that_no_node_takes_keeps_the_words_of_the_scheduler() -> None:
    after = scheduled(node("a"), pod("huge", cpu="64"))
    [huge] = pods_of(after, "huge")

    assert last_message(huge).startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert last_message(huge) == after.explain("default/huge").message


def test_pods_of_higher_priority_go_first_and_preempt_others() -> None:
    low = WorkloadFields(WorkloadKind.DEPLOYMENT, "low", "2", "64Mi", replicas=2).manifests()
    full = scheduled(node("a"), *low)
    cluster = SandboxCluster(
        put(full, [priority_class("high", 1000), pod("vip", cpu="3", priorityClassName="high")]).objects
    )
    run = run_queue(cluster)

    first, second = run.attempts[:2]
    assert (first.outcome, first.node, len(first.victims)) == (Outcome.UNSCHEDULABLE, "a", 2)
    assert (second.pod, second.outcome, second.node) == ("default/vip", Outcome.PLACED, "a")
    after = SandboxCluster(run.objects)
    assert nodes_of(after, "vip") == ["a"]
    # Their controller recreates the victims, which are unschedulable now.
    assert nodes_of(after, "low") == ["", ""]


def test_one_attempt_after_the_other_ends_as_all_at_once_do() -> None:
    low = WorkloadFields(WorkloadKind.DEPLOYMENT, "low", "2", "64Mi", replicas=3).manifests()
    full = scheduled(node("a"), *low)
    more = [priority_class("high", 1000), pod("vip", cpu="3", priorityClassName="high"), pod("small", cpu="1")]
    history = SandboxHistory(put(full, more).objects)
    whole = history.scheduled(run_queue(SandboxCluster(history.run_base)))
    steps = [history]
    while (after := one_more(steps[-1])) is not steps[-1]:
        steps.append(after)

    assert steps[-1].objects == whole.objects
    assert [attempt for act in steps[-1].acts for attempt in act.attempts] == list(whole.acts[-1].attempts)
    # Each is taken back by itself.
    for before, after in pairwise(steps):
        assert after.undone().objects == before.objects


def test_a_pod_that_no_node_takes_does_not_stand_in_the_way_of_the_next() -> None:
    history = SandboxHistory(
        built(node("a"), priority_class("high", 9), pod("huge", cpu="64", priorityClassName="high"), pod("web")).objects
    )
    history = one_more(one_more(history))

    assert nodes_of(SandboxCluster(history.objects), "web") == ["a"]
    assert one_more(history) is history
    # Once the cluster changes it is tried again.
    larger = put(SandboxCluster(history.objects), [node("b", capacity={"cpu": "128"})]).objects
    history = one_more(history.done(ActKind.ADDED, "Node/b", larger))
    assert nodes_of(SandboxCluster(history.objects), "huge") == ["b"]


def test_the_attempt_of_a_pod_is_found_with_the_cluster_in_which_it_was_made() -> None:
    history = one_more(one_more(SandboxHistory(built(node("a"), pod("one"), pod("two")).objects)))
    found = history.attempt_of("default/two")

    assert found is not None
    explanation = explain_attempt(SandboxCluster(found.objects), found.attempt.number)
    # The first one is on the node by then.
    assert explanation.snapshot.placed_on("default/one") == "a"
    assert history.attempt_of("default/three") is None
    assert history.undone().attempt_of("default/two") is None


def test_so_many_acts_are_remembered_and_what_was_done_before_stays_done() -> None:
    history = SandboxHistory(built(node("a"), pod("web")).objects)
    history = one_more(history)
    for number in range(MOST_ACTS):
        objects = put(SandboxCluster(history.base), [priority_class(f"class-{number}", number)]).objects
        history = history.done(ActKind.ADDED, f"class-{number}", {**history.objects, **objects})

    assert len(history.acts) == MOST_ACTS
    assert len([name for name in history.objects if name.kind == "PriorityClass"]) == MOST_ACTS


@settings(max_examples=15)
@given(
    replicas=st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["500m", "1", "3", "9"])), min_size=1, max_size=3),
    nodes=st.integers(0, 3),
    most=st.integers(0, 6),
)
def test_what_is_pending_is_what_no_attempt_placed(replicas: list[tuple[int, str]], nodes: int, most: int) -> None:
    workloads = [
        manifest
        for number, (count, cpu) in enumerate(replicas)
        for manifest in WorkloadFields(WorkloadKind.DEPLOYMENT, f"w{number}", cpu, "64Mi", replicas=count).manifests()
    ]
    cluster = built(*(node(f"n{number}") for number in range(nodes)), *workloads)
    run = run_queue(cluster, most)
    after = SandboxCluster(run.objects)

    assert len(run.attempts) <= most
    assert set(after.objects) == set(cluster.objects)
    placed = {attempt.pod for attempt in run.attempts if attempt.outcome is Outcome.PLACED}
    pending = {f"default/{each['metadata']['name']}" for each in after.situation.pending}
    assert placed.isdisjoint(pending)
    assert placed | pending == set(after.pods)


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        (["v1.34.1"], "1 node(s) had untolerated taint {k: v}"),
        (["v1.34.1", "v1.34.9+k3s1"], "2 node(s) had untolerated taint(s)"),
    ],
)
def test_the_patch_of_the_newest_kubelet_decides(versions: list[str], said: str) -> None:
    taints = [{"key": "k", "value": "v", "effect": "NoSchedule"}]
    tainted = [node(f"n{number}", taints=taints) for number in range(len(versions))]
    for each, version in zip(tainted, versions, strict=True):
        each["status"]["nodeInfo"] = {"kubeletVersion": version}

    assert said in str(built(*tainted, pod("web")).explain("default/web").message)

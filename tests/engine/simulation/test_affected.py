"""The workloads and budgets that are the worse after a zone is lost, or nodes are drained."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.objects import key_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.simulation import (
    Affected,
    AffectedWorkload,
    Quorum,
    RunningPods,
    Simulation,
    affected,
    newly_pending,
    running_pods,
)
from clusters.engine.simulation.outcome import HealthyPods
from tests.engine.builders import Document, a_node
from tests.engine.simulation.changing import after, owned

KAFKA = Workload("default", "StatefulSet", "kafka")


def stateful_set(name: str, replicas: int) -> Document:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}"}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": {"replicas": replicas}}


def budget(name: str, least: int) -> Document:
    spec = {"minAvailable": least, "selector": {"matchLabels": {"app": name}}}
    return {"kind": "PodDisruptionBudget", "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def kafka(*nodes: str, cpu: str = "2") -> list[Document]:
    return [
        owned(f"kafka-{n}", "kafka", node, kind="StatefulSet", requests={"cpu": cpu}, labels={"app": "kafka"},
              status={"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]})
        for n, node in enumerate(nodes)
    ]  # fmt: skip


def cluster(cpu: str) -> list[Document]:
    return [a_node("a", zone="x", allocatable={"cpu": "8"}), a_node("b", zone="y", allocatable={"cpu": cpu})]


def found_of(base: list[Document], change: Document) -> tuple[Affected, tuple[str, ...]]:
    case = after(base, change).case
    simulation = Simulation(case)
    for _ in simulation:
        pass
    pending = newly_pending(simulation.waiting, {key_of(each.pod): each.origin for each in case.wanted})
    workloads = {}
    for key in pending:
        pod = simulation.document_of(key)
        workloads[key] = Workload.of("default", Controller.of(pod), "")
    waiting = [simulation.document_of(key) for key in simulation.waiting]
    before = running_pods(Snapshot.from_objects(base))
    return affected(before, running_pods(simulation.snapshot, waiting), workloads), pending


def lost(how: str = "gone") -> Document:
    return {"change": "lose-zone", "zone": "x", "how": how}


def test_a_stateful_set_without_a_majority_afterwards_loses_its_quorum_and_breaks_its_budget() -> None:
    base = [*cluster("6"), stateful_set("kafka", 5), budget("kafka", 4), *kafka("a", "a", "a", "b", "b")]

    # One of three fits beside the two that stay: 3 of 5 are a majority.
    enough, _ = found_of(base, lost())
    none, pending = found_of([a_node("b", zone="y", allocatable={"cpu": "4"}), *base[:1], *base[2:]], lost())

    assert enough.workloads == (AffectedWorkload(KAFKA, 5, 5, 3, 3, 2, Quorum.INTERRUPTED),)
    assert none.workloads == (AffectedWorkload(KAFKA, 5, 5, 3, 2, 3, Quorum.LOST),)
    assert len(pending) == none.workloads[0].pending == none.workloads[0].missing
    assert [(each.key, each.desired, each.before, each.after) for each in none.budgets] == [("default/kafka", 4, 5, 2)]


def test_a_minority_is_no_quorum_and_pairs_have_none() -> None:
    base = [*cluster("2"), stateful_set("kafka", 3), *kafka("a", "b", "b", cpu="1")]
    pair = [*cluster("1"), stateful_set("kafka", 2), *kafka("a", "b", cpu="1")]

    assert [each.quorum for each in found_of(base, lost())[0].workloads] == [Quorum.KEPT]
    assert [(each.after, each.quorum) for each in found_of(pair, lost())[0].workloads] == [(1, Quorum.KEPT)]


def test_pods_on_nodes_that_stop_reporting_do_not_run() -> None:
    """One that tolerates the taint for good stays there: it is not evicted, and not running either."""
    tolerant: dict[str, Any] = {"tolerations": [{"operator": "Exists"}]}
    base = [
        *cluster("8"),
        owned("web-1", "web", "a", requests={"cpu": "1"}, **tolerant),
        owned("web-2", "web", "b", requests={"cpu": "1"}),
        owned("agent-a", "agent", "a", kind="DaemonSet", requests={"cpu": "1"}, **tolerant),
        owned("agent-b", "agent", "b", kind="DaemonSet", requests={"cpu": "1"}, **tolerant),
    ]

    (web,) = found_of(base, lost("unreachable"))[0].workloads

    assert (web.workload.name, web.before, web.after, web.missing, web.pending) == ("web", 2, 1, 1, 0)


def test_replicas_that_are_not_wanted_any_more_are_not_missed() -> None:
    base = [*cluster("8"), stateful_set("kafka", 3), *kafka("a", "a", "b")]
    scaled = {"change": "scale", "kind": "StatefulSet", "namespace": "default", "name": "kafka", "replicas": 1}

    found, _ = found_of(base, scaled)

    assert found == Affected((), ())


def test_a_pod_that_nothing_controls_is_a_workload_of_its_own() -> None:
    alone = kafka("a")[0]
    del alone["metadata"]["ownerReferences"]

    (each,) = found_of([*cluster("8"), alone], lost())[0].workloads

    assert (each.workload, each.is_stopped, each.missing) == (Workload("default", "Pod", "kafka-0"), True, 1)


PODS = st.dictionaries(
    st.sampled_from([f"default/p{n}" for n in range(12)]), st.sampled_from(["n1", "n2", "n3"]), max_size=12
)


def moment(nodes: dict[str, str], ready: set[str]) -> RunningPods:
    workloads = {key: Workload("default", "StatefulSet", f"w{int(key[9:]) % 3}") for key in nodes}
    running = {key: node for key, node in nodes.items() if node in ready}
    replicas = {Workload("default", "StatefulSet", f"w{n}"): 4 for n in range(3)}
    healthy = {"default/b": HealthyPods(len(running), 5)}
    return RunningPods(running, {key: workloads[key] for key in running}, replicas, frozenset(ready), healthy)


@given(PODS, PODS, st.sets(st.sampled_from(["n1", "n2", "n3"])))
def test_numbers_add_up(earlier: dict[str, str], later: dict[str, str], ready: set[str]) -> None:
    before, end = moment(earlier, {"n1", "n2", "n3"}), moment(later, ready)
    waits = {key: Workload("default", "StatefulSet", f"w{int(key[9:]) % 3}") for key in later if key not in end.nodes}

    found = affected(before, end, waits)

    assert sum(each.pending for each in found.workloads) == len(waits)
    ran, runs = Counter(before.workloads.values()), Counter(end.workloads.values())
    assert {each.workload for each in found.workloads} >= {each for each in ran if runs[each] < ran[each]}
    for each in found.workloads:
        assert (each.before, each.after) == (ran[each.workload], runs[each.workload])
        assert each.quorum is not Quorum.LOST or each.after < 3 <= each.before
    missing = [each.missing for each in found.workloads if each.quorum is Quorum.KEPT and not each.is_stopped]
    assert missing == sorted(missing, reverse=True)
    assert bool(found.budgets) == (len(earlier) >= 5 > len(end.nodes))

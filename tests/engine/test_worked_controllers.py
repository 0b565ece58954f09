"""Worked examples of the documentation, by number: what the controllers of workloads do."""

from __future__ import annotations

from itertools import islice
from typing import Any

from hypothesis import given, strategies as st
from msgspec.structs import replace

from clusters.engine.rollout import plan_of
from clusters.engine.simulation import AwaitsOrdinal, Case, Origin, Outcome, Simulation, Wanted
from clusters.engine.workloads import Ordinals
from clusters.engine.workloads.pods import MAX_REPLICAS, OrdinalStep, SizedReplicaSet, proportional_sizes
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.changing import a_workload, after, owned, texts, wanted
from tests.support.answers import known

OLD, NEW = SizedReplicaSet("old", 8, "2026-01-01", 13), SizedReplicaSet("new", 5, "2026-01-02", 13)


def rolling_out() -> list[dict[str, Any]]:
    """A rollout of 10 replicas, surge 3 and unavailable 2, stopped by a bad image: 8 old pods, and 5 new ones."""

    def document(kind: str, name: str, **spec: Any) -> dict[str, Any]:
        owners = [{"kind": "Deployment", "name": "web", "controller": True}] if kind == "ReplicaSet" else []
        created = f"2026-01-0{1 if name == 'web-old' else 2}T00:00:00Z"
        noted = {MAX_REPLICAS: "13"} if kind == "ReplicaSet" else {}
        fields = {"name": name, "namespace": "default", "ownerReferences": owners, "creationTimestamp": created,
                  "annotations": noted}  # fmt: skip
        return {"apiVersion": "apps/v1", "kind": kind, "metadata": fields, "spec": spec}

    pace = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 3, "maxUnavailable": 2}}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    pods = [
        owned(f"{revision}-{number}", f"web-{revision}", "n1", labels={"app": "web", "pod-template-hash": revision},
              status=ready if revision == "old" else {"phase": "Pending"}, requests={"cpu": cpu})
        for revision, count, cpu in (("old", 8, "10m"), ("new", 5, "20m"))
        for number in range(count)
    ]  # fmt: skip
    return [
        a_node("n1"),
        document("Deployment", "web", replicas=10, strategy=pace),
        document("ReplicaSet", "web-old", replicas=8),
        document("ReplicaSet", "web-new", replicas=5),
        *pods,
    ]


SCALE = {"change": "scale", "kind": "Deployment", "namespace": "default", "name": "web"}


def test_e66_a_deployment_that_is_scaled_in_a_rollout_grows_in_proportion() -> None:
    plan = known(plan_of(rolling_out()[1], "Deployment", 10))
    assert (plan.most, plan.fewest) == (13, 8)
    assert proportional_sizes([OLD, NEW], desired=15, surge=3) == {"old": 11, "new": 7}

    made = after(rolling_out(), {**SCALE, "replicas": 15})

    assert wanted(made.case) == [*(f"web-old-more-{n}" for n in (1, 2, 3)), *(f"web-new-more-{n}" for n in (1, 2))]
    requests = [each.pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] for each in made.case.wanted]
    assert requests == ["10m"] * 3 + ["20m"] * 2
    sizes = {}
    for kind, name in (("Deployment", "web"), ("ReplicaSet", "web-old"), ("ReplicaSet", "web-new")):
        sizes[name] = known(made.case.snapshot.object(kind, name, "default"))["spec"]["replicas"]
    assert sizes == {"web": 15, "web-old": 11, "web-new": 7}
    assert any("web-old: 8 → 11" in text and "web-new: 5 → 7" in text for text in texts(made))
    assert all(step.outcome is Outcome.PLACED for step in Simulation(made.case))


def test_e66_fewer_replicas_are_taken_in_proportion_too() -> None:
    left = [key.split("/")[1].split("-")[0] for key in after(rolling_out(), {**SCALE, "replicas": 5}).case.placed]
    assert proportional_sizes([OLD, NEW], desired=5, surge=3) == {"old": 5, "new": 3}
    assert (left.count("old"), left.count("new")) == (5, 3)
    assert proportional_sizes([OLD, NEW], desired=0, surge=3) == {"old": 0, "new": 0}


def test_e66_without_a_note_of_what_was_allowed_the_deployments_own_count_of_replicas_stands_for_it() -> None:
    documents = rolling_out()
    deployment = next(each for each in documents if each["kind"] == "Deployment")
    for each in documents:
        each["metadata"].pop("annotations", None)

    # Of no replicas there are no parts: the largest ReplicaSet takes all that is to come.
    assert [name[:7] for name in wanted(after(documents, {**SCALE, "replicas": 15}).case)] == ["web-old"] * 5
    deployment["status"] = {"replicas": 13}
    names = wanted(after(documents, {**SCALE, "replicas": 15}).case)
    assert [name[:7] for name in names] == ["web-old"] * 3 + ["web-new"] * 2


@given(st.lists(st.integers(1, 30), min_size=1, max_size=4), st.integers(0, 60), st.integers(0, 10))
def test_e66_the_sum_is_what_the_deployment_allows_and_shares_hold_within_a_replica(
    replicas: list[int], desired: int, surge: int
) -> None:
    """As far as the ReplicaSets held all that was allowed before."""
    total = sum(replicas)
    sets = [SizedReplicaSet(f"s{number}", count, f"{number}", total) for number, count in enumerate(replicas)]

    sizes = proportional_sizes(sets, desired=desired, surge=surge)

    most = desired + surge if desired else 0
    assert sum(sizes.values()) == most
    largest = max(sets, key=lambda each: each.replicas).replicas
    for each in sets:
        if each.replicas < largest:
            assert abs(sizes[each.name] - each.replicas * most / total) <= len(sets)


# -- ReplicaSets -------------------------------------------------------------------------------------------------------


def frontend(replicas: int) -> dict[str, Any]:
    return {"change": "add-workload", "manifest": a_workload("ReplicaSet", "frontend", replicas=replicas)}


def bare(name: str, app: str = "frontend", node: str | None = "n1", **more: Any) -> dict[str, Any]:
    made = a_pod(name, node=node, labels={"app": app}, **more)
    made["status"] = {"phase": "Running" if node else "Pending"}
    return made


def test_e65_a_replica_set_adopts_the_pods_that_match_and_creates_the_rest() -> None:
    others = [bare("other", "backend"), owned("web", "web-h", "n1", labels={"app": "frontend"})]
    ended = bare("ended")
    ended["status"] = {"phase": "Succeeded"}

    made = after([a_node("n1"), bare("pod1"), bare("pod2"), *others, ended], frontend(3))

    assert wanted(made.case) == ["frontend-1"]
    owners = {
        key: [each["name"] for each in pod["metadata"].get("ownerReferences", ())]
        for key, pod in made.case.placed.items()
    }
    assert owners["default/pod1"] == owners["default/pod2"] == ["frontend"]
    assert owners["default/other"] == []
    assert owners["default/web"] == ["web-h"]
    assert texts(made) == ["ReplicaSet default/frontend adopts 2 pods."]


def test_e65_of_more_pods_than_it_wants_some_are_deleted_and_pending_ones_first() -> None:
    made = after([a_node("n1"), bare("pod1"), bare("waits", node=None)], frontend(1))

    assert wanted(made.case) == []
    assert list(made.case.placed) == ["default/pod1"]
    assert texts(made)[0].endswith("and deletes 1.")


def test_e65_a_pending_pod_is_adopted_as_it_waits() -> None:
    made = after([a_node("n1"), bare("waits", node=None)], frontend(2))

    assert wanted(made.case) == ["waits", "frontend-1"]
    assert made.case.wanted[0].pod["metadata"]["ownerReferences"][0]["name"] == "frontend"


# -- StatefulSets ------------------------------------------------------------------------------------------------------


def ordinals(replicas: int, policy: str = "OrderedReady", start: int = 0) -> Ordinals:
    spec = {"replicas": replicas, "podManagementPolicy": policy, "ordinals": {"start": start}}
    return Ordinals.of({"kind": "StatefulSet", "metadata": {"name": "web"}, "spec": spec})


def test_e68_ordinals_are_created_one_after_the_other_and_deleted_from_the_highest() -> None:
    three, one = ordinals(3), ordinals(1)

    assert three.step({}) == OrdinalStep(created=(0,))
    assert three.step({0: False}) == OrdinalStep(waits_for=0)
    assert three.step({0: True}) == OrdinalStep(created=(1,))
    assert three.step({0: True, 1: True}) == OrdinalStep(created=(2,))
    assert three.step({0: False, 1: True}) == OrdinalStep(waits_for=0), "web-0 fails before web-2 exists"
    assert three.step({0: True, 1: True, 2: True}) == OrdinalStep()
    assert one.step({0: True, 1: True, 2: True}) == OrdinalStep(deleted=(2,))
    assert one.step({0: True, 1: True}) == OrdinalStep(deleted=(1,))
    assert one.step({0: False, 1: True}) == OrdinalStep(waits_for=0), "web-0 fails before web-1 is deleted"


def test_e68_a_condemned_ordinal_that_is_not_ready_goes_when_it_is_the_first_of_them() -> None:
    assert ordinals(1).step({0: True, 1: True, 2: False}) == OrdinalStep(deleted=(2,))
    assert ordinals(1).step({0: True, 1: False, 2: False}) == OrdinalStep(waits_for=1)


def test_e68_parallel_waits_for_none_and_ordinals_may_start_later() -> None:
    assert ordinals(3, "Parallel").step({1: False}) == OrdinalStep(created=(0, 2))
    assert ordinals(1, "Parallel").step({0: False, 1: True, 2: True}) == OrdinalStep(deleted=(2, 1))
    assert ordinals(2, start=5).step({}) == OrdinalStep(created=(5,))
    assert ordinals(2, start=5).step({0: True, 5: True, 6: True}) == OrdinalStep(deleted=(0,))
    assert list(islice(ordinals(3, start=5).free({6}), 3)) == [5, 7, 8]


@given(st.integers(0, 5), st.dictionaries(st.integers(0, 6), st.booleans()))
def test_e68_an_ordered_set_does_one_thing_at_a_time_and_comes_to_its_end(
    replicas: int, given_ready: dict[int, bool]
) -> None:
    """Whatever it waits for becomes ready in the end."""
    found, ready = ordinals(replicas), dict(given_ready)
    for _ in range(50):
        step = found.step(ready)
        assert len(step.created) + len(step.deleted) + (step.waits_for is not None) <= 1
        if step.waits_for is not None:
            assert ready[step.waits_for] is False
            ready[step.waits_for] = True
        for number in step.created:
            assert all(ready.get(before) for before in range(number))
            ready[number] = False
        for number in step.deleted:
            assert number == max(ready)
            del ready[number]
        if step == OrdinalStep():
            break
    assert sorted(ready) == list(range(replicas))


def test_e68_a_simulation_fills_missing_ordinals_and_says_for_whom_the_set_waits() -> None:
    spec = {"replicas": 2, "ordinals": {"start": 1}}
    stateful_set = {"kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"}, "spec": spec}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    pods = [
        owned("web-1", "web", "n1", kind="StatefulSet"),
        owned("web-3", "web", "n1", kind="StatefulSet", status=ready),
    ]
    scale = {"change": "scale", "kind": "StatefulSet", "namespace": "default", "name": "web", "by": 2}

    made = after([a_node("n1"), stateful_set, *pods], scale)
    parallel = {**stateful_set, "spec": {**spec, "podManagementPolicy": "Parallel"}}

    assert wanted(made.case) == ["web-2", "web-4"]
    assert any("until web-1 is Ready" in text for text in texts(made))
    assert texts(after([a_node("n1"), parallel, *pods], scale)) == []


def test_e68_a_set_that_is_to_shrink_waits_for_those_that_stay() -> None:
    stateful_set = {"kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"}, "spec": {"replicas": 3}}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    scale = {"change": "scale", "kind": "StatefulSet", "namespace": "default", "name": "web", "replicas": 1}

    def shrunk(unready: str) -> tuple[list[str], list[str]]:
        pods = [
            owned(name, "web", "n1", kind="StatefulSet", status=None if name == unready else ready)
            for name in ("web-0", "web-1", "web-2")
        ]
        made = after([a_node("n1"), stateful_set, *pods], scale)
        return sorted(made.case.placed), texts(made)

    assert shrunk("web-1") == (["default/web-0"], [])
    left, said = shrunk("web-0")
    assert left == ["default/web-0"]
    assert any("until web-0 is Ready" in text for text in said)


def of_cpus(cpus: int) -> dict[str, Any]:
    return a_node("n1", allocatable={"cpu": str(cpus), "memory": "64Gi", "pods": "110"})


def patient(name: str, cpus: int) -> dict[str, Any]:
    """A pod that goes first, and for which no other has to go."""
    return a_pod(name, requests={"cpu": str(cpus)}, priority=9, preemptionPolicy="Never")


def growing(policy: str) -> list[dict[str, Any]]:
    """A StatefulSet whose web-0 runs, and that is to have more pods of 2 CPUs."""
    spec = {"replicas": 1, "podManagementPolicy": policy}
    stateful_set = {"kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"}, "spec": spec}
    running = owned("web-0", "web", "n1", kind="StatefulSet", requests={"cpu": "2"})
    running["status"]["conditions"] = [{"type": "Ready", "status": "True"}]
    return [stateful_set, running]


def grown(replicas: int) -> dict[str, Any]:
    return {"change": "scale", "kind": "StatefulSet", "namespace": "default", "name": "web", "replicas": replicas}


def told(case: Case) -> list[tuple[str, str]]:
    return [(step.pod.partition("/")[2], step.outcome.value) for step in Simulation(case)]


def test_e68_a_simulation_does_not_create_ordinals_behind_one_that_is_pending() -> None:
    node = of_cpus(5)
    ordered = after([node, *growing("OrderedReady")], grown(5)).case
    parallel = after([node, *growing("Parallel")], grown(5)).case

    steps = list(Simulation(ordered))

    assert [(step.pod, step.outcome) for step in steps] == [
        ("default/web-1", Outcome.PLACED),
        ("default/web-2", Outcome.UNSCHEDULABLE),
        ("default/web-3", Outcome.FORBIDDEN),
        ("default/web-4", Outcome.FORBIDDEN),
    ]
    assert [step.problem for step in steps[2:]] == [AwaitsOrdinal("default/web", "web-2")] * 2
    assert [outcome for _, outcome in told(parallel)] == ["placed", "unschedulable", "unschedulable", "unschedulable"]


@given(st.integers(1, 6), st.integers(1, 9), st.integers(1, 4), st.lists(st.integers(1, 5), max_size=3), st.booleans())
def test_e68_at_no_time_two_ordinals_of_a_set_that_the_run_creates_are_pending(
    replicas: int, cpus: int, asked: int, others: list[int], is_ordered: bool
) -> None:
    policy = "OrderedReady" if is_ordered else "Parallel"
    pods = {"containers": [{"name": "main", "resources": {"requests": {"cpu": str(asked)}}}]}
    sets = [
        a_workload("StatefulSet", name, replicas=replicas, podManagementPolicy=policy, pod=pods)
        for name in ("web", "db")
    ]
    case = after([of_cpus(cpus)], *({"change": "add-workload", "manifest": each} for each in sets)).case
    passing = [
        Wanted(patient(f"p{number}", cpu), until=number, origin=Origin.PENDING_BEFORE)
        for number, cpu in enumerate(others)
    ]
    simulation = Simulation(replace(case, wanted=[*case.wanted, *passing]))

    for _ in simulation:
        for name in ("web", "db"):
            pending = [key for key in simulation.waiting if key.startswith(f"default/{name}-")]
            assert len(pending) <= (1 if is_ordered else replicas)

    placed = {key for key in simulation.snapshot.pods.slot_of if simulation.snapshot.placed_on(key)}
    for name in ("web", "db"):
        own = sorted(key for key in placed if key.startswith(f"default/{name}-"))
        assert own == [f"default/{name}-{number}" for number in range(len(own))]
        left = [key for key in simulation.waiting if key.startswith(f"default/{name}-")]
        if is_ordered:
            assert left == ([f"default/{name}-{len(own)}"] if len(own) < replicas else [])
        else:
            assert len(left) == replicas - len(own)


def test_e66_by_so_many_more_counts_from_what_the_deployment_wants() -> None:
    assert len(wanted(after(rolling_out(), {**SCALE, "by": 5}).case)) == 5

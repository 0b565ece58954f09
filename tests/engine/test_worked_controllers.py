"""Worked examples of the documentation, by number: what the controllers of workloads do."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.rollout import plan_of
from clusters.engine.simulation import Simulation
from clusters.engine.simulation.steps import Outcome
from clusters.engine.workloads.proportional import SizedReplicaSet, proportional_sizes
from tests.engine.builders import a_node
from tests.engine.simulation.changing import after, owned, texts, wanted

OLD, NEW = SizedReplicaSet("old", 8, "2026-01-01", 13), SizedReplicaSet("new", 5, "2026-01-02", 13)


def rolling_out() -> list[dict[str, Any]]:
    """A rollout of 10 replicas, surge 3 and unavailable 2, stopped by a bad image: 8 old pods, and 5 new ones."""

    def document(kind: str, name: str, **spec: Any) -> dict[str, Any]:
        owners = [{"kind": "Deployment", "name": "web", "controller": True}] if kind == "ReplicaSet" else []
        created = f"2026-01-0{1 if name == 'web-old' else 2}T00:00:00Z"
        fields = {"name": name, "namespace": "default", "ownerReferences": owners, "creationTimestamp": created}
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
    plan = plan_of(rolling_out()[1], "Deployment", 10)
    assert plan is not None
    assert (plan.most, plan.fewest) == (13, 8)
    assert proportional_sizes([OLD, NEW], desired=15, surge=3) == {"old": 11, "new": 7}

    made = after(rolling_out(), {**SCALE, "replicas": 15})

    assert wanted(made.case) == [*(f"web-old-more-{n}" for n in (1, 2, 3)), *(f"web-new-more-{n}" for n in (1, 2))]
    requests = [each.pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] for each in made.case.wanted]
    assert requests == ["10m"] * 3 + ["20m"] * 2
    sizes = {}
    for kind, name in (("Deployment", "web"), ("ReplicaSet", "web-old"), ("ReplicaSet", "web-new")):
        kept = made.case.snapshot.object(kind, name, "default")
        assert kept is not None
        sizes[name] = kept["spec"]["replicas"]
    assert sizes == {"web": 15, "web-old": 11, "web-new": 7}
    assert any("web-old from 8 to 11" in text and "web-new from 5 to 7" in text for text in texts(made))
    assert all(step.outcome is Outcome.PLACED for step in Simulation(made.case))


def test_e66_by_so_many_more_counts_from_what_the_deployment_wants() -> None:
    assert len(wanted(after(rolling_out(), {**SCALE, "by": 5}).case)) == 5


def test_e66_fewer_replicas_are_taken_in_proportion_too() -> None:
    made = after(rolling_out(), {**SCALE, "replicas": 5})

    left = [key.split("/")[1].split("-")[0] for key in made.case.placed]
    assert proportional_sizes([OLD, NEW], desired=5, surge=3) == {"old": 5, "new": 3}
    assert (left.count("old"), left.count("new")) == (5, 3)
    assert proportional_sizes([OLD, NEW], desired=0, surge=3) == {"old": 0, "new": 0}


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

"""So many nodes do, one less does not, and where none would do it is said why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling import place
from clusters.engine.simulation import Wanted, nodes_needed
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod

if TYPE_CHECKING:
    from clusters.engine.simulation.node_counts import NodesNeeded

DEFAULT = SchedulerConfiguration.default()


def copies(number: int, name: str = "web", **fields: object) -> list[Wanted]:
    return [Wanted(a_pod(f"{name}-{place}", **fields)) for place in range(number)]  # type: ignore[arg-type]


def needed(
    wanted: list[Wanted], *cluster: Document, template: Document | None = None, **options: object
) -> NodesNeeded:
    like = template or a_node("big", allocatable={"cpu": "4"})
    return nodes_needed(Snapshot.from_objects(cluster), DEFAULT, like, wanted, **options)  # type: ignore[arg-type]


@given(
    sizes=st.lists(st.sampled_from(("500m", "1", "1500m", "3")), max_size=14),
    apart=st.booleans(),
    present=st.integers(0, 2),
)
@settings(max_examples=25)
def test_it_fits_with_that_many_and_not_with_one_less(sizes: list[str], apart: bool, present: int) -> None:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "db"}}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}} if apart else {}
    wanted = [
        Wanted(a_pod(f"p{number}", labels={"app": "db"}, requests={"cpu": size}, affinity=affinity))
        for number, size in enumerate(sizes)
    ]
    cluster = [a_node(f"n{number}", allocatable={"cpu": "2"}) for number in range(present)]
    found = needed(wanted, *cluster)

    assert found.count is not None
    fits = {trial.nodes: trial.fits for trial in found.trials}
    assert fits[found.count]
    assert found.count == 0 or not fits[found.count - 1]
    for more, expected in ((found.count, True), (found.count - 1, False)):
        if more >= 0 and not apart and len(set(sizes)) == 1:
            snapshot = Snapshot.from_objects(
                [*cluster, *(a_node(f"m{number}", allocatable={"cpu": "4"}) for number in range(more))]
            )
            assert all(each.node for each in place(snapshot, [each.pod for each in wanted], DEFAULT)) is expected
            assert found.is_least


def test_alike_pods_need_what_division_says() -> None:
    found = needed(copies(41, requests={"cpu": "1"}), a_node("there", allocatable={"cpu": "3"}))

    # 38 pods are left for nodes of 4.
    assert (found.count, found.is_least, found.trials[0].used) == (10, True, 10)
    assert found.stop is not None
    assert found.stop.message == "0/10 nodes are available: 10 Insufficient cpu."


def test_a_pod_that_no_empty_node_takes_never_fits() -> None:
    found = needed(copies(3, requests={"cpu": "5"}), a_node("there", allocatable={"cpu": "5"}), most=64)

    assert (found.count, found.never) == (None, True)
    assert found.stop is not None
    assert "Insufficient cpu" in found.stop.message
    # Once an empty node rejects a pod, the most is tried at once.
    assert [trial.nodes for trial in found.trials] == [3, 64]


def test_too_many_is_not_never() -> None:
    found = needed(copies(20, requests={"cpu": "4"}), most=10)

    assert (found.count, found.never, [trial.nodes for trial in found.trials]) == (None, False, [10])


def test_spreading_over_zones_needs_nodes_in_each() -> None:
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    wanted = copies(12, labels={"app": "web"}, requests={"cpu": "1"}, topologySpreadConstraints=[spread])
    full = [a_node(name, zone=name, allocatable={"cpu": "1"}) for name in ("east", "west")]
    one_zone = a_node("big", zone="east", allocatable={"cpu": "4"})

    assert needed(wanted, *full, template=one_zone, most=50).never
    both = needed(wanted, *full, template=one_zone, zones=("east", "west"), most=50)
    assert (both.count, both.is_least) == (4, False)


def test_a_pod_waits_for_one_that_comes_later() -> None:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "db"}}}
    near = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    wanted = [
        Wanted(a_pod("web", requests={"cpu": "1"}, affinity=near)),
        Wanted(a_pod("db", labels={"app": "db"}, requests={"cpu": "1"})),
    ]

    assert needed(wanted).count == 1


def test_nobody_has_to_go() -> None:
    low = a_pod("low", node="there", requests={"cpu": "4"})
    there = a_node("there", allocatable={"cpu": "4"})

    assert needed(copies(1, requests={"cpu": "4"}, priority=1000), there, low).count == 1

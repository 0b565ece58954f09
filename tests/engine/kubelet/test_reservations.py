"""What a node keeps from pods, against what nodes with such a configuration report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.kubelet import API_VERSION, KIND, KubeletSettings, Reservation, reported, reservations

if TYPE_CHECKING:
    from tests.engine.builders import Document

MIB, GIB = 2**20, 2**30


def reporting(capacity: Document, allocatable: Document) -> Document:
    return {"status": {"capacity": capacity, "allocatable": allocatable}}


def settings(**fields: Any) -> KubeletSettings:
    return KubeletSettings.from_dict({"apiVersion": API_VERSION, "kind": KIND, **fields})


def by_resource(node: Document, found: KubeletSettings) -> dict[str, Reservation]:
    return {each.resource: each for each in reservations(node, found)}


def test_defaults_explain_a_node_that_reserves_nothing_else() -> None:
    node = reporting(
        {"cpu": "4", "memory": "8Gi", "ephemeral-storage": "129886128Ki"},
        {"cpu": "4", "memory": "8092Mi", "ephemeral-storage": "119703055367"},
    )
    found = by_resource(node, KubeletSettings.default())

    assert {name: each.beyond for name, each in found.items()} == {"cpu": 0, "memory": 0, "ephemeral-storage": 0}
    assert found["memory"].kept == found["memory"].threshold == 100 * MIB


def test_what_is_kept_beyond_the_threshold_is_reserved_and_less_needs_another_threshold() -> None:
    node = reporting({"cpu": "4", "memory": "8Gi"}, {"cpu": "3860m", "memory": "8Gi"})
    found = by_resource(node, KubeletSettings.default())

    assert (found["cpu"].kept, found["cpu"].beyond) == (140, 140)
    assert found["memory"].beyond == -100 * MIB


def test_percentage_without_the_kubelets_rounding_agrees_too() -> None:
    node = reporting({"ephemeral-storage": "80Gi"}, {"ephemeral-storage": "72Gi"})
    found = by_resource(node, KubeletSettings.default())["ephemeral-storage"]

    assert found.expected == 72 * GIB - 128
    assert found.beyond == 0


def test_given_reservations_and_huge_pages_count() -> None:
    node = reporting(
        {"cpu": "4", "memory": "8Gi", "hugepages-2Mi": "1Gi", "hugepages-1Gi": "0"}, {"cpu": "3500m", "memory": "5Gi"}
    )
    given = settings(
        evictionHard={"memory.available": "1Gi"},
        systemReserved={"cpu": "200m", "memory": "512Mi"},
        kubeReserved={"cpu": "300m", "memory": "512Mi"},
    )
    found = by_resource(node, given)

    assert (found["cpu"].reserved, found["cpu"].beyond) == (500, 0)
    assert (found["memory"].huge_pages, found["memory"].expected, found["memory"].beyond) == (GIB, 5 * GIB, 0)


def test_soft_threshold_keeps_nothing() -> None:
    node = reporting({"memory": "8Gi"}, {"memory": "8Gi"})
    soft = settings(
        evictionHard={}, evictionSoft={"memory.available": "1Gi"}, evictionSoftGracePeriod={"memory.available": "0s"}
    )

    assert by_resource(node, soft)["memory"].beyond == 0


def test_node_that_reports_no_capacity_says_nothing() -> None:
    assert reservations({"status": {"allocatable": {"cpu": "4"}}}, KubeletSettings.default()) == []
    assert reported({}, "capacity", "cpu") is None


@given(st.integers(0, 2**40), st.integers(0, 2**36), st.integers(0, 2**36), st.integers(1, 2**34))
def test_node_of_a_configuration_agrees_with_it(capacity: int, system: int, kubelet: int, threshold: int) -> None:
    given_settings = settings(
        evictionHard={"memory.available": str(threshold)},
        systemReserved={"memory": str(system)},
        kubeReserved={"memory": str(kubelet)},
    )
    # As the kubelet computes it: what is reserved altogether, subtracted once, and never below 0.
    allocatable = max(0, capacity - (system + kubelet + threshold))
    (found,) = reservations(reporting({"memory": str(capacity)}, {"memory": str(allocatable)}), given_settings)

    assert found.beyond == 0

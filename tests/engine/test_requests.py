"""What a pod requests: the arithmetic over containers, init containers, sidecars, the pod itself and its overhead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.resources import (
    DEFAULT_CPU_MILLI,
    DEFAULT_MEMORY_BYTES,
    base_amount,
    is_extended,
    is_scalar,
    node_amounts,
    non_zero_amounts,
    pod_amounts,
    scheduled_amounts,
)

if TYPE_CHECKING:
    from tests.engine.builders import Document

MIB = 1024**2
RESIZING = "PodResizePending"


def a_container(name: str = "c", **requests: str) -> Document:
    """A container; an underscore in the name of a resource stands for a dash."""
    return {"name": name, "resources": {"requests": {key.replace("_", "-"): text for key, text in requests.items()}}}


def a_sidecar(name: str = "s", **requests: str) -> Document:
    return {**a_container(name, **requests), "restartPolicy": "Always"}


def pod_of(*containers: Document, starting: tuple[Document, ...] = (), status: Any = None, **spec: Any) -> Document:
    return {
        "spec": {"containers": list(containers), "initContainers": list(starting), **spec},
        "status": status or {},
    }


# -- sums --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starting", "milli"),
    [
        pytest.param((), 100, id="one container"),
        pytest.param((a_sidecar(cpu="200m"),), 300, id="a sidecar runs on beside it"),
        # While the init container runs, only the sidecars before it run: 200 + 300.
        pytest.param((a_sidecar(cpu="200m"), a_container(cpu="300m")), 500, id="sidecar, then init"),
        pytest.param((a_container(cpu="250m"), a_sidecar(cpu="200m")), 300, id="init, then sidecar"),
        # 200; 200 + 900; 600; 600 + 50 while starting, and 100 + 200 + 400 after it.
        pytest.param(
            (a_sidecar(cpu="200m"), a_container(cpu="900m"), a_sidecar(cpu="400m"), a_container(cpu="50m")),
            1100,
            id="the moment of the highest use counts",
        ),
        pytest.param(
            (a_sidecar(cpu="200m"), a_container(cpu="300m"), a_sidecar(cpu="400m"), a_container(cpu="50m")),
            700,
            id="running is the moment of the highest use",
        ),
    ],
)
def test_init_containers_and_sidecars(starting: tuple[Document, ...], milli: int) -> None:
    assert pod_amounts(pod_of(a_container(cpu="100m"), starting=starting)) == {"cpu": milli}


def test_each_resource_has_its_own_highest_moment() -> None:
    pod = pod_of(a_container(cpu="1", memory="1Mi"), starting=(a_container(cpu="1m", memory="8Mi", pods="1"),))

    assert pod_amounts(pod) == {"cpu": 1000, "memory": 8 * MIB, "pods": 1}


@pytest.mark.parametrize(
    ("containers", "bytes_"),
    # Half a byte each: added up first, then rounded up once.
    [(1, 1), (2, 1), (3, 2), (4, 2)],
)
def test_parts_of_a_unit_are_added_before_rounding(containers: int, bytes_: int) -> None:
    pod = pod_of(*(a_container(f"c{number}", memory="500m") for number in range(containers)))

    assert pod_amounts(pod) == {"memory": bytes_}


def test_a_pod_without_anything_requests_nothing() -> None:
    assert pod_amounts({}) == {}
    assert pod_amounts(pod_of({"name": "c"}, {"name": "d", "resources": {}})) == {}


# -- the pod itself ----------------------------------------------------------------------------------------------


def test_pod_level_requests_replace_the_sum_of_what_they_name() -> None:
    pod = pod_of(
        a_container(cpu="100m", memory="64Mi", ephemeral_storage="1Gi"),
        resources={"requests": {"cpu": "500m", "hugepages-2Mi": "4Mi", "ephemeral-storage": "9Gi"}},
        overhead={"cpu": "50m", "memory": "1Mi"},
    )

    # The pod level knows no ephemeral storage; overhead comes on top of all.
    common = {"memory": 65 * MIB, "ephemeral-storage": 1024 * MIB}
    assert pod_amounts(pod) == {"cpu": 550, "hugepages-2Mi": 4 * MIB, **common}
    assert pod_amounts(pod, pod_level=False) == {"cpu": 150, **common}


def test_pod_level_requests_may_be_less_than_an_init_container() -> None:
    pod = pod_of(a_container(), starting=(a_container(cpu="2"),), resources={"requests": {"cpu": "1"}})

    assert pod_amounts(pod) == {"cpu": 1000}


# -- resizes under way -------------------------------------------------------------------------------------------


def resized(wanted: str, running: str | None, allocated: str | None, reason: str | None = None) -> Document:
    entry: Document = {"name": "c", "resources": {} if running is None else {"requests": {"cpu": running}}}
    if allocated is not None:
        entry["allocatedResources"] = {"cpu": allocated}
    conditions = [] if reason is None else [{"type": "Ready"}, {"type": RESIZING, "status": "True", "reason": reason}]
    return pod_of(a_container(cpu=wanted), status={"containerStatuses": [entry], "conditions": conditions})


@pytest.mark.parametrize(
    ("pod", "milli"),
    [
        pytest.param(resized("3", "1", "2"), 3000, id="growing: what is wanted"),
        pytest.param(resized("1", "3", "2"), 3000, id="shrinking: what still runs"),
        pytest.param(resized("1", "2", "3"), 3000, id="shrinking: what is still allocated"),
        pytest.param(resized("3", "1", "2", "Deferred"), 3000, id="deferred: what is wanted is kept free"),
        pytest.param(resized("3", "1", "2", "Infeasible"), 2000, id="infeasible: what is wanted does not count"),
        pytest.param(resized("3", "2", None, "Infeasible"), 2000, id="infeasible, nothing said of allocation"),
        pytest.param(resized("3", None, None), 3000, id="status without requests"),
    ],
)
def test_placed_pod_holds_the_most_of_what_a_resize_involves(pod: Document, milli: int) -> None:
    assert pod_amounts(pod) == {"cpu": milli}
    assert pod_amounts(pod, use_status=False)["cpu"] == int(
        pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] + "000"
    )


def test_status_counts_only_with_resources_and_for_the_same_container() -> None:
    allocated = {"cpu": "9"}
    for entry in (
        {"name": "c", "allocatedResources": allocated},
        {"name": "other", "resources": {"requests": allocated}},
    ):
        assert pod_amounts(pod_of(a_container(cpu="1"), status={"containerStatuses": [entry]})) == {"cpu": 1000}


def test_sidecars_are_resized_but_init_containers_are_not() -> None:
    statuses = [{"name": name, "resources": {"requests": {"cpu": "5"}}} for name in ("side", "init")]
    sidecar, init = a_sidecar("side", cpu="1"), a_container("init", cpu="2")
    status = {"initContainerStatuses": statuses}

    assert pod_amounts(pod_of(a_container(), starting=(sidecar,), status=status)) == {"cpu": 5000}
    assert pod_amounts(pod_of(a_container(), starting=(init,), status=status)) == {"cpu": 2000}


# -- what scoring assumes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pod", "milli", "bytes_"),
    [
        pytest.param(pod_of(a_container()), DEFAULT_CPU_MILLI, DEFAULT_MEMORY_BYTES, id="nothing requested"),
        pytest.param(
            pod_of(a_container(cpu="300m"), a_container("d")),
            400,
            2 * DEFAULT_MEMORY_BYTES,
            id="one asks, one does not",
        ),
        pytest.param(pod_of(a_container(cpu="0", memory="0")), 0, 0, id="zero is a request"),
        pytest.param(
            pod_of(a_container(cpu="1"), overhead={"cpu": "10m", "memory": "1Mi"}), 1010, 201 * MIB, id="overhead"
        ),
        pytest.param(
            pod_of(a_container(), starting=(a_sidecar(memory="1Mi"), a_container())),
            200,
            201 * MIB,
            id="init containers and sidecars too",
        ),
        pytest.param(
            pod_of(a_container(), a_container("d"), resources={"requests": {"cpu": "1"}}),
            1000,
            2 * DEFAULT_MEMORY_BYTES,
            id="the pod level names only cpu",
        ),
        pytest.param(
            pod_of(a_container(memory="3Mi"), a_container("d"), resources={"requests": {"cpu": "1"}}),
            1000,
            3 * MIB,
            id="the pod level names only cpu, a container memory",
        ),
        pytest.param(
            pod_of(a_container(memory="3Mi"), resources={"requests": {"ephemeral-storage": "1"}}),
            DEFAULT_CPU_MILLI,
            3 * MIB,
            id="the pod level names nothing that it may",
        ),
    ],
)
def test_containers_without_requests_count_with_defaults(pod: Document, milli: int, bytes_: int) -> None:
    assert non_zero_amounts(pod, pod_amounts(pod)) == (milli, bytes_)


# -- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resource", "extended", "scalar"),
    [
        ("cpu", False, False),
        ("memory", False, False),
        ("storage", False, False),
        ("gpu", False, False),
        ("example.com/gpu", True, True),
        ("requests.example.com/gpu", False, False),
        ("kubernetes.io/gpu", False, True),
        ("gpu.kubernetes.io/gpu", False, True),
        ("hugepages-2Mi", False, True),
        ("attachable-volumes-aws-ebs", False, True),
    ],
)
def test_names_of_resources_that_are_counted(resource: str, extended: bool, scalar: bool) -> None:
    assert (is_extended(resource), is_scalar(resource)) == (extended, scalar)
    assert (resource in scheduled_amounts({resource: 1})) == (scalar or resource in ("cpu", "memory"))
    assert (resource in node_amounts({resource: "1"})) == (scalar or resource in ("cpu", "memory"))


@pytest.mark.parametrize(
    ("resource", "quantity", "number"),
    [("cpu", "0.5", 500), ("cpu", "100u", 1), ("memory", "1.5", 2), ("example.com/gpu", "1100m", 2), ("cpu", 2, 2000)],
)
def test_base_units(resource: str, quantity: Any, number: int) -> None:
    assert base_amount(resource, quantity) == number
    assert pod_amounts(pod_of({"resources": {"requests": {resource: quantity}}})) == {resource: number}


def test_pods_are_counted_by_nodes_only() -> None:
    assert node_amounts({"pods": "110", "cpu": "1"}) == {"pods": 110, "cpu": 1000}
    assert scheduled_amounts({"pods": 1, "ephemeral-storage": 2}) == {"ephemeral-storage": 2}
    assert node_amounts(None) == {}


@given(
    running=st.lists(st.integers(0, 5000), max_size=4),
    starting=st.lists(st.tuples(st.integers(0, 5000), st.booleans()), max_size=4),
)
def test_enough_for_every_moment_and_no_more(running: list[int], starting: list[tuple[int, bool]]) -> None:
    """The request is the highest of what is held at any moment: while each init container runs, and afterwards."""
    pod = pod_of(
        *(a_container(f"c{number}", cpu=f"{milli}m") for number, milli in enumerate(running)),
        starting=tuple(
            (a_sidecar if stays else a_container)(f"i{number}", cpu=f"{milli}m")
            for number, (milli, stays) in enumerate(starting)
        ),
    )
    moments = [
        milli + sum(other for other, other_stays in starting[:number] if other_stays)
        for number, (milli, _) in enumerate(starting)
    ]
    moments.append(sum(running) + sum(milli for milli, stays in starting if stays))

    assert pod_amounts(pod).get("cpu", 0) == max(moments)

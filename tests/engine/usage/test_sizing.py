"""Recommended requests: the stated rule, its edges, and what a workload's pods request afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.owners import Workload
from clusters.engine.qos import QualityOfService
from clusters.engine.resources import CPU, MEMORY, pod_amounts
from clusters.engine.usage import (
    FEW_HOURS,
    RULES,
    WHOLE_POD,
    ResourceUsage,
    Sizing,
    UsageStatistics,
    UsedAmounts,
    needed_by_usage,
    quantity_text,
    resource_sizing,
    with_requests,
    workload_sizing,
)
from tests.engine.builders import a_pod

MIB = 1024 * 1024
WEB = Workload("shop", "Deployment", "web")


def used(cpu: int, memory: int, *, hours: int = 48) -> UsageStatistics:
    """Statistics in which CPU's p95 and memory's maximum are these; everything else would be a wrong answer."""
    return UsageStatistics(
        hours, 3 * hours, ResourceUsage(1, 1, cpu, cpu * 100), ResourceUsage(1, 1, memory // 2, memory)
    )


def container(name: str, requests: dict[str, str], limits: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "resources": {"requests": requests, **({"limits": limits} if limits else {})}, **more}


def pod_of(*containers: dict[str, Any], init: tuple[dict[str, Any], ...] = (), **spec: Any) -> dict[str, Any]:
    made = a_pod("web-1", **spec)
    made["spec"] |= {"containers": list(containers), "initContainers": list(init)}
    return made


@pytest.mark.parametrize(
    ("requested", "p95", "recommended", "sizing"),
    [
        (1000, 200, 230, Sizing.OVER),
        # One and a half times as much is not too much yet, and neither is a difference of less than 50m.
        (345, 200, 230, Sizing.FITTING),
        (346, 200, 230, Sizing.OVER),
        (59, 1, 10, Sizing.FITTING),
        (60, 1, 10, Sizing.OVER),
        # As much as is used is enough, less is not.
        (200, 200, 230, Sizing.FITTING),
        (199, 200, 230, Sizing.UNDER),
        (None, 200, 230, Sizing.NOT_REQUESTED),
        (0, 0, 10, Sizing.NOT_REQUESTED),
        # 115 % of 101m are 116.15m, in steps of 5m 120m.
        (101, 101, 120, Sizing.FITTING),
    ],
)
def test_cpu_is_recommended_by_its_p95(requested: int | None, p95: int, recommended: int, sizing: Sizing) -> None:
    found = resource_sizing(CPU, requested, None, used(p95, 1))

    assert (found.recommended, found.sizing, found.is_capped) == (recommended, sizing, False)


@pytest.mark.parametrize(
    ("requested", "maximum", "recommended", "sizing"),
    [
        (1024 * MIB, 200 * MIB, 230 * MIB, Sizing.OVER),
        (79 * MIB, 10 * MIB, 16 * MIB, Sizing.FITTING),
        (80 * MIB, 10 * MIB, 16 * MIB, Sizing.OVER),
        (199 * MIB, 200 * MIB, 230 * MIB, Sizing.UNDER),
    ],
)
def test_memory_is_recommended_by_its_maximum(requested: int, maximum: int, recommended: int, sizing: Sizing) -> None:
    found = resource_sizing(MEMORY, requested, None, used(1, maximum))

    assert (found.recommended, found.sizing) == (recommended, sizing)


def test_a_limit_caps_the_recommendation() -> None:
    found = resource_sizing(MEMORY, 100 * MIB, 210 * MIB, used(1, 200 * MIB))

    assert (found.recommended, found.is_capped, found.sizing) == (210 * MIB, True, Sizing.UNDER)


@given(st.sampled_from((CPU, MEMORY)), st.integers(0, 2**40), st.integers(0, 2**40))
def test_a_recommended_request_holds_the_rule_and_needs_no_second_one(resource: str, requested: int, use: int) -> None:
    rule = RULES[resource]
    statistics = used(use, use)

    found = resource_sizing(resource, requested, None, statistics)

    assert found.recommended >= rule.least
    assert found.recommended * 100 >= use * rule.margin
    assert found.recommended % rule.step == 0
    # No smaller multiple of the step would do.
    smaller = found.recommended - rule.step
    assert smaller < rule.least or smaller * 100 < use * rule.margin
    assert resource_sizing(resource, found.recommended, None, statistics).sizing is Sizing.FITTING


def test_what_a_workload_frees_is_by_all_its_pods() -> None:
    pod = pod_of(container("app", {"cpu": "1", "memory": "1Gi"}), container("proxy", {"cpu": "10m", "memory": "64Mi"}))
    statistics = {"app": used(200, 200 * MIB), "proxy": used(40, 60 * MIB), "gone": used(999, 999 * MIB)}
    requested = UsedAmounts(3 * 1010, 3 * (1024 + 64) * MIB)

    found = workload_sizing(WEB, pod, 3, requested, statistics)

    assert [each.name for each in found.containers] == ["app", "proxy"]
    assert found.changes == {"app": {CPU: 230, MEMORY: 230 * MIB}, "proxy": {CPU: 50}}
    assert found.after == UsedAmounts(3 * (230 + 50), 3 * (230 + 64) * MIB)
    assert found.freed == UsedAmounts(3 * 730, 3 * 794 * MIB)
    assert [found.has(sizing) for sizing in Sizing] == [True, True, False, True]
    assert not any(each.is_from_few for each in found.containers)


def test_a_workload_that_fits_keeps_its_requests() -> None:
    pod = pod_of(container("app", {"cpu": "230m", "memory": "230Mi"}))

    found = workload_sizing(WEB, pod, 2, UsedAmounts(460, 460 * MIB), {"app": used(200, 200 * MIB)})

    assert found.changes == {}
    assert found.after == found.requested


def test_a_sidecar_runs_and_another_init_container_does_not() -> None:
    sidecar = container("mesh", {"cpu": "500m"}, restartPolicy="Always")
    setup = container("setup", {"cpu": "2"})
    pod = pod_of(container("app", {"cpu": "1"}), init=(setup, sidecar))
    statistics = {name: used(100, MIB) for name in ("app", "mesh", "setup")}

    found = workload_sizing(WEB, pod, 1, UsedAmounts(2000, 0), statistics)

    assert [(each.name, each.is_sidecar) for each in found.containers] == [("mesh", True), ("app", False)]
    # What sets the pod up still requests 2 CPU.
    assert found.after.cpu_milli == 2000


def test_nothing_is_recommended_for_pods_that_request_as_a_whole() -> None:
    pod = pod_of(container("app", {"cpu": "1"}), resources={"requests": {"cpu": "2"}})

    found = workload_sizing(WEB, pod, 1, UsedAmounts(2000, 0), {"app": used(100, MIB)})

    assert found.measures_pod_level
    assert found.changes == {}
    assert found.after == found.requested


def test_of_a_pods_sum_alone_no_container_gets_a_request() -> None:
    limits = {"cpu": "1", "memory": "1Gi"}
    pod = pod_of(container("app", {"cpu": "1"}, limits), container("proxy", {"cpu": "500m"}, limits))

    (found,) = workload_sizing(WEB, pod, 1, UsedAmounts(1500, 0), {WHOLE_POD: used(100, MIB)}).containers

    assert (found.cpu.requested, found.cpu.limit, found.cpu.sizing) == (1500, 2000, Sizing.OVER)
    assert workload_sizing(WEB, pod, 1, UsedAmounts(1500, 0), {WHOLE_POD: used(100, MIB)}).changes == {}


def test_a_sum_of_limits_needs_one_of_each_container() -> None:
    pod = pod_of(container("app", {"cpu": "1"}, {"cpu": "1"}), container("proxy", {"cpu": "500m"}))

    (found,) = workload_sizing(WEB, pod, 1, UsedAmounts(1500, 0), {WHOLE_POD: used(100, MIB)}).containers

    assert found.cpu.limit is None


def test_a_guaranteed_pod_that_requests_less_than_its_limit_becomes_burstable() -> None:
    amounts = {"cpu": "1", "memory": "1Gi"}
    pod = pod_of(container("app", amounts, amounts))
    pod["status"] = {"qosClass": "Guaranteed"}

    found = workload_sizing(WEB, pod, 1, UsedAmounts(1000, 1024 * MIB), {"app": used(200, 200 * MIB)})

    assert (found.quality, found.quality_after) == (QualityOfService.GUARANTEED, QualityOfService.BURSTABLE)


def test_less_than_a_day_of_samples_is_few() -> None:
    pod = pod_of(container("app", {"cpu": "1"}))

    for hours in (FEW_HOURS - 1, FEW_HOURS):
        (found,) = workload_sizing(WEB, pod, 1, UsedAmounts(), {"app": used(1, 1, hours=hours)}).containers
        assert found.is_from_few is (hours < FEW_HOURS)


def test_a_resized_pod_is_counted_by_its_spec_and_no_container_exceeds_its_limit() -> None:
    pod = pod_of(container("app", {"cpu": "1", "memory": "1Gi"}, {"cpu": "1", "memory": "200Mi"}))
    told = {"name": "app", "allocatedResources": {"cpu": "4"}, "resources": {"requests": {"cpu": "4"}}}
    pending = {"type": "PodResizePending", "status": "True", "reason": "Infeasible"}
    ready = {"type": "Ready", "status": "True"}
    pod["status"] = {"phase": "Running", "containerStatuses": [told], "conditions": [ready, pending]}
    before = repr(pod)

    resized = with_requests(pod, {"app": {CPU: 250, MEMORY: 300 * MIB}, "other": {CPU: 1}})

    assert pod_amounts(resized) == {CPU: 250, MEMORY: 200 * MIB}
    assert resized["status"] == {"phase": "Running", "conditions": [ready]}
    assert repr(pod) == before


@pytest.mark.parametrize(
    ("resource", "number", "text"), [(CPU, 150, "150m"), (CPU, 2000, "2"), (MEMORY, 128 * MIB, "128Mi"), (CPU, 0, "0")]
)
def test_amounts_are_written_as_in_manifests(resource: str, number: int, text: str) -> None:
    assert quantity_text(resource, number) == text


def test_a_pod_needs_what_its_workload_uses_where_all_of_it_is_known() -> None:
    pod = pod_of(
        container("app", {"cpu": "1", "memory": "1Gi"}), init=(container("mesh", {"cpu": "1"}, restartPolicy="Always"),)
    )
    known = {"app": used(200, 200 * MIB), "mesh": used(100, MIB)}

    needed = needed_by_usage(WEB, pod, known)

    assert needed[CPU] == RULES[CPU].recommended(200) + RULES[CPU].recommended(100)
    assert needed[MEMORY] >= RULES[MEMORY].recommended(200 * MIB)
    assert needed_by_usage(WEB, pod, {"app": known["app"]}) == {}
    assert needed_by_usage(WEB, pod, {**known, "mesh": used(100, MIB, hours=FEW_HOURS - 1)}) == {}
    assert needed_by_usage(WEB, pod_of(container("app", {}), resources={"requests": {"cpu": "2"}}), known) == {}

"""How many pods a controller adds and takes away at a time, and after how long it says that nothing moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.rollout import RolloutWay, plan_of

if TYPE_CHECKING:
    from clusters.engine.objects import Document


def deployment(**spec: Any) -> Document:
    return {"kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "desired", "surge", "unavailable"),
    [
        ({}, 4, 1, 1),
        ({}, 10, 3, 2),
        ({}, 1, 1, 0),
        ({"strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"}}}, 5, 0, 1),
        ({"strategy": {"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": "50%"}}}, 5, 0, 2),
        ({"strategy": {"rollingUpdate": {"maxSurge": 2, "maxUnavailable": 9}}}, 5, 2, 5),
        ({"strategy": {"type": "Recreate"}}, 5, 0, 5),
    ],
)
def test_the_pace_of_a_deployment_is_rounded_as_upstream(
    spec: dict[str, Any], desired: int, surge: int, unavailable: int
) -> None:
    plan = plan_of(deployment(**spec), "Deployment", desired)

    assert plan is not None
    assert (plan.surge, plan.unavailable, plan.most, plan.fewest) == (
        surge,
        unavailable,
        desired + surge,
        desired - unavailable,
    )


@pytest.mark.parametrize(
    ("spec", "deadline"),
    [
        ({}, 600),
        ({"progressDeadlineSeconds": 30}, 30),
        ({"progressDeadlineSeconds": 2**31 - 1}, None),
        ({"progressDeadlineSeconds": 30, "paused": True}, None),
        ({"strategy": {"type": "Recreate"}}, 600),
    ],
)
def test_a_deployment_says_after_its_deadline_that_it_makes_no_progress(
    spec: dict[str, Any], deadline: int | None
) -> None:
    plan = plan_of(deployment(**spec), "Deployment", 3)

    assert plan is not None
    assert plan.deadline == deadline


@pytest.mark.parametrize(
    ("written", "desired", "unavailable"),
    [(None, 10, 1), (3, 10, 3), ("10%", 25, 2), ("50%", 5, 2), ("1%", 5, 1), (0, 5, 1)],
)
def test_a_stateful_set_rounds_down_to_one_at_least(written: int | str | None, desired: int, unavailable: int) -> None:
    pace = {} if written is None else {"rollingUpdate": {"maxUnavailable": written}}

    plan = plan_of({"spec": {"updateStrategy": pace}}, "StatefulSet", desired)

    assert plan is not None
    assert (plan.unavailable, plan.is_ordered) == (unavailable, True)


def test_a_daemon_set_rounds_up() -> None:
    pace = {"rollingUpdate": {"maxSurge": "10%", "maxUnavailable": 0}}

    plan = plan_of({"spec": {"updateStrategy": pace}}, "DaemonSet", 15)

    assert plan is not None
    assert (plan.way, plan.surge, plan.unavailable) == (RolloutWay.NODES, 2, 0)


def test_what_has_no_updates_has_no_plan() -> None:
    assert plan_of({}, "Job", 3) is None

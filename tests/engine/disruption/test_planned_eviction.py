"""When taints evict a pod, held against the controller's queue written as it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.disruption import TimedTaint, planned_eviction
from clusters.engine.disruption.failing_nodes import PlannedEviction
from clusters.engine.taints import Taint, Toleration

ONE, TWO = Taint("key1", "value1", "NoExecute"), Taint("key2", "", "NoExecute")


def tolerating(taint: Taint, seconds: int | None = None) -> dict[str, Any]:
    found = {"key": taint.key, "operator": "Exists", "effect": "NoExecute"}
    return found if seconds is None else {**found, "tolerationSeconds": seconds}


def plan(
    *taints: tuple[Taint, int | None], tolerations: list[dict[str, Any]], since: int = 0
) -> PlannedEviction | None:
    return planned_eviction([TimedTaint(*each) for each in taints], tolerations, since=since)


def test_e13_a_pod_that_runs_and_tolerates_the_no_execute_taints_keeps_running() -> None:
    """The taint key2=value2:NoSchedule keeps it from being scheduled, and evicts nobody."""
    assert plan((ONE, 100), tolerations=[tolerating(ONE)]) is None


def test_e14_a_pod_is_evicted_an_hour_after_the_taint_came() -> None:
    found = plan((ONE, 100), tolerations=[tolerating(ONE, 3600)])

    assert found == PlannedEviction(ONE, 100, 3600, is_tolerated=True)
    assert found.at == 3700
    assert plan(tolerations=[tolerating(ONE, 3600)]) is None, "the taint is removed earlier"


@pytest.mark.parametrize(
    ("times", "seconds", "at", "overruled"),
    [
        pytest.param((100, 100), (300, 60), 160, None, id="seen together, the shortest counts"),
        pytest.param((100, 200), (300, 60), 400, TWO, id="a shorter one that comes later changes nothing"),
        pytest.param((100, 390), (300, 60), 400, None, id="a later one that would evict later"),
        pytest.param((100, 500), (300, 60), 400, None, id="one that comes when the pod is gone"),
        pytest.param((200, 100), (300, None), 500, None, id="one that is tolerated for ever plans nothing"),
        pytest.param((100, 200), (300, None), 400, None, id="nor does it cancel the plan of another"),
    ],
)
def test_the_first_plan_holds(
    times: tuple[int, int], seconds: tuple[int, int | None], at: int, overruled: Taint | None
) -> None:
    found = plan(
        (ONE, times[0]), (TWO, times[1]), tolerations=[tolerating(ONE, seconds[0]), tolerating(TWO, seconds[1])]
    )

    assert found is not None
    assert (found.at, found.overruled) == (at, overruled)


def test_a_taint_that_is_not_tolerated_evicts_at_once_whatever_was_planned() -> None:
    found = plan((ONE, 100), (TWO, 200), tolerations=[tolerating(ONE, 300)])

    assert found == PlannedEviction(TWO, 200, 0, is_tolerated=False)


def test_a_pod_that_came_later_than_the_taint_counts_from_its_own_start() -> None:
    found = plan((ONE, 100), tolerations=[tolerating(ONE, 300)], since=1000)

    assert found is not None
    assert found.at == 1300


def test_without_a_time_the_taints_count_as_one_change() -> None:
    found = plan((ONE, None), (TWO, 200), tolerations=[tolerating(ONE, 300), tolerating(TWO, 60)])

    assert found is not None
    assert (found.start, found.seconds, found.at) == (None, 60, None)


@dataclass
class Queue:
    """The controller's queue for one pod, driven moment by moment as processPodOnNode drives it."""

    tolerations: list[dict[str, Any]]
    created: int | None = None
    fires: int | None = None
    fired: int | None = None

    def sees(self, taints: list[Taint], now: int) -> None:
        if self.fired is None and self.fires is not None and self.fires <= now:
            self.fired = self.fires
        if self.fired is not None:
            return
        used = []
        for taint in taints:
            matching = [each for each in self.tolerations if Toleration.from_dict(each).tolerates(taint)]
            if not matching:
                self.created, self.fired = None, now
                return
            used.append(matching[0])
        given = [each["tolerationSeconds"] for each in used if "tolerationSeconds" in each]
        if not given:
            self.created = self.fires = None
            return
        shortest = max(0, min(given))
        if self.created is not None and self.created + shortest < now + shortest:
            return
        self.created, self.fires = now, now + shortest


_SECONDS = st.sampled_from([None, 0, 5, 60, 300])


_TIMES = st.integers(1, 12).map(lambda tens: tens * 10)


@given(
    st.dictionaries(st.integers(0, 3), _TIMES, max_size=4).map(lambda found: list(found.items())),
    st.lists(st.tuples(st.integers(0, 3), _SECONDS), max_size=4),
)
def test_the_plan_is_what_the_controllers_queue_comes_to(
    taints: list[tuple[int, int]], given_seconds: list[tuple[int, int | None]]
) -> None:
    of = [Taint(f"key{number}", "", "NoExecute") for number in range(4)]
    tolerations = [tolerating(of[number], seconds) for number, seconds in given_seconds]
    queue = Queue(tolerations)
    for moment in sorted({added for _, added in taints}):
        queue.sees([of[number] for number, added in taints if added <= moment], moment)

    found = plan(*((of[number], added) for number, added in taints), tolerations=tolerations)

    assert (None if found is None else found.at) == (queue.fired if queue.fired is not None else queue.fires)

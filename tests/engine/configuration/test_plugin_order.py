from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import ConfigurationError, Profile, SchedulerConfiguration
from clusters.engine.configuration import ExtensionPoint
from clusters.engine.versions import ASSUMED
from tests.support.answers import error_of

V1 = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
POINTS = [point.value for point in ExtensionPoint]


def profile(plugins: dict[str, Any]) -> Profile:
    return SchedulerConfiguration.from_dict({**V1, "profiles": [{"plugins": plugins}]}).profiles[0]


def enabled(*names: str, **weights: int) -> dict[str, Any]:
    return {"enabled": [*({"name": name} for name in names), *({"name": n, "weight": w} for n, w in weights.items())]}


def disabled(*names: str) -> dict[str, Any]:
    return {"disabled": [{"name": name} for name in names]}


DEFAULT = SchedulerConfiguration.default().profiles[0]


def test_a_default_that_multi_point_enables_again_keeps_its_place_and_takes_the_new_weight() -> None:
    changed = profile({"multiPoint": enabled("TaintToleration", NodeResourcesFit=7)})
    assert changed.score == DEFAULT.score
    assert changed.weights == {**DEFAULT.weights, "NodeResourcesFit": 7, "TaintToleration": 1}


def test_plugins_of_a_point_that_override_come_first_and_new_ones_last() -> None:
    changed = profile(
        {
            "multiPoint": disabled("NodeName"),
            "filter": enabled("NodePorts", "NodeName", "TaintToleration"),
            "score": enabled(NodeResourcesBalancedAllocation=5, NodeAffinity=0),
        }
    )
    rest = tuple(n for n in DEFAULT.filter if n not in {"NodePorts", "NodeName", "TaintToleration"})
    assert changed.filter == ("NodePorts", "TaintToleration", *rest, "NodeName")
    assert changed.score[:2] == ("NodeResourcesBalancedAllocation", "NodeAffinity")
    assert changed.weights["NodeResourcesBalancedAllocation"] == 5
    # A weight of 0 is none: 1, not the default's 2.
    assert changed.weights["NodeAffinity"] == 1


def test_the_own_weight_of_a_point_wins_over_that_of_multi_point() -> None:
    changed = profile({"multiPoint": enabled(NodeAffinity=9), "score": enabled(NodeAffinity=4)})
    assert changed.weights["NodeAffinity"] == 4


@pytest.mark.parametrize(
    ("plugins", "path"),
    [
        ({"queueSort": disabled("*")}, "queueSort"),
        ({"queueSort": disabled("PrioritySort")}, "queueSort"),
        ({"queueSort": enabled("Coscheduling")}, "queueSort"),
        ({"bind": disabled("*")}, "bind"),
        ({"multiPoint": disabled("*")}, "queueSort"),
        ({"filter": enabled("ImageLocality")}, "filter.enabled[0].name"),
        ({"score": enabled("NodeAffinity", "DefaultBinder")}, "score.enabled[1].name"),
        ({"filter": enabled("NodeName", "NodeName")}, "filter.enabled[1].name"),
        ({"multiPoint": disabled("NodeName") | enabled("NodeName", "NodeName")}, "multiPoint.enabled[1].name"),
        ({"multiPoint": enabled("NodeName", "NodeName")}, "multiPoint.enabled[0].name"),
        ({"filter": enabled("EBSLimits")}, "filter.enabled[0].name"),
        ({"multiPoint": enabled("CinderLimits")}, "multiPoint.enabled[0].name"),
        ({"filter": enabled("*")}, "filter.enabled[0].name"),
        ({"filter": enabled("")}, "filter.enabled[0].name"),
        ({"filter": {"enable": []}}, "filter.enable"),
        ({"filter": {"enabled": [{"name": "NodeName", "wieght": 1}]}}, "filter.enabled[0].wieght"),
        ({"filter": {"enabled": [{"name": "NodeName", "weight": "1"}]}}, "filter.enabled[0].weight"),
        ({"filter": {"enabled": [{"name": "NodeName", "weight": 2**31}]}}, "filter.enabled[0].weight"),
        ({"filter": {"enabled": ["NodeName"]}}, "filter.enabled[0]"),
        ({"filter": {"enabled": "NodeName"}}, "filter.enabled"),
        ({"filters": {}}, "filters"),
    ],
)
def test_plugin_sets_that_kube_scheduler_refuses(plugins: dict[str, Any], path: str) -> None:
    assert error_of(ConfigurationError, profile, plugins).path == f"profiles[0].plugins.{path}"


def test_a_repeated_plugin_that_takes_part_nowhere_through_multi_point_is_taken() -> None:
    # It is enabled where it takes part, so neither entry of multiPoint counts.
    plugins = {"multiPoint": enabled("NodeName", "NodeName"), "filter": enabled("NodeName")}
    assert profile(plugins).filter[0] == "NodeName"


def lists(point: str) -> st.SearchStrategy[list[str]]:
    """Plugins that can be enabled or disabled at a point without leaving the profile without a queue or a binder."""
    able = [name for name, points in ASSUMED.points.items() if point == "multiPoint" or point in points]
    return st.lists(st.sampled_from(sorted({*able} - {"PrioritySort", "DefaultBinder"})), max_size=4, unique=True)


CHANGEABLE = [*(p for p in POINTS if p not in {"queueSort", "bind", "permit", "postBind"}), "multiPoint"]
changes = st.fixed_dictionaries({}, optional={point: st.tuples(lists(point), lists(point)) for point in CHANGEABLE})


@given(changes)
def test_every_profile_lists_each_plugin_once_where_it_takes_part(sets: dict[str, tuple[list[str], list[str]]]) -> None:
    changed = profile({point: enabled(*on) | disabled(*off) for point, (on, off) in sets.items()})
    everywhere, nowhere = sets.get("multiPoint", ([], []))
    for point in ExtensionPoint:
        on, off = sets.get(point, ([], []))
        able = {name for name in ASSUMED.points if point in ASSUMED.points[name]}
        listed = getattr(changed, point.name.lower())
        assert len(set(listed)) == len(listed)
        assert set(listed) == {*on} | (able - ({*nowhere} - {*everywhere}) - {*off})
        # Its own plugins keep the order in which they are written, before and after those of multiPoint alike.
        by_default = able - ({*nowhere} - {*everywhere}) - {*off}
        first = [name for name in on if name in by_default]
        last = [name for name in on if name not in by_default]
        assert list(listed[: len(first)]) == first
        assert list(listed[len(listed) - len(last) :]) == last
    assert tuple(changed.weights) == changed.score


@given(st.permutations(sorted(ASSUMED.points)))
def test_the_whole_order_can_be_written_anew(order: list[str]) -> None:
    changed = profile({"multiPoint": enabled(*order) | disabled("*")})
    for point in ExtensionPoint:
        assert getattr(changed, point.name.lower()) == tuple(name for name in order if point in ASSUMED.points[name])

"""Configurations written out in full, and what one has otherwise than another."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import ConfigurationError, Profile, SchedulerConfiguration
from clusters.engine.configuration import (
    ExtensionPoint,
    PluginChange,
    compare_configurations,
    compare_profiles,
    plugins_at,
    spelled_out,
)
from clusters.engine.versions import ASSUMED

V1 = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
DEFAULT = SchedulerConfiguration.default()


def read(**fields: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict({**V1, **fields})


def profile(**fields: Any) -> Profile:
    return read(profiles=[fields]).profiles[0]


EXAMPLES: list[dict[str, Any]] = [
    {},
    {"parallelism": 4, "percentageOfNodesToScore": 30, "podInitialBackoffSeconds": 2, "podMaxBackoffSeconds": 60},
    {"profiles": [{"schedulerName": "a"}, {"schedulerName": "b", "percentageOfNodesToScore": 70}]},
    {
        "profiles": [
            {
                "plugins": {
                    "score": {
                        "disabled": [{"name": "ImageLocality"}],
                        "enabled": [{"name": "NodeResourcesFit", "weight": 7}, {"name": "Ours", "weight": 2}],
                    },
                    "multiPoint": {"enabled": [{"name": "Theirs"}], "disabled": [{"name": "NodePorts"}]},
                    "filter": {"enabled": [{"name": "TaintToleration"}]},
                },
                "pluginConfig": [
                    {
                        "name": "NodeResourcesFit",
                        "args": {
                            "ignoredResources": ["example.com/a"],
                            "scoringStrategy": {
                                "type": "RequestedToCapacityRatio",
                                "resources": [{"name": "cpu", "weight": 3}],
                                "requestedToCapacityRatio": {
                                    "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
                                },
                            },
                        },
                    },
                    {
                        "name": "PodTopologySpread",
                        "args": {
                            "defaultingType": "List",
                            "defaultConstraints": [
                                {"maxSkew": 2, "topologyKey": "example.com/rack", "whenUnsatisfiable": "DoNotSchedule"}
                            ],
                        },
                    },
                    {
                        "name": "NodeAffinity",
                        "args": {
                            "addedAffinity": {
                                "requiredDuringSchedulingIgnoredDuringExecution": {
                                    "nodeSelectorTerms": [
                                        {"matchExpressions": [{"key": "pool", "operator": "In", "values": ["a"]}]}
                                    ]
                                }
                            }
                        },
                    },
                    {"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": 5}},
                    {"name": "DynamicResources", "args": {"filterTimeout": "1500ms"}},
                    {"name": "VolumeBinding", "args": {"bindTimeoutSeconds": 30}},
                ],
            }
        ]
    },
    {
        "extenders": [
            {
                "urlPrefix": "http://extender",
                "filterVerb": "filter",
                "prioritizeVerb": "score",
                "weight": 3,
                "ignorable": True,
                "managedResources": [{"name": "example.com/gpu", "ignoredByScheduler": True}],
            }
        ]
    },
]


@pytest.mark.parametrize("fields", EXAMPLES)
def test_what_is_spelled_out_is_read_as_the_same(fields: dict[str, Any]) -> None:
    configuration = read(**fields)

    document = spelled_out(configuration)

    assert SchedulerConfiguration.from_dict(document) == configuration
    assert compare_configurations(configuration, SchedulerConfiguration.from_dict(document)).is_empty


_plugin = st.sampled_from([*ASSUMED.points, "Foreign"])
_entry = st.fixed_dictionaries({"name": _plugin}, optional={"weight": st.integers(1, 50)})
_set = st.fixed_dictionaries(
    {},
    optional={"enabled": st.lists(_entry, max_size=3), "disabled": st.lists(st.fixed_dictionaries({"name": _plugin}))},
)
_plugins = st.dictionaries(
    st.sampled_from(["multiPoint", *(point.value for point in ExtensionPoint)]), _set, max_size=4
)


def _without_order_of_scores(configuration: SchedulerConfiguration) -> Profile:
    (profile,) = configuration.profiles
    return replace(profile, score=tuple(sorted(profile.score)))


@settings(deadline=None)
@given(_plugins, _plugins)
def test_any_two_profiles_are_told_apart_by_what_is_said_of_them(one: dict[str, Any], other: dict[str, Any]) -> None:
    try:
        before, after = read(profiles=[{"plugins": one}]), read(profiles=[{"plugins": other}])
    except ConfigurationError:
        return

    difference = compare_profiles(before.profiles[0], after.profiles[0])

    for point in ExtensionPoint:
        said = [each for each in difference.plugins if each.point is point]
        assert {each.plugin for each in said if each.change is not PluginChange.REMOVED} == {
            *plugins_at(after.profiles[0], point)
        }
        assert {each.plugin for each in said if each.change is not PluginChange.ADDED} == {
            *plugins_at(before.profiles[0], point)
        }
    assert difference.is_empty == (_without_order_of_scores(before) == _without_order_of_scores(after))
    assert SchedulerConfiguration.from_dict(spelled_out(before)).profiles == before.profiles


def test_added_removed_and_reweighted_plugins_are_told() -> None:
    changed = profile(
        plugins={
            "score": {
                "disabled": [{"name": "ImageLocality"}],
                "enabled": [{"name": "NodeResourcesFit", "weight": 7}, {"name": "VolumeBinding"}],
            },
            "multiPoint": {"disabled": [{"name": "VolumeBinding"}]},
        }
    )

    found = compare_profiles(DEFAULT.profiles[0], changed).changed_plugins

    told = {(each.plugin, each.point.value): (each.change, each.weight_before, each.weight) for each in found}
    assert told[("ImageLocality", "score")] == (PluginChange.REMOVED, 1, 0)
    assert told[("NodeResourcesFit", "score")] == (PluginChange.WEIGHT, 1, 7)
    assert told[("VolumeBinding", "filter")] == (PluginChange.REMOVED, 0, 0)
    assert compare_profiles(DEFAULT.profiles[0], changed).reordered == ()


def test_another_order_is_told_but_that_of_scores() -> None:
    first = {"enabled": [{"name": "NodePorts"}]}
    changed = profile(plugins={"filter": first, "score": {"enabled": [{"name": "ImageLocality"}]}})

    (found,) = compare_profiles(DEFAULT.profiles[0], changed).reordered

    assert found.point is ExtensionPoint.FILTER
    assert (found.before[0], found.after[0]) == ("NodeUnschedulable", "NodePorts")


def test_changed_arguments_stand_beside_what_they_were() -> None:
    packing = profile(
        pluginConfig=[
            {
                "name": "NodeResourcesFit",
                "args": {"scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}},
            },
            {"name": "DynamicResources", "args": {"filterTimeout": "500ms"}},
        ]
    )

    found = compare_profiles(DEFAULT.profiles[0], packing).changed_settings

    assert [(each.plugin, each.name, each.before, each.value) for each in found] == [
        ("NodeResourcesFit", "scoringStrategy.type", "LeastAllocated", "MostAllocated"),
        (
            "NodeResourcesFit",
            "scoringStrategy.resources",
            [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}],
            [{"name": "cpu", "weight": 1}],
        ),
        ("DynamicResources", "filterTimeout", "10s", "500000000ns"),
    ]
    assert packing.args["DynamicResources"].filter_timeout == Fraction(1, 2)  # type: ignore[union-attr]


def test_profiles_come_and_go_and_the_whole_scheduler_has_settings() -> None:
    before = read(profiles=[{"schedulerName": "a"}, {"schedulerName": "b"}])
    after = read(
        profiles=[{"schedulerName": "b"}, {"schedulerName": "c"}], parallelism=2, extenders=[{"filterVerb": "filter"}]
    )

    found = compare_configurations(before, after)

    assert (found.added, found.removed, list(found.profiles)) == (("c",), ("a",), ["b"])
    assert found.profiles["b"].is_empty
    assert [setting.name for setting in found.settings if setting.is_changed] == ["parallelism"]
    assert (len(found.extenders), len(found.extenders_before)) == (1, 0)
    assert not found.is_empty


def test_plugins_that_kubernetes_does_not_bring_are_told() -> None:
    ours = profile(plugins={"filter": {"enabled": [{"name": "Ours"}]}})

    assert compare_profiles(DEFAULT.profiles[0], ours).unknown_added == {"Ours": ("filter",)}
    assert compare_profiles(ours, DEFAULT.profiles[0]).unknown_removed == {"Ours": ("filter",)}

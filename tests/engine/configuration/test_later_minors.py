"""What a configuration may hold in one minor and not in another."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.configuration import DynamicResourcesArgs
from clusters.engine.configuration.problems import BehindFeatureGate, NotAtPoint, OfAnotherStrategy
from clusters.engine.configuration.written import arguments_document
from clusters.engine.problems import BelowLeast
from clusters.engine.versions import RELEASES, Gate, Release

API = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
IDLE = {"type": "LeastAllocated", "requestedToCapacityRatio": {"shape": [{"utilization": 0, "score": 0}]}}
WITH_CONDITIONS = RELEASES["1.35"].with_gates({Gate.DRA_DEVICE_BINDING_CONDITIONS: True})
WITHOUT = RELEASES["1.36"].with_gates({Gate.DRA_DEVICE_BINDING_CONDITIONS: False})


def read(release: Release, **profile: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict({**API, "profiles": [profile]}, release)


def with_args(release: Release, plugin: str, **args: Any) -> Any:
    found = read(release, pluginConfig=[{"name": plugin, "args": args}])
    return found.profiles[0].args[plugin]


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
def test_an_idle_ratio_is_read_until_1_35(minor: str) -> None:
    assert with_args(RELEASES[minor], "NodeResourcesFit", scoringStrategy=IDLE).scoring_strategy.shape == ((0, 0),)


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_an_idle_ratio_is_refused_from_1_36_on(minor: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        with_args(RELEASES[minor], "NodeResourcesFit", scoringStrategy=IDLE)

    assert refused.value.path.endswith(".scoringStrategy.requestedToCapacityRatio")
    assert refused.value.problem == OfAnotherStrategy("LeastAllocated", "RequestedToCapacityRatio")


@pytest.mark.parametrize(
    ("release", "args", "expected"),
    [
        (RELEASES["1.34"], {}, None),
        (RELEASES["1.35"], {}, None),
        (WITH_CONDITIONS, {}, Fraction(600)),
        (RELEASES["1.36"], {}, Fraction(600)),
        (RELEASES["1.36"], {"bindingTimeout": "90s"}, Fraction(90)),
        (WITHOUT, {}, None),
    ],
)
def test_binding_waits_where_its_gate_is_on(release: Release, args: dict[str, Any], expected: Fraction | None) -> None:
    found = with_args(release, "DynamicResources", **args)

    assert found == DynamicResourcesArgs(binding_timeout=expected)
    assert read(release).profiles[0].args["DynamicResources"] == DynamicResourcesArgs(
        binding_timeout=None if expected is None else Fraction(600)
    )
    written = arguments_document(found)
    assert with_args(release, "DynamicResources", **written) == found


@pytest.mark.parametrize(
    ("release", "value", "problem"),
    [
        (RELEASES["1.35"], "90s", BehindFeatureGate(Gate.DRA_DEVICE_BINDING_CONDITIONS)),
        (WITHOUT, "90s", BehindFeatureGate(Gate.DRA_DEVICE_BINDING_CONDITIONS)),
        (RELEASES["1.36"], "500ms", BelowLeast("'500ms'", 1)),
    ],
)
def test_a_binding_timeout_is_refused_without_its_gate_or_below_a_second(
    release: Release, value: str, problem: object
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        with_args(release, "DynamicResources", bindingTimeout=value)

    assert refused.value.path.endswith(".bindingTimeout")
    assert refused.value.problem == problem


def test_1_34_does_not_know_the_binding_timeout() -> None:
    with pytest.raises(ConfigurationError) as refused:
        with_args(RELEASES["1.34"], "DynamicResources", bindingTimeout="90s")

    assert type(refused.value.problem).__name__ == "UnknownField"


@pytest.mark.parametrize(
    ("name", "since"), [("placementGenerate", "1.36"), ("placementScore", "1.36"), ("podGroupPostFilter", "1.37")]
)
def test_sets_of_plugins_for_groups_are_read_by_the_minors_that_have_them(name: str, since: str) -> None:
    minors = list(RELEASES)
    for minor in minors:
        plugins = {name: {"enabled": [{"name": "Own"}]}}
        if minors.index(minor) < minors.index(since):
            with pytest.raises(ConfigurationError):
                read(RELEASES[minor], plugins=plugins)
        else:
            assert read(RELEASES[minor], plugins=plugins).profiles == read(RELEASES[minor]).profiles


@pytest.mark.parametrize("plugin", ["NodeUnschedulable", "TaintToleration"])
def test_pre_filter_may_name_plugins_that_take_part_in_it_from_1_37_on(plugin: str) -> None:
    plugins = {"preFilter": {"enabled": [{"name": plugin}]}}

    for minor in ("1.34", "1.36"):
        with pytest.raises(ConfigurationError) as refused:
            read(RELEASES[minor], plugins=plugins)
        assert isinstance(refused.value.problem, NotAtPoint)
    assert read(RELEASES["1.37"], plugins=plugins).profiles[0].pre_filter[0] == plugin
    assert read(RELEASES["1.37"]).profiles[0].pre_filter[:3] == ("NodeName", "NodeUnschedulable", "TaintToleration")


def test_the_shape_of_storage_is_written_out_where_it_counts() -> None:
    shape = [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]

    found = with_args(RELEASES["1.37"], "VolumeBinding", shape=shape)

    assert arguments_document(found)["shape"] == shape

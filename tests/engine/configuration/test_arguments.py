from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from clusters.engine import ConfigurationError, Profile, SchedulerConfiguration
from clusters.engine.configuration import (
    Arguments,
    DefaultingType,
    DefaultPreemptionArgs,
    DynamicResourcesArgs,
    InterPodAffinityArgs,
    NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    ResourceWeight,
    ScoringStrategy,
    ShapePoint,
    StrategyType,
    VolumeBindingArgs,
)
from clusters.engine.problems import OutOfRange
from clusters.wording.problems import remedy_sentence

V1 = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
ARGS = "profiles[0].pluginConfig[0].args"


def configured(*plugin_config: Any) -> Profile:
    return SchedulerConfiguration.from_dict({**V1, "profiles": [{"pluginConfig": list(plugin_config)}]}).profiles[0]


def read(plugin: str, args: Any) -> Arguments:
    return configured({"name": plugin, "args": args}).args[plugin]


def strategy(**fields: Any) -> dict[str, Any]:
    return {"scoringStrategy": {"type": "LeastAllocated", **fields}}


def ratio(*points: tuple[int, int]) -> dict[str, Any]:
    shape = [{"utilization": utilization, "score": score} for utilization, score in points]
    return strategy(type="RequestedToCapacityRatio", requestedToCapacityRatio={"shape": shape})


def zone(**fields: Any) -> dict[str, Any]:
    return {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway", **fields}


def spread(*constraints: Any, defaulting: str = DefaultingType.LIST) -> dict[str, Any]:
    return {"defaultConstraints": list(constraints), "defaultingType": defaulting}


def affinity(*expressions: Any, kind: str = "matchExpressions") -> dict[str, Any]:
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{kind: list(expressions)}]}}


def preferred(*expressions: Any, weight: Any = 1) -> dict[str, Any]:
    preference = {"weight": weight, "preference": {"matchExpressions": list(expressions)}}
    return {"preferredDuringSchedulingIgnoredDuringExecution": [preference]}


AMD = {"key": "arch", "operator": "In", "values": ["amd64"]}

DEFAULTS = {
    "NodeResourcesFit": NodeResourcesFitArgs(),
    "NodeResourcesBalancedAllocation": NodeResourcesBalancedAllocationArgs(),
    "NodeAffinity": NodeAffinityArgs(),
    "PodTopologySpread": PodTopologySpreadArgs(),
    "InterPodAffinity": InterPodAffinityArgs(),
    "DefaultPreemption": DefaultPreemptionArgs(),
    "VolumeBinding": VolumeBindingArgs(),
    "DynamicResources": DynamicResourcesArgs(),
}


def test_without_plugin_config_every_plugin_has_its_defaults() -> None:
    assert configured().args == DEFAULTS
    assert DEFAULTS["NodeResourcesFit"] == NodeResourcesFitArgs(
        (),
        (),
        ScoringStrategy(StrategyType.LEAST_ALLOCATED, (ResourceWeight("cpu", 1), ResourceWeight("memory", 1)), ()),
    )
    assert DEFAULTS["InterPodAffinity"] == InterPodAffinityArgs(1, False)
    assert DEFAULTS["DefaultPreemption"] == DefaultPreemptionArgs(10, 100)
    assert DEFAULTS["VolumeBinding"] == VolumeBindingArgs(600, ())
    assert DEFAULTS["DynamicResources"] == DynamicResourcesArgs(Fraction(10))


@pytest.mark.parametrize("plugin", DEFAULTS)
@pytest.mark.parametrize("args", [None, {}, "named"])
def test_empty_arguments_are_the_defaults(plugin: str, args: Any) -> None:
    named = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": f"{plugin}Args"}
    assert read(plugin, named if args == "named" else args) == DEFAULTS[plugin]


def test_configuring_one_plugin_leaves_the_others() -> None:
    assert configured({"name": "VolumeBinding", "args": {"bindTimeoutSeconds": 5}}).args == {
        **DEFAULTS,
        "VolumeBinding": VolumeBindingArgs(5),
    }


@pytest.mark.parametrize(
    ("plugin", "args", "expected"),
    [
        (
            "NodeResourcesFit",
            {"ignoredResources": ["example.com/foo"], "ignoredResourceGroups": ["example.org"]},
            NodeResourcesFitArgs(("example.com/foo",), ("example.org",)),
        ),
        (
            "NodeResourcesFit",
            strategy(
                type="MostAllocated",
                resources=[{"name": "cpu", "weight": 100}, {"name": "a/b"}, {"name": "c", "weight": 0}],
            ),
            NodeResourcesFitArgs(
                (),
                (),
                ScoringStrategy(
                    StrategyType.MOST_ALLOCATED,
                    (ResourceWeight("cpu", 100), ResourceWeight("a/b", 1), ResourceWeight("c", 1)),
                ),
            ),
        ),
        (
            "NodeResourcesFit",
            ratio((0, 0), (40, 9), (100, 3)),
            NodeResourcesFitArgs(
                (),
                (),
                ScoringStrategy(
                    StrategyType.REQUESTED_TO_CAPACITY_RATIO,
                    (ResourceWeight("cpu", 1), ResourceWeight("memory", 1)),
                    (ShapePoint(0, 0), ShapePoint(40, 9), ShapePoint(100, 3)),
                ),
            ),
        ),
        (
            "NodeResourcesBalancedAllocation",
            {"resources": [{"name": "cpu", "weight": 1}, {"name": "ephemeral-storage"}]},
            NodeResourcesBalancedAllocationArgs((ResourceWeight("cpu", 1), ResourceWeight("ephemeral-storage", 1))),
        ),
        ("NodeAffinity", {"addedAffinity": affinity(AMD)}, NodeAffinityArgs(affinity(AMD))),
        ("NodeAffinity", {"addedAffinity": preferred(AMD)}, NodeAffinityArgs(preferred(AMD))),
        ("PodTopologySpread", spread(), PodTopologySpreadArgs((), DefaultingType.LIST)),
        ("PodTopologySpread", spread(defaulting=""), PodTopologySpreadArgs()),
        (
            "PodTopologySpread",
            spread(zone(), zone(whenUnsatisfiable="DoNotSchedule", minDomains=3)),
            PodTopologySpreadArgs((zone(), zone(whenUnsatisfiable="DoNotSchedule", minDomains=3)), DefaultingType.LIST),
        ),
        (
            "InterPodAffinity",
            {"hardPodAffinityWeight": 0, "ignorePreferredTermsOfExistingPods": True},
            InterPodAffinityArgs(0, True),
        ),
        ("DefaultPreemption", {"minCandidateNodesPercentage": 0}, DefaultPreemptionArgs(0, 100)),
        ("DefaultPreemption", {"minCandidateNodesAbsolute": 0}, DefaultPreemptionArgs(10, 0)),
        ("VolumeBinding", {"bindTimeoutSeconds": 0}, VolumeBindingArgs(0)),
        ("DynamicResources", {"filterTimeout": "1m1.5s"}, DynamicResourcesArgs(Fraction(123, 2))),
        ("DynamicResources", {"filterTimeout": "0"}, DynamicResourcesArgs(Fraction(0))),
        ("DynamicResources", {"filterTimeout": "250ms"}, DynamicResourcesArgs(Fraction(1, 4))),
    ],
)
def test_arguments_are_read(plugin: str, args: Any, expected: Arguments) -> None:
    assert read(plugin, args) == expected


@pytest.mark.parametrize(
    ("plugin", "args", "path"),
    [
        ("NodeResourcesFit", {"ignoredResources": ["ok", "not ok"]}, ".ignoredResources[1]"),
        ("NodeResourcesFit", {"ignoredResources": [1]}, ".ignoredResources[0]"),
        ("NodeResourcesFit", {"ignoredResourceGroups": ["example.com/foo"]}, ".ignoredResourceGroups[0]"),
        ("NodeResourcesFit", {"ignoredResourceGroups": [""]}, ".ignoredResourceGroups[0]"),
        ("NodeResourcesFit", {"scoringStrategy": {}}, ".scoringStrategy.type"),
        ("NodeResourcesFit", strategy(type="Least"), ".scoringStrategy.type"),
        (
            "NodeResourcesFit",
            strategy(resources=[{"name": "cpu", "weight": 101}]),
            ".scoringStrategy.resources[0].weight",
        ),
        (
            "NodeResourcesFit",
            strategy(resources=[{"name": "a"}, {"name": "b", "weight": -1}]),
            ".scoringStrategy.resources[1].weight",
        ),
        (
            "NodeResourcesFit",
            strategy(resources=[{"name": "a", "weight": 1.0}]),
            ".scoringStrategy.resources[0].weight",
        ),
        ("NodeResourcesFit", strategy(resources={"name": "a"}), ".scoringStrategy.resources"),
        ("NodeResourcesFit", ratio(), ".scoringStrategy.requestedToCapacityRatio.shape"),
        (
            "NodeResourcesFit",
            strategy(type="RequestedToCapacityRatio"),
            ".scoringStrategy.requestedToCapacityRatio.shape",
        ),
        ("NodeResourcesFit", strategy(requestedToCapacityRatio={}), ".scoringStrategy.requestedToCapacityRatio.shape"),
        ("NodeResourcesFit", ratio((0, 0), (0, 1)), ".scoringStrategy.requestedToCapacityRatio.shape[1].utilization"),
        ("NodeResourcesFit", ratio((0, 0), (101, 1)), ".scoringStrategy.requestedToCapacityRatio.shape[1].utilization"),
        ("NodeResourcesFit", ratio((-1, 0)), ".scoringStrategy.requestedToCapacityRatio.shape[0].utilization"),
        ("NodeResourcesFit", ratio((0, 11)), ".scoringStrategy.requestedToCapacityRatio.shape[0].score"),
        ("NodeResourcesFit", ratio((0, -1)), ".scoringStrategy.requestedToCapacityRatio.shape[0].score"),
        ("NodeResourcesFit", {"scoring": {}}, ".scoring"),
        ("NodeResourcesFit", [], ""),
        ("NodeResourcesFit", {"kind": "NodeAffinityArgs"}, ".kind"),
        ("NodeResourcesFit", {"apiVersion": "kubescheduler.config.k8s.io/v1alpha1"}, ".apiVersion"),
        ("NodeResourcesBalancedAllocation", {"resources": [{"name": "cpu", "weight": 2}]}, ".resources[0].weight"),
        ("NodeResourcesBalancedAllocation", {"resources": [{"name": "cpu"}, {"name": "cpu"}]}, ".resources[1].name"),
        (
            "NodeAffinity",
            {"addedAffinity": affinity({"key": "arch", "operator": "in", "values": ["a"]})},
            ".addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator",
        ),
        (
            "NodeAffinity",
            {"addedAffinity": affinity({"key": "arch", "operator": "In", "value": ["a"]})},
            ".addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].value",
        ),
        (
            "NodeAffinity",
            {
                "addedAffinity": affinity(
                    {"key": "metadata.name", "operator": "In", "values": ["a", "b"]}, kind="matchFields"
                )
            },
            ".addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values",
        ),
        (
            "NodeAffinity",
            {"addedAffinity": preferred({"key": "cores", "operator": "Gt", "values": ["many"]}, AMD | {"key": "-"})},
            ".addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].matchExpressions[0].values[0]",
        ),
        (
            "NodeAffinity",
            {"addedAffinity": preferred(AMD, weight="1")},
            ".addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
        ),
        ("NodeAffinity", {"addedAffinity": {"required": {}}}, ".addedAffinity.required"),
        ("PodTopologySpread", spread(zone(), defaulting="System"), ".defaultingType"),
        ("PodTopologySpread", {"defaultConstraints": [zone()]}, ".defaultingType"),
        ("PodTopologySpread", spread(defaulting="None"), ".defaultingType"),
        ("PodTopologySpread", spread(zone(maxSkew=0)), ".defaultConstraints[0].maxSkew"),
        ("PodTopologySpread", spread(zone(topologyKey="")), ".defaultConstraints[0].topologyKey"),
        ("PodTopologySpread", spread(zone(topologyKey="a b")), ".defaultConstraints[0].topologyKey"),
        ("PodTopologySpread", spread(zone(whenUnsatisfiable="")), ".defaultConstraints[0].whenUnsatisfiable"),
        ("PodTopologySpread", spread(zone(whenUnsatisfiable="Never")), ".defaultConstraints[0].whenUnsatisfiable"),
        ("PodTopologySpread", spread(zone(labelSelector={})), ".defaultConstraints[0].labelSelector"),
        ("PodTopologySpread", spread(zone(), zone(maxSkew=2)), ".defaultConstraints[1]"),
        ("PodTopologySpread", spread(zone(minDomains="2")), ".defaultConstraints[0].minDomains"),
        ("PodTopologySpread", spread(zone(skew=2)), ".defaultConstraints[0].skew"),
        ("InterPodAffinity", {"hardPodAffinityWeight": 101}, ".hardPodAffinityWeight"),
        ("InterPodAffinity", {"hardPodAffinityWeight": -1}, ".hardPodAffinityWeight"),
        ("InterPodAffinity", {"hardPodAffinityWeight": True}, ".hardPodAffinityWeight"),
        ("InterPodAffinity", {"ignorePreferredTermsOfExistingPods": "yes"}, ".ignorePreferredTermsOfExistingPods"),
        ("DefaultPreemption", {"minCandidateNodesPercentage": 101}, ".minCandidateNodesPercentage"),
        ("DefaultPreemption", {"minCandidateNodesAbsolute": -1}, ".minCandidateNodesAbsolute"),
        (
            "DefaultPreemption",
            {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 0},
            ".minCandidateNodesPercentage",
        ),
        ("VolumeBinding", {"bindTimeoutSeconds": -1}, ".bindTimeoutSeconds"),
        ("VolumeBinding", {"bindTimeoutSeconds": 2**63}, ".bindTimeoutSeconds"),
        ("VolumeBinding", {"shape": [{"utilization": 0, "score": 0}]}, ".shape"),
        ("DynamicResources", {"filterTimeout": "-1s"}, ".filterTimeout"),
        ("DynamicResources", {"filterTimeout": "10"}, ".filterTimeout"),
        ("DynamicResources", {"filterTimeout": "ten seconds"}, ".filterTimeout"),
        ("DynamicResources", {"filterTimeout": 10}, ".filterTimeout"),
        ("DynamicResources", {"filterTimeout": "9999999h"}, ".filterTimeout"),
    ],
)
def test_arguments_that_kube_scheduler_refuses(plugin: str, args: Any, path: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(plugin, args)
    assert raised.value.path == ARGS + path
    assert str(raised.value).startswith(f"{ARGS}{path}: ")
    assert remedy_sentence(raised.value.problem)


def test_the_path_counts_the_entries() -> None:
    with pytest.raises(ConfigurationError) as raised:
        configured(
            {"name": "NodeAffinity"},
            {"name": "VolumeBinding"},
            {"name": "NodeResourcesFit", "args": strategy(resources=[{"name": "cpu", "weight": 101}])},
        )
    assert raised.value.path == "profiles[0].pluginConfig[2].args.scoringStrategy.resources[0].weight"
    assert raised.value.problem == OutOfRange("101", 1, 100)


@pytest.mark.parametrize(
    ("plugin_config", "path"),
    [
        ([{"name": "NodeAffinity"}, {"name": "NodeAffinity"}], "pluginConfig[1].name"),
        ([{"name": "Theirs"}, {"name": "Theirs"}], "pluginConfig[1].name"),
        ([{"name": "EBSLimits"}], "pluginConfig[0].name"),
        ([{"name": "NodeAffinity", "arguments": {}}], "pluginConfig[0].arguments"),
    ],
)
def test_plugin_configs_that_kube_scheduler_refuses(plugin_config: list[Any], path: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        configured(*plugin_config)
    assert raised.value.path == f"profiles[0].{path}"


def test_arguments_of_plugins_that_are_not_known_are_theirs_alone() -> None:
    assert (
        configured({"name": "Theirs", "args": {"any": ["thing"]}}, {"name": "NodeName", "args": {"any": 1}}).args
        == DEFAULTS
    )

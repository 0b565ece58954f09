""""""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.engine import ConfigurationError, Profile, SchedulerConfiguration, UnknownScheduler
from clusters.engine.configuration import (
    Arguments,
    DefaultingType,
    DefaultPreemptionArgs,
    DynamicResourcesArgs,
    Extender,
    ExtensionPoint,
    InterPodAffinityArgs,
    ManagedResource,
    NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PluginChange,
    PodTopologySpreadArgs,
    ResourceWeight,
    ScoringStrategy,
    ShapePoint,
    StrategyType,
    VolumeBindingArgs,
    compare_configurations,
    compare_profiles,
    plugins_at,
    spelled_out,
)
from clusters.engine.configuration.problems import BehindFeatureGate
from clusters.engine.configuration.written import arguments_document
from clusters.engine.problems import BelowLeast, NotAMap, OnlyBeside, OutOfRange, shown
from clusters.engine.versions import ASSUMED, RELEASES, Gate, Release
from clusters.wording.problems import problem_sentence
from tests.support.answers import error_of

V1 = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def read(**fields: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict({**V1, **fields})


def test_a_pod_of_another_scheduler_is_told_which_there_are() -> None:
    configuration = read(profiles=[{"schedulerName": "first"}, {"schedulerName": "second"}])
    with pytest.raises(UnknownScheduler, match=r"'volcano'.*'first', 'second'") as raised:
        configuration.profile_for({"spec": {"schedulerName": "volcano"}})
    assert str(raised.value) == "NoScheduler(found=\"'volcano'\", known=('first', 'second'))"
    assert raised.value.scheduler_name == "volcano"
    assert raised.value.known == ("first", "second")
    with pytest.raises(KeyError):
        configuration.profile_for({})


def both(plugins: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"schedulerName": "a"}, {"schedulerName": "b", "plugins": plugins}]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"apiVersion": "kubescheduler.config.k8s.io/v1beta4"}, "apiVersion"),
        ({"apiVersion": "kubescheduler.config.k8s.io/v1alpha3"}, "apiVersion"),
        ({"apiVersion": "v1"}, "apiVersion"),
        ({"apiVersion": None}, "apiVersion"),
        ({"kind": "Policy"}, "kind"),
        ({"kind": None}, "kind"),
        ({"profile": []}, "profile"),
        ({"Profiles": []}, "Profiles"),
        ({"profiles": {}}, "profiles"),
        ({"profiles": ["a"]}, "profiles[0]"),
        ({"profiles": [{"name": "a"}]}, "profiles[0].name"),
        ({"profiles": [{"schedulerName": 1}]}, "profiles[0].schedulerName"),
        ({"profiles": [{"schedulerName": ""}]}, "profiles[0].schedulerName"),
        ({"profiles": [{"schedulerName": "a"}, {}]}, "profiles[1].schedulerName"),
        ({"profiles": [{"schedulerName": "a"}, {"schedulerName": "a"}]}, "profiles[1].schedulerName"),
        ({"profiles": [{"percentageOfNodesToScore": 101}]}, "profiles[0].percentageOfNodesToScore"),
        (
            {"profiles": both({"queueSort": {"disabled": [{"name": "*"}], "enabled": [{"name": "Theirs"}]}})},
            "profiles[1].plugins.queueSort",
        ),
        ({"profiles": both({"queueSort": {"enabled": [{"name": "PrioritySort"}]}})}, "profiles[1].plugins.queueSort"),
        ({"percentageOfNodesToScore": -1}, "percentageOfNodesToScore"),
        ({"parallelism": 0}, "parallelism"),
        ({"podInitialBackoffSeconds": 0}, "podInitialBackoffSeconds"),
        ({"podMaxBackoffSeconds": 1, "podInitialBackoffSeconds": 2}, "podMaxBackoffSeconds"),
        ({"enableProfiling": "no"}, "enableProfiling"),
        ({"leaderElection": {"leaseDuration": 15}}, "leaderElection.leaseDuration"),
        ({"leaderElection": {"lease": "15s"}}, "leaderElection.lease"),
        ({"clientConnection": {"qps": "50"}}, "clientConnection.qps"),
        ({"extenders": [{"url": "http://x"}]}, "extenders[0].url"),
        ({"extenders": [{"urlPrefix": "http://x", "prioritizeVerb": "p"}]}, "extenders[0].weight"),
        ({"extenders": [{"bindVerb": "b"}, {"bindVerb": "b"}]}, "extenders[1].bindVerb"),
        ({"extenders": [{"managedResources": [{"name": "cpu"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": [{"managedResources": [{"name": "a b"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": [{"managedResources": [{"name": "kubernetes.io/x"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": [{"managedResources": [{"name": "requests.a/x"}]}]}, "extenders[0].managedResources[0].name"),
        (
            {"extenders": [{"managedResources": [{"name": "a/b"}]}, {"managedResources": [{"name": "a/b"}]}]},
            "extenders[1].managedResources[0].name",
        ),
        ({"extenders": [{"tlsConfig": {"ca": "x"}}]}, "extenders[0].tlsConfig.ca"),
        ({"extenders": [{"httpTimeout": "soon"}]}, "extenders[0].httpTimeout"),
    ],
)
def test_configurations_that_kube_scheduler_refuses(fields: dict[str, Any], path: str) -> None:
    raised = error_of(ConfigurationError, read, **fields)
    assert raised.path == path
    assert problem_sentence(raised.problem)


@pytest.mark.parametrize("data", [None, [], "text", 1])
def test_what_is_no_mapping_is_refused(data: Any) -> None:
    raised = error_of(ConfigurationError, SchedulerConfiguration.from_dict, data)
    assert raised.path == ""
    assert raised.problem == NotAMap(shown(data), ("apiVersion", "kind", "profiles"))


def test_extenders_are_kept_in_the_order_of_asking() -> None:
    configuration = read(
        extenders=[
            {"urlPrefix": "http://maybe", "filterVerb": "filter", "ignorable": True},
            {
                "urlPrefix": "https://gpu",
                "filterVerb": "filter",
                "prioritizeVerb": "rate",
                "preemptVerb": "preempt",
                "bindVerb": "bind",
                "weight": 5,
                "enableHTTPS": True,
                "httpTimeout": "30s",
                "nodeCacheCapable": True,
                "tlsConfig": {"insecure": True, "caFile": "/ca"},
                "managedResources": [{"name": "example.com/gpu"}],
            },
        ]
    )
    assert configuration.extenders == (
        Extender(
            url_prefix="https://gpu",
            filter_verb="filter",
            preempt_verb="preempt",
            prioritize_verb="rate",
            bind_verb="bind",
            weight=5,
            ignorable=False,
            managed_resources=(ManagedResource("example.com/gpu", False),),
            node_cache_capable=True,
            timeout=Fraction(30),
            enable_https=True,
            insecure=True,
            ca_file="/ca",
        ),
        Extender("http://maybe", "filter", "", "", "", 0, True, ()),
    )


ARGS = "profiles[0].pluginConfig[0].args"


def configured(*plugin_config: Any) -> Profile:
    return SchedulerConfiguration.from_dict({**V1, "profiles": [{"pluginConfig": list(plugin_config)}]}).profiles[0]


def read_arguments(plugin: str, args: Any) -> Arguments:
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
    assert read_arguments(plugin, args) == expected


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
    raised = error_of(ConfigurationError, read_arguments, plugin, args)
    assert raised.path == ARGS + path
    assert str(raised).startswith(f"{ARGS}{path}: ")


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
    assert error_of(ConfigurationError, configured, *plugin_config).path == f"profiles[0].{path}"


def test_arguments_of_plugins_that_are_not_known_are_theirs_alone() -> None:
    assert (
        configured({"name": "Theirs", "args": {"any": ["thing"]}}, {"name": "NodeName", "args": {"any": 1}}).args
        == DEFAULTS
    )


DEFAULT = SchedulerConfiguration.default()


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


def test_plugins_that_kubernetes_does_not_bring_are_told() -> None:
    ours = profile(plugins={"filter": {"enabled": [{"name": "Ours"}]}})

    assert compare_profiles(DEFAULT.profiles[0], ours).unknown_added == {"Ours": ("filter",)}
    assert compare_profiles(ours, DEFAULT.profiles[0]).unknown_removed == {"Ours": ("filter",)}


API = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
IDLE = {"type": "LeastAllocated", "requestedToCapacityRatio": {"shape": [{"utilization": 0, "score": 0}]}}
WITHOUT = RELEASES["1.36"].with_gates({Gate.DRA_DEVICE_BINDING_CONDITIONS: False})


def read_under(release: Release, **profile: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict({**API, "profiles": [profile]}, release)


def with_args(release: Release, plugin: str, **args: Any) -> Any:
    return read_under(release, pluginConfig=[{"name": plugin, "args": args}]).profiles[0].args[plugin]


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_an_idle_ratio_is_refused_from_1_36_on(minor: str) -> None:
    refused = error_of(ConfigurationError, with_args, RELEASES[minor], "NodeResourcesFit", scoringStrategy=IDLE)

    assert refused.path.endswith(".scoringStrategy.requestedToCapacityRatio")
    assert refused.problem == OnlyBeside("type", "RequestedToCapacityRatio")


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
    refused = error_of(ConfigurationError, with_args, release, "DynamicResources", bindingTimeout=value)

    assert refused.path.endswith(".bindingTimeout")
    assert refused.problem == problem


GROUPING = RELEASES["1.38"].with_gates({Gate.GENERIC_WORKLOAD: True, Gate.TOPOLOGY_AWARE_WORKLOADS: True})
PLACEMENTS = "percentageOfPlacementsToScore"


def test_the_percentage_of_placements_is_read_from_1_38_where_its_gate_is_on() -> None:
    without = error_of(ConfigurationError, read_under, RELEASES["1.38"], **{PLACEMENTS: 50})
    earlier = error_of(ConfigurationError, read_under, RELEASES["1.37"], **{PLACEMENTS: 50})
    too_many = error_of(ConfigurationError, read_under, GROUPING, **{PLACEMENTS: 101})
    whole = error_of(ConfigurationError, SchedulerConfiguration.from_dict, {**API, PLACEMENTS: 50}, RELEASES["1.38"])

    assert (without.path, without.problem) == (
        f"profiles[0].{PLACEMENTS}",
        BehindFeatureGate(Gate.TOPOLOGY_AWARE_WORKLOADS),
    )
    assert earlier.path == without.path
    assert not isinstance(earlier.problem, BehindFeatureGate)
    assert (too_many.path, too_many.problem) == (without.path, OutOfRange("101", 0, 100))
    assert (whole.path, whole.problem) == (PLACEMENTS, without.problem)
    assert read_under(GROUPING, **{PLACEMENTS: 50}) == read_under(GROUPING)


@pytest.mark.parametrize(("gates", "expected"), [({}, False), ({Gate.GENERIC_WORKLOAD: True}, True)])
def test_from_1_38_preemption_reserves_where_groups_are_known(gates: dict[Gate, bool], *, expected: bool) -> None:
    release = RELEASES["1.38"].with_gates(gates)
    named = {"reserve": {"enabled": [{"name": "DefaultPreemption"}]}}

    assert ("DefaultPreemption" in SchedulerConfiguration.default(release).profiles[0].reserve) is expected
    assert "DefaultPreemption" in read_under(release, plugins=named).profiles[0].reserve


@pytest.mark.parametrize(("minor", "expected"), [("1.37", True), ("1.38", False)])
def test_until_1_37_pods_of_groups_wait_at_permit(minor: str, *, expected: bool) -> None:
    release = RELEASES[minor].with_gates({Gate.GENERIC_WORKLOAD: True})

    (profile,) = SchedulerConfiguration.default(release).profiles
    assert "GangScheduling" in profile.pre_enqueue
    assert ("GangScheduling" in profile.permit) is expected


def test_the_shape_of_storage_is_written_out_where_it_counts() -> None:
    shape = [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]

    assert arguments_document(with_args(RELEASES["1.37"], "VolumeBinding", shape=shape))["shape"] == shape


def test_the_path_counts_the_entries() -> None:
    raised = error_of(
        ConfigurationError,
        configured,
        {"name": "NodeAffinity"},
        {"name": "VolumeBinding"},
        {"name": "NodeResourcesFit", "args": strategy(resources=[{"name": "cpu", "weight": 101}])},
    )
    assert raised.path == "profiles[0].pluginConfig[2].args.scoringStrategy.resources[0].weight"
    assert raised.problem == OutOfRange("101", 1, 100)

"""Configurations of former versions of the API mean in v1 what they meant to the kube-scheduler of their time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import ConfigurationError, Profile, SchedulerConfiguration
from clusters.engine.configuration import (
    InterPodAffinityArgs,
    LegacyNote,
    NodeAffinityArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    Translation,
    VolumeBindingArgs,
    translated,
)

GROUP = "kubescheduler.config.k8s.io"
# The defaults of Kubernetes 1.22 (default_plugins.go of v1beta1), a second time.
FILTERS = [
    *("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit"),
    *("VolumeRestrictions", "EBSLimits", "GCEPDLimits", "NodeVolumeLimits", "AzureDiskLimits", "VolumeBinding"),
    *("VolumeZone", "PodTopologySpread", "InterPodAffinity"),
]
SCORES = {
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
    "InterPodAffinity": 1,
    "NodeResourcesLeastAllocated": 1,
    "NodeAffinity": 1,
    "NodePreferAvoidPods": 10000,
    "PodTopologySpread": 2,
    "TaintToleration": 1,
}
RESOURCE_SCORES = {"NodeResourcesLeastAllocated": "LeastAllocated", "NodeResourcesMostAllocated": "MostAllocated"}
COUNTED = {"EBSLimits", "GCEPDLimits", "AzureDiskLimits", "NodeVolumeLimits"}
# Later than 1.22, or at an extension point that they did not have.
NEWER = {"DynamicResources", "VolumeBinding"}


def configuration(version: str, **fields: Any) -> dict[str, Any]:
    group = "" if "/" in version else f"{GROUP}/"
    return {"apiVersion": f"{group}{version}", "kind": "KubeSchedulerConfiguration", **fields}


def read(version: str, **fields: Any) -> Profile:
    return SchedulerConfiguration.from_dict(configuration(version, **fields)).profiles[0]


def translation(version: str, **fields: Any) -> Translation:
    found = translated(configuration(version, **fields))
    assert found is not None
    return found


def fit_of(profile: Profile) -> NodeResourcesFitArgs:
    found = profile.args["NodeResourcesFit"]
    assert isinstance(found, NodeResourcesFitArgs)
    return found


def entries(names: list[str]) -> list[dict[str, Any]]:
    return [{"name": name} for name in names]


some_filters = st.lists(st.sampled_from([*FILTERS, "*"]), unique=True, max_size=6)
more_filters = st.lists(st.sampled_from(FILTERS), unique=True, max_size=4)
some_scores = st.lists(st.sampled_from([*SCORES, "*"]), unique=True, max_size=5)
more_scores = st.dictionaries(st.sampled_from([*SCORES, "NodeResourcesMostAllocated"]), st.integers(1, 9), max_size=4)


@given(st.sampled_from(("v1alpha2", "v1beta1")), some_filters, more_filters, some_scores, more_scores)
def test_plugins_and_weights_are_those_that_were_enabled(
    version: str, filters_off: list[str], filters_on: list[str], scores_off: list[str], scores_on: dict[str, int]
) -> None:
    plugins = {
        "filter": {"disabled": entries(filters_off), "enabled": entries(filters_on)},
        "score": {
            "disabled": entries(scores_off),
            "enabled": [{"name": name, "weight": weight} for name, weight in scores_on.items()],
        },
    }

    profile = read(version, profiles=[{"plugins": plugins}])

    kept = [] if "*" in filters_off else [name for name in FILTERS if name not in filters_off]
    filters = {*kept, *filters_on}
    # Those that count volumes are one plugin today, which goes only by its own name.
    counts = {"NodeVolumeLimits"} if _counts_volumes(filters_off, filters_on) else set()
    assert {*profile.filter} - NEWER == {*(filters - COUNTED), *counts} - NEWER
    assert ("VolumeBinding" in profile.filter) == ("VolumeBinding" in filters)

    weights = {} if "*" in scores_off else {name: SCORES[name] for name in SCORES if name not in scores_off}
    weights |= scores_on
    resources = {name: weights.pop(name) for name in RESOURCE_SCORES if name in weights}
    weights.pop("NodePreferAvoidPods", None)
    if resources:
        heaviest = max(resources.values())
        weights["NodeResourcesFit"] = heaviest
        kinds = {RESOURCE_SCORES[name] for name, weight in resources.items() if weight == heaviest}
        assert str(fit_of(profile).scoring_strategy.type) in kinds
    assert {name: weight for name, weight in profile.weights.items() if name not in NEWER} == weights


def _counts_volumes(off: list[str], on: list[str]) -> bool:
    if "*" in off or "NodeVolumeLimits" in off:
        return bool(COUNTED & {*on})
    return True


@pytest.mark.parametrize("version", ["componentconfig/v1alpha1", "v1alpha1", "v1alpha2", "v1beta1", "v1beta2"])
def test_default_weights_of_the_time_are_written_down(version: str) -> None:
    found = translation(version)

    assert read(version).weights == {
        **SchedulerConfiguration.default().profiles[0].weights,
        "InterPodAffinity": 1,
        "NodeAffinity": 1,
        "TaintToleration": 1,
    }
    assert [entry.name for entry in found.entries if LegacyNote.DEFAULT_WEIGHT in entry.notes] == [
        "InterPodAffinity",
        "NodeAffinity",
        "TaintToleration",
    ]
    assert found.source == f"KubeSchedulerConfiguration {version.rpartition('/')[2]}"


def test_v1beta3_has_the_weights_of_today() -> None:
    assert read("v1beta3") == SchedulerConfiguration.default().profiles[0]
    assert translation("v1beta3").entries == ()


def test_s64_preemption_that_is_off_is_a_plugin_that_is_disabled() -> None:
    found = translation("v1alpha1", algorithmSource={"provider": "DefaultProvider"}, disablePreemption=True)

    profile = SchedulerConfiguration.from_dict(found.document).profiles[0]
    assert "DefaultPreemption" not in profile.post_filter
    (entry,) = [entry for entry in found.entries if entry.field == "disablePreemption"]
    assert entry.notes == (LegacyNote.PREEMPTION_OFF,)
    assert "DefaultPreemption" in read("v1alpha1", disablePreemption=False).post_filter
    both = configuration("v1alpha2", disablePreemption=True, profiles=[{"schedulerName": "a"}, {"schedulerName": "b"}])
    for each in SchedulerConfiguration.from_dict(both).profiles:
        assert "DefaultPreemption" not in each.post_filter


def test_settings_of_v1alpha1_are_arguments_of_its_one_profile() -> None:
    profile = read(
        "v1alpha1",
        schedulerName="mine",
        hardPodAffinitySymmetricWeight=9,
        bindTimeoutSeconds=30,
        pluginConfig=[{"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": 2}}],
        plugins={"postFilter": {"enabled": [{"name": "Ours"}]}, "unreserve": {"enabled": [{"name": "Ours"}]}},
        leaderElection={"leaderElect": True, "lockObjectName": "mine", "lockObjectNamespace": "there"},
        healthzBindAddress="0.0.0.0:10251",
        metricsBindAddress="0.0.0.0:10251",
    )

    assert profile.scheduler_name == "mine"
    assert profile.args["InterPodAffinity"] == InterPodAffinityArgs(9)
    assert profile.args["VolumeBinding"] == VolumeBindingArgs(30)
    assert profile.unknown_plugins == {"Ours": ("preScore", "reserve")}


def test_the_autoscaler_s_provider_packs() -> None:
    profile = read("v1alpha1", algorithmSource={"provider": "ClusterAutoscalerProvider"})

    assert fit_of(profile).scoring_strategy.type == "MostAllocated"


def test_arguments_of_plugins_that_were_merged() -> None:
    shape = [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]
    profile = read(
        "v1beta1",
        profiles=[
            {
                "plugins": {
                    "score": {
                        "disabled": [{"name": "NodeResourcesLeastAllocated"}],
                        "enabled": [{"name": "RequestedToCapacityRatio", "weight": 5}],
                    },
                    "filter": {"enabled": [{"name": "NodeLabel"}]},
                },
                "pluginConfig": [
                    {"name": "NodeLabel", "args": {"presentLabels": ["rack"], "absentLabels": ["old"]}},
                    {"name": "NodeResourcesFit", "args": {"ignoredResources": ["a/b"]}},
                    {
                        "name": "RequestedToCapacityRatio",
                        "args": {"apiVersion": f"{GROUP}/v1beta1", "shape": shape, "resources": [{"name": "cpu"}]},
                    },
                    {
                        "name": "PodTopologySpread",
                        "args": {
                            "apiVersion": f"{GROUP}/v1beta1",
                            "defaultConstraints": [
                                {"maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "ScheduleAnyway"}
                            ],
                        },
                    },
                ],
            }
        ],
    )

    fit, spread, affinity = fit_of(profile), profile.args["PodTopologySpread"], profile.args["NodeAffinity"]
    assert profile.weights["NodeResourcesFit"] == 5
    assert fit.ignored_resources == ("a/b",)
    assert fit.scoring_strategy.shape == ((0, 10), (100, 0))
    assert fit.scoring_strategy.resources == (("cpu", 1),)
    assert isinstance(spread, PodTopologySpreadArgs)
    assert str(spread.defaulting_type) == "List"
    assert isinstance(affinity, NodeAffinityArgs)
    assert affinity.added_affinity == {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {
                    "matchExpressions": [
                        {"key": "rack", "operator": "Exists"},
                        {"key": "old", "operator": "DoesNotExist"},
                    ]
                }
            ]
        }
    }


@pytest.mark.parametrize("name", ["NodePreferAvoidPods", "AzureDiskLimits", "SelectorSpread"])
def test_a_plugin_that_is_gone_is_left_out_also_where_no_other_is_named(name: str) -> None:
    profile = read("v1beta3", **profiles_with(multiPoint={"enabled": [{"name": name}]}))

    assert not profile.unknown_plugins
    assert profile.weights == SchedulerConfiguration.default().profiles[0].weights


def test_selector_spread_at_all_points_scores_and_does_not_filter() -> None:
    only = [{"name": "PrioritySort"}, {"name": "DefaultBinder"}, {"name": "SelectorSpread", "weight": 3}]
    profile = read("v1beta3", **profiles_with(multiPoint={"enabled": only, "disabled": [{"name": "*"}]}))

    assert profile.weights == {"PodTopologySpread": 3}
    assert "PodTopologySpread" in profile.pre_score
    assert not profile.filter


def profiles_with(**plugins: Any) -> dict[str, Any]:
    return {"profiles": [{"plugins": plugins}]}


@pytest.mark.parametrize(
    ("version", "fields", "path"),
    [
        ("v1beta2", {"disablePreemption": True}, "disablePreemption"),
        ("v1beta3", {"healthzBindAddress": ""}, "healthzBindAddress"),
        ("v1alpha2", {"algorithmSource": {}}, "algorithmSource"),
        ("v1alpha1", {"algorithmSource": {"provider": "Mine"}}, "algorithmSource.provider"),
        ("v1alpha1", {"algorithmSource": {"policy": {"file": {"path": "p.json"}}}}, "algorithmSource.policy"),
        ("v1alpha1", {"disablePreemption": "yes"}, "disablePreemption"),
        ("v1alpha1", {"hardPodAffinitySymmetricWeight": 101}, "hardPodAffinitySymmetricWeight"),
        ("v1alpha1", {"plugins": {"postFilter": {"enabled": [{"nam": "x"}]}}}, "plugins.postFilter.enabled[0].nam"),
        ("v1alpha1", {"schedulerName": 1}, "schedulerName"),
        ("v1beta1", {"profiles": 1}, "profiles"),
        ("v1beta1", {"profiles": [1]}, "profiles[0]"),
        ("v1beta1", {"profiles": [{"plugins": 1}]}, "profiles[0].plugins"),
        ("v1beta1", profiles_with(score=1), "profiles[0].plugins.score"),
        ("v1beta1", profiles_with(score={"enabled": 1}), "profiles[0].plugins.score.enabled"),
        ("v1beta1", profiles_with(score={"enabled": [1]}), "profiles[0].plugins.score.enabled[0]"),
        ("v1beta1", profiles_with(score={"disabled": [{"name": ["x"]}]}), "profiles[0].plugins.score.disabled[0].name"),
        ("v1beta3", profiles_with(nope={"enabled": [{"name": "SelectorSpread"}]}), "profiles[0].plugins.nope"),
        (
            "v1beta2",
            profiles_with(filter={"enabled": ["x", {"name": "AzureDiskLimits"}], "disabled": [{"name": "*"}]}),
            "profiles[0].plugins.filter.enabled[0]",
        ),
        (
            "v1beta1",
            profiles_with(filter={"enabled": [{"name": "EBSLimits"}, {"name": "NodeLabel"}, {"name": 1}]}),
            "profiles[0].plugins.filter.enabled[2].name",
        ),
        (
            "v1beta1",
            {
                "profiles": [
                    {
                        "plugins": {"filter": {"enabled": [{"name": "NodeLabel"}]}},
                        "pluginConfig": [{"name": "NodeLabel", "args": {"presentLabels": 5}}],
                    }
                ]
            },
            "profiles[0].pluginConfig[0].args.presentLabels",
        ),
        (
            "v1beta1",
            {
                "profiles": [
                    {
                        "plugins": {"score": {"enabled": [{"name": "RequestedToCapacityRatio", "weight": 3}]}},
                        "pluginConfig": [
                            {"name": "VolumeBinding"},
                            {"name": "RequestedToCapacityRatio", "args": {"shape": []}},
                        ],
                    }
                ]
            },
            "profiles[0].pluginConfig[1].args.shape",
        ),
        (
            "v1beta2",
            {"profiles": [{"pluginConfig": [{"name": "NodePreferAvoidPods"}, {"name": "VolumeBinding", "args": 1}]}]},
            "profiles[0].pluginConfig[1].args",
        ),
    ],
)
def test_what_its_kube_scheduler_refused_is_refused_by_its_own_path(
    version: str, fields: dict[str, Any], path: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(version, **fields)

    assert raised.value.path == path


FIELDS = [
    *("profiles", "plugins", "score", "filter", "enabled", "disabled", "name", "weight", "pluginConfig", "args"),
    *("postFilter", "unreserve", "schedulerName", "resources", "shape", "presentLabels", "defaultConstraints"),
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([*SCORES, *FILTERS, "NodeLabel", "*", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=20,
)


@given(
    st.sampled_from(("v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1beta3")),
    st.dictionaries(st.sampled_from(("profiles", "plugins", "pluginConfig", "extenders")), json_values, max_size=3),
)
def test_whatever_is_written_is_read_or_refused_with_a_place(version: str, fields: dict[str, Any]) -> None:
    try:
        profile = read(version, **fields)
    except ConfigurationError as error:
        path = error.path
    else:
        path = "profiles"
        assert profile.queue_sort
    assert path.split(".")[0].split("[")[0] in ("profiles", "plugins", "pluginConfig", "extenders")

"""Configurations of former versions of the API mean in v1 what they meant to the kube-scheduler of their time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import ConfigurationError, Profile, SchedulerConfiguration
from clusters.engine.configuration import (
    ExtensionPoint,
    InterPodAffinityArgs,
    LegacyNote,
    NodeAffinityArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    Translation,
    VolumeBindingArgs,
    plugins_at,
    translated,
)
from tests.support.answers import error_of, known

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
    return known(translated(configuration(version, **fields)))


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


def test_v1beta3_has_the_weights_of_today() -> None:
    assert read("v1beta3") == SchedulerConfiguration.default().profiles[0]
    assert translation("v1beta3").entries == ()


def test_s64_preemption_that_is_off_is_a_plugin_that_is_disabled() -> None:
    found = translation("v1alpha1", algorithmSource={"provider": "DefaultProvider"}, disablePreemption=True)

    assert "DefaultPreemption" not in SchedulerConfiguration.from_dict(found.document).profiles[0].post_filter
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
    assert error_of(ConfigurationError, read, version, **fields).path == path


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


FOO = "example.com/foo"


# Stated a second time, from legacy_registry.go.
FILTERS_OF_PREDICATES = {
    "CheckNodeUnschedulable": {"NodeUnschedulable"},
    "GeneralPredicates": {"NodeResourcesFit", "NodeName", "NodePorts", "NodeAffinity"},
    "HostName": {"NodeName"},
    "PodFitsHostPorts": {"NodePorts"},
    "PodFitsPorts": {"NodePorts"},
    "MatchNodeSelector": {"NodeAffinity"},
    "PodFitsResources": {"NodeResourcesFit"},
    "NoDiskConflict": {"VolumeRestrictions"},
    "PodToleratesNodeTaints": {"TaintToleration"},
    "MaxEBSVolumeCount": {"NodeVolumeLimits"},
    "MaxCinderVolumeCount": {"NodeVolumeLimits"},
    "MaxCSIVolumeCountPred": {"NodeVolumeLimits"},
    "CheckVolumeBinding": {"VolumeBinding"},
    "NoVolumeZoneConflict": {"VolumeZone"},
    "EvenPodsSpread": {"PodTopologySpread"},
    "MatchInterPodAffinity": {"InterPodAffinity"},
}
SCORES_OF_PRIORITIES = {
    "SelectorSpreadPriority": "PodTopologySpread",
    "EvenPodsSpreadPriority": "PodTopologySpread",
    "InterPodAffinityPriority": "InterPodAffinity",
    "LeastRequestedPriority": "NodeResourcesFit",
    "MostRequestedPriority": "NodeResourcesFit",
    "BalancedResourceAllocation": "NodeResourcesBalancedAllocation",
    "NodePreferAvoidPodsPriority": None,
    "NodeAffinityPriority": "NodeAffinity",
    "TaintTolerationPriority": "TaintToleration",
    "ImageLocalityPriority": "ImageLocality",
    "EqualPriority": None,
}
EXTENDER = {
    "urlPrefix": "<extender-endpoint>",
    "bindVerb": "bind",
    "managedResources": [{"name": FOO, "ignoredByScheduler": True}],
}


def policy(**fields: Any) -> dict[str, Any]:
    return {"kind": "Policy", "apiVersion": "v1", **fields}


def policy_translation(**fields: Any) -> Translation:
    return known(translated(policy(**fields)))


def read_policy(**fields: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict(policy(**fields))


def notes(found: Translation, name: str) -> tuple[LegacyNote, ...]:
    (entry,) = [entry for entry in found.entries if name in (entry.name, entry.field)]
    return entry.notes


names = st.lists(st.sampled_from(sorted(FILTERS_OF_PREDICATES)), unique=True)
weighted = st.lists(
    st.tuples(st.sampled_from(sorted(SCORES_OF_PRIORITIES)), st.integers(1, 9)), unique_by=lambda each: each[0]
)


@given(names, weighted)
def test_the_profile_has_what_predicates_and_priorities_were(
    predicates: list[str], priorities: list[tuple[str, int]]
) -> None:
    fields = {
        "predicates": [{"name": name} for name in predicates],
        "priorities": [{"name": name, "weight": weight} for name, weight in priorities],
    }

    (profile,) = read_policy(**fields).profiles

    mandatory = {"NodeUnschedulable", "TaintToleration"}
    assert {*profile.filter} == mandatory.union(*(FILTERS_OF_PREDICATES[name] for name in predicates)) | {
        "DynamicResources"
    }
    assert {*profile.score} == {SCORES_OF_PRIORITIES[name] for name, _ in priorities} - {None}
    weights = dict(priorities)
    for name, weight in priorities:
        match SCORES_OF_PRIORITIES[name]:
            case "NodeResourcesFit":
                both = [weights.get(each, 0) for each in ("LeastRequestedPriority", "MostRequestedPriority")]
                assert profile.weights["NodeResourcesFit"] == max(both)
            case "PodTopologySpread":
                first = weights.get("EvenPodsSpreadPriority", weights.get("SelectorSpreadPriority"))
                assert profile.weights["PodTopologySpread"] == first
            case str(plugin):
                assert profile.weights[plugin] == weight
    assert (profile.queue_sort, profile.bind) == (("PrioritySort",), ("DefaultBinder",))
    assert "DefaultPreemption" in profile.post_filter


@given(st.none() | names, st.none() | weighted, st.booleans())
def test_the_table_names_every_plugin_that_the_profile_enables_and_no_other(
    predicates: list[str] | None, priorities: list[tuple[str, int]] | None, checks_labels: bool
) -> None:
    fields: dict[str, Any] = {}
    if predicates is not None:
        fields["predicates"] = [{"name": name} for name in predicates]
        if checks_labels:
            argument = {"labelsPresence": {"labels": ["rack"], "presence": True}}
            fields["predicates"].append({"name": "Racks", "argument": argument})
    if priorities is not None:
        fields["priorities"] = [{"name": name, "weight": weight} for name, weight in priorities]

    (profile,) = read_policy(**fields).profiles

    roles = [role for entry in policy_translation(**fields).entries for role in entry.became]
    told = {(role.plugin, point) for role in roles for point in role.points}
    assert told == {(plugin, point) for point in ExtensionPoint for plugin in plugins_at(profile, point)}
    assert {each.plugin: each.weight for each in roles if ExtensionPoint.SCORE in each.points} == profile.weights


def test_filters_are_asked_in_the_order_of_predicates() -> None:
    (profile,) = read_policy(
        predicates=[{"name": "PodFitsResources"}, {"name": "HostName"}, {"name": "NoDiskConflict"}]
    ).profiles

    assert profile.filter == (
        "NodeUnschedulable",
        "NodeName",
        "NodeResourcesFit",
        "VolumeRestrictions",
        "TaintToleration",
        "DynamicResources",
    )


def packing(**weights: int) -> list[dict[str, Any]]:
    shape = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
    resources = [{"name": name, "weight": weight} for name, weight in weights.items()]
    argument = {"requestedToCapacityRatioArguments": {"shape": shape, "resources": resources}}
    return [{"name": "RequestedToCapacityRatioPriority", "weight": 2, "argument": argument}]


def test_shape_of_a_policy_is_a_scoring_strategy() -> None:
    (profile,) = read_policy(priorities=packing(cpu=3, memory=0)).profiles

    strategy = fit_of(profile).scoring_strategy
    assert profile.weights == {"NodeResourcesFit": 2}
    assert strategy.type == "RequestedToCapacityRatio"
    assert strategy.shape == ((0, 0), (100, 10))
    assert strategy.resources == (("cpu", 3), ("memory", 1))
    found = policy_translation(priorities=packing(cpu=3))
    assert notes(found, "RequestedToCapacityRatioPriority") == (LegacyNote.SHAPE_TIMES_TEN,)


def test_of_several_scorings_of_resources_the_heaviest_stays() -> None:
    priorities = [
        {"name": "LeastRequestedPriority", "weight": 1},
        {"name": "MostRequestedPriority", "weight": 3},
    ]
    found = policy_translation(priorities=priorities)

    assert notes(found, "LeastRequestedPriority") == (LegacyNote.ONE_STRATEGY,)
    (profile,) = SchedulerConfiguration.from_dict(found.document).profiles
    assert fit_of(profile).scoring_strategy.type == "MostAllocated"


def test_labels_that_nodes_must_have_become_an_affinity_of_every_pod() -> None:
    present = {"labelsPresence": {"labels": ["zone", "rack"], "presence": True}}
    absent = {"labelsPresence": {"labels": ["retiring"], "presence": False}}
    predicates = [{"name": "Placed", "argument": present}, {"name": "Kept", "argument": absent}]
    found = policy_translation(predicates=predicates)

    (profile,) = SchedulerConfiguration.from_dict(found.document).profiles
    (setting,) = next(entry for entry in found.entries if entry.name == "Placed").settings
    expressions = setting[1]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"][0]
    assert [(each["key"], each["operator"]) for each in expressions["matchExpressions"]] == [
        ("zone", "Exists"),
        ("rack", "Exists"),
        ("retiring", "DoesNotExist"),
    ]
    assert "NodeAffinity" in profile.filter
    assert notes(found, "Placed") == (LegacyNote.ADDED_AFFINITY_AND_SELECTORS,)
    also = policy_translation(predicates=[{"name": "MatchNodeSelector"}, *predicates])
    assert notes(also, "Kept") == (LegacyNote.ADDED_AFFINITY,)


@pytest.mark.parametrize(
    ("fields", "name", "note"),
    [
        (
            {"predicates": [{"name": "Near", "argument": {"serviceAffinity": {"labels": ["zone"]}}}]},
            "Near",
            LegacyNote.SERVICE_AFFINITY_GONE,
        ),
        (
            {"priorities": [{"name": "Far", "weight": 2, "argument": {"serviceAntiAffinity": {"label": "zone"}}}]},
            "Far",
            LegacyNote.SERVICE_SPREADING_GONE,
        ),
        (
            {
                "priorities": [
                    {"name": "Good", "weight": 2, "argument": {"labelPreference": {"label": "ssd", "presence": True}}}
                ]
            },
            "Good",
            LegacyNote.LABEL_PREFERENCE_GONE,
        ),
        (
            {"priorities": [{"name": "NodePreferAvoidPodsPriority", "weight": 1}]},
            "NodePreferAvoidPodsPriority",
            LegacyNote.AVOID_PODS_GONE,
        ),
        ({"priorities": [{"name": "EqualPriority", "weight": 1}]}, "EqualPriority", LegacyNote.EQUAL_SCORES),
        ({"alwaysCheckAllPredicates": True}, "alwaysCheckAllPredicates", LegacyNote.REASONS_OF_ALL_FILTERS),
        (
            {"priorities": [], "hardPodAffinitySymmetricWeight": 7},
            "hardPodAffinitySymmetricWeight",
            LegacyNote.SCORES_ONLY_IF_ENABLED,
        ),
    ],
)
def test_what_has_no_equivalent_is_told_with_what_decides_instead(
    fields: dict[str, Any], name: str, note: LegacyNote
) -> None:
    found = policy_translation(**fields)

    (entry,) = [entry for entry in found.entries if name in (entry.name, entry.field)]
    assert entry.is_removed
    assert entry.notes == (note,)
    SchedulerConfiguration.from_dict(found.document)


def test_without_selector_spreading_there_are_no_default_constraints() -> None:
    def defaulting(*names: str) -> str:
        (profile,) = read_policy(priorities=[{"name": name, "weight": 1} for name in names]).profiles
        spread = profile.args["PodTopologySpread"]
        assert isinstance(spread, PodTopologySpreadArgs)
        return str(spread.defaulting_type)

    assert defaulting("EvenPodsSpreadPriority") == "List"
    assert defaulting("EvenPodsSpreadPriority", "SelectorSpreadPriority") == "System"
    assert defaulting("ServiceSpreadingPriority") == "System"


def test_the_weight_of_symmetric_affinity_is_an_argument() -> None:
    (profile,) = read_policy(hardPodAffinitySymmetricWeight=42).profiles

    assert profile.args["InterPodAffinity"] == InterPodAffinityArgs(42)


def test_extenders_are_written_in_any_case_and_with_nanoseconds() -> None:
    given_one = {
        "URLPrefix": "http://x",
        "FilterVerb": "f",
        "HttpTimeout": 1_500_000_000,
        "TLSConfig": {"Insecure": True},
    }
    found = policy_translation(extenders=[given_one, {"urlPrefix": "http://y", "httpTimeout": 1}])

    assert found.document["extenders"] == [
        {"urlPrefix": "http://x", "filterVerb": "f", "httpTimeout": "1500ms", "tlsConfig": {"insecure": True}},
        {"urlPrefix": "http://y", "httpTimeout": "1ns"},
    ]
    SchedulerConfiguration.from_dict(found.document)


SHAPE = {"shape": [{"utilization": 0, "score": 0}, {"utilization": 0, "score": 10}]}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"predicate": []}, "predicate"),
        ({"predicates": {}}, "predicates"),
        ({"predicates": [{"name": "Fits"}]}, "predicates[0].name"),
        ({"predicates": [{"name": "Fits", "argument": {}}]}, "predicates[0].argument"),
        (
            {"predicates": [{"name": "A", "argument": {"labelsPresence": {"label": "x"}}}]},
            "predicates[0].argument.labelsPresence.label",
        ),
        ({"priorities": [{"name": "EqualPriority"}]}, "priorities[0].weight"),
        ({"priorities": [{"name": "EqualPriority", "weight": 0}]}, "priorities[0].weight"),
        ({"priorities": [{"name": "EqualPriority", "weight": 2**31}]}, "priorities[0].weight"),
        ({"priorities": [{"name": "Ratio", "weight": 1}]}, "priorities[0].name"),
        (
            {
                "priorities": [
                    {"name": "EqualPriority", "weight": 1},
                    {"name": "A", "weight": 1, "argument": {"requestedToCapacityRatioArguments": SHAPE}},
                ]
            },
            "priorities[1].argument.requestedToCapacityRatioArguments.shape[1].utilization",
        ),
        (
            {
                "priorities": [
                    {"name": "A", "weight": 1, "argument": {"requestedToCapacityRatioArguments": {"shape": []}}},
                    {"name": "B", "weight": 1, "argument": {"requestedToCapacityRatioArguments": {"shape": []}}},
                ]
            },
            "priorities[1]",
        ),
        (
            {
                "priorities": [
                    {"name": "A", "weight": 1, "argument": {"serviceAntiAffinity": {"label": "a"}}},
                    {"name": "B", "weight": 2, "argument": {"serviceAntiAffinity": {"label": "b"}}},
                ]
            },
            "priorities[1].weight",
        ),
        ({"hardPodAffinitySymmetricWeight": 101}, "hardPodAffinitySymmetricWeight"),
        ({"alwaysCheckAllPredicates": "yes"}, "alwaysCheckAllPredicates"),
        ({"extenders": [{"managedResources": [{"name": "cpu"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": ["http://x"]}, "extenders[0]"),
    ],
)
def test_a_policy_that_no_kube_scheduler_took_is_refused_by_its_own_paths(fields: dict[str, Any], path: str) -> None:
    raised = error_of(
        ConfigurationError, SchedulerConfiguration.from_dict, {"kind": "Policy", "apiVersion": "v1", **fields}
    )

    assert raised.path == path


def test_e44_extender_of_a_policy_manages_its_resource() -> None:
    found = read_policy(extenders=[EXTENDER])

    (extender,) = found.extenders
    assert extender.bind_verb == "bind"
    assert [(each.name, each.ignored_by_scheduler) for each in extender.managed_resources] == [
        ("example.com/foo", True)
    ]
    assert found.profiles[0].args["NodeResourcesFit"].ignored_resources == ("example.com/foo",)  # type: ignore[union-attr]

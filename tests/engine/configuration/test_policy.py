"""A scheduling Policy becomes the profile of v1 with its plugins, and the table says exactly what the profile has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Profile, SchedulerConfiguration, Snapshot, explain
from clusters.engine.configuration import (
    ExtensionPoint,
    InterPodAffinityArgs,
    LegacyNote,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    Translation,
    plugins_at,
    translated,
)
from tests.engine.builders import a_node, a_pod, raw_scores_of

FOO = "example.com/foo"
# Stated a second time, from legacy_registry.go.
FILTERS = {
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
SCORES = {
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
ADDED_LATER = {"SchedulingGates", "DynamicResources"}
EXTENDER = {
    "urlPrefix": "<extender-endpoint>",
    "bindVerb": "bind",
    "managedResources": [{"name": FOO, "ignoredByScheduler": True}],
}


def policy(**fields: Any) -> dict[str, Any]:
    return {"kind": "Policy", "apiVersion": "v1", **fields}


def translation(**fields: Any) -> Translation:
    found = translated(policy(**fields))
    assert found is not None
    return found


def read(**fields: Any) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict(policy(**fields))


def fit_arguments(profile: Profile) -> NodeResourcesFitArgs:
    found = profile.args["NodeResourcesFit"]
    assert isinstance(found, NodeResourcesFitArgs)
    return found


def notes(found: Translation, name: str) -> tuple[LegacyNote, ...]:
    (entry,) = [entry for entry in found.entries if name in (entry.name, entry.field)]
    return entry.notes


names = st.lists(st.sampled_from(sorted(FILTERS)), unique=True)
weighted = st.lists(st.tuples(st.sampled_from(sorted(SCORES)), st.integers(1, 9)), unique_by=lambda each: each[0])


@given(names, weighted)
def test_the_profile_has_what_predicates_and_priorities_were(
    predicates: list[str], priorities: list[tuple[str, int]]
) -> None:
    fields = {
        "predicates": [{"name": name} for name in predicates],
        "priorities": [{"name": name, "weight": weight} for name, weight in priorities],
    }

    (profile,) = read(**fields).profiles

    mandatory = {"NodeUnschedulable", "TaintToleration"}
    assert {*profile.filter} == mandatory.union(*(FILTERS[name] for name in predicates)) | {"DynamicResources"}
    assert {*profile.score} == {SCORES[name] for name, _ in priorities} - {None}
    weights = dict(priorities)
    for name, weight in priorities:
        match SCORES[name]:
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

    (profile,) = read(**fields).profiles

    roles = [role for entry in translation(**fields).entries for role in entry.became]
    told = {(role.plugin, point) for role in roles for point in role.points}
    assert told == {(plugin, point) for point in ExtensionPoint for plugin in plugins_at(profile, point)}
    assert {each.plugin: each.weight for each in roles if ExtensionPoint.SCORE in each.points} == profile.weights


def test_filters_are_asked_in_the_order_of_predicates() -> None:
    (profile,) = read(
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


def test_a_policy_without_predicates_and_priorities_has_the_defaults_of_its_time() -> None:
    (profile,) = read().profiles

    assert {*profile.filter} == {*SchedulerConfiguration.default().profiles[0].filter}
    assert profile.weights == {
        "NodeResourcesFit": 1,
        "NodeResourcesBalancedAllocation": 1,
        "PodTopologySpread": 2,
        "ImageLocality": 1,
        "InterPodAffinity": 1,
        "NodeAffinity": 1,
        "TaintToleration": 1,
    }
    bare = read(predicates=[], priorities=[]).profiles[0]
    assert bare.filter == ("NodeUnschedulable", "TaintToleration", "DynamicResources")
    assert bare.score == ()


def test_pods_with_gates_and_claims_are_still_held() -> None:
    (profile,) = read(predicates=[]).profiles

    assert "SchedulingGates" in profile.pre_enqueue
    assert "DynamicResources" in profile.filter
    assert {entry.name for entry in translation().entries if LegacyNote.NEWER_PLUGIN in entry.notes} == ADDED_LATER


def packing(**weights: int) -> list[dict[str, Any]]:
    shape = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
    resources = [{"name": name, "weight": weight} for name, weight in weights.items()]
    argument = {"requestedToCapacityRatioArguments": {"shape": shape, "resources": resources}}
    return [{"name": "RequestedToCapacityRatioPriority", "weight": 2, "argument": argument}]


def test_shape_of_a_policy_is_a_scoring_strategy() -> None:
    (profile,) = read(priorities=packing(cpu=3, memory=0)).profiles

    strategy = fit_arguments(profile).scoring_strategy
    assert profile.weights == {"NodeResourcesFit": 2}
    assert strategy.type == "RequestedToCapacityRatio"
    assert strategy.shape == ((0, 0), (100, 10))
    assert strategy.resources == (("cpu", 3), ("memory", 1))
    found = translation(priorities=packing(cpu=3))
    assert notes(found, "RequestedToCapacityRatioPriority") == (LegacyNote.SHAPE_TIMES_TEN,)


@pytest.mark.parametrize(
    ("total", "used", "score"),
    [
        # (75 x 5 + 50 x 1 + 37 x 3) / 9, where the documentation has 7, 5 and 3 of 10, and 5 in the end.
        pytest.param({"foo": "4", "cpu": "8"}, {"foo": "1", "memory": "256Mi", "cpu": "1"}, 60, id="E01"),
        # (50 x 5 + 75 x 1 + 100 x 3) / 9, where the documentation has 5, 7 and 10 of 10, and 7 in the end.
        pytest.param({"foo": "8", "cpu": "8"}, {"foo": "2", "memory": "512Mi", "cpu": "6"}, 69, id="E02"),
    ],
)
def test_e01_e02_scores_of_a_policy_are_ten_times_those_of_its_time(
    total: dict[str, str], used: dict[str, str], score: int
) -> None:
    def named(amounts: dict[str, str]) -> dict[str, str]:
        return {FOO if name == "foo" else name: amount for name, amount in amounts.items()}

    pod = a_pod(requests=named({"foo": "2", "memory": "256Mi", "cpu": "2"}))
    placed = a_pod("placed", node="node", requests=named(used))
    node = a_node("node", allocatable=named({**total, "memory": "1Gi"}))
    priorities = packing(**{FOO: 5, "memory": 1, "cpu": 3})

    (profile,) = read(priorities=priorities).profiles
    explanation = explain(Snapshot.from_objects([node, placed]), pod, profile)

    assert raw_scores_of(explanation, "NodeResourcesFit") == {"node": score}


def test_of_several_scorings_of_resources_the_heaviest_stays() -> None:
    priorities = [
        {"name": "LeastRequestedPriority", "weight": 1},
        {"name": "MostRequestedPriority", "weight": 3},
    ]
    found = translation(priorities=priorities)

    assert notes(found, "LeastRequestedPriority") == (LegacyNote.ONE_STRATEGY,)
    (profile,) = SchedulerConfiguration.from_dict(found.document).profiles
    assert fit_arguments(profile).scoring_strategy.type == "MostAllocated"


def test_labels_that_nodes_must_have_become_an_affinity_of_every_pod() -> None:
    present = {"labelsPresence": {"labels": ["zone", "rack"], "presence": True}}
    absent = {"labelsPresence": {"labels": ["retiring"], "presence": False}}
    predicates = [{"name": "Placed", "argument": present}, {"name": "Kept", "argument": absent}]
    found = translation(predicates=predicates)

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
    also = translation(predicates=[{"name": "MatchNodeSelector"}, *predicates])
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
    found = translation(**fields)

    (entry,) = [entry for entry in found.entries if name in (entry.name, entry.field)]
    assert entry.is_removed
    assert entry.notes == (note,)
    SchedulerConfiguration.from_dict(found.document)


def test_conditions_are_taints_today() -> None:
    found = translation(predicates=[{"name": "CheckNodeMemoryPressure"}])

    assert notes(found, "CheckNodeMemoryPressure") == (LegacyNote.TAINTED_BY_CONDITION,)


def test_without_selector_spreading_there_are_no_default_constraints() -> None:
    def defaulting(*names: str) -> str:
        (profile,) = read(priorities=[{"name": name, "weight": 1} for name in names]).profiles
        spread = profile.args["PodTopologySpread"]
        assert isinstance(spread, PodTopologySpreadArgs)
        return str(spread.defaulting_type)

    assert defaulting("EvenPodsSpreadPriority") == "List"
    assert defaulting("EvenPodsSpreadPriority", "SelectorSpreadPriority") == "System"
    assert defaulting("ServiceSpreadingPriority") == "System"


def test_the_weight_of_symmetric_affinity_is_an_argument() -> None:
    (profile,) = read(hardPodAffinitySymmetricWeight=42).profiles

    assert profile.args["InterPodAffinity"] == InterPodAffinityArgs(42)


def test_e44_extender_of_a_policy_manages_its_resource() -> None:
    found = read(extenders=[EXTENDER])

    (extender,) = found.extenders
    assert extender.bind_verb == "bind"
    assert [(each.name, each.ignored_by_scheduler) for each in extender.managed_resources] == [
        ("example.com/foo", True)
    ]
    assert found.profiles[0].args["NodeResourcesFit"].ignored_resources == ("example.com/foo",)  # type: ignore[union-attr]


def test_extenders_are_written_in_any_case_and_with_nanoseconds() -> None:
    given_one = {
        "URLPrefix": "http://x",
        "FilterVerb": "f",
        "HttpTimeout": 1_500_000_000,
        "TLSConfig": {"Insecure": True},
    }
    found = translation(extenders=[given_one, {"urlPrefix": "http://y", "httpTimeout": 1}])

    assert found.document["extenders"] == [
        {"urlPrefix": "http://x", "filterVerb": "f", "httpTimeout": "1500ms", "tlsConfig": {"insecure": True}},
        {"urlPrefix": "http://y", "httpTimeout": "1ns"},
    ]
    SchedulerConfiguration.from_dict(found.document)

"""What is read of Workloads, PodGroups and CompositePodGroups, and which group a pod names."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.group_states import held_groups
from clusters.engine.objects import Pod
from clusters.engine.podgroups import (
    CompositePodGroup,
    DisruptionMode,
    GroupPolicy,
    GroupTerms,
    PodGroup,
    PodGroupKey,
    SchedulingWorkload,
    WorkloadReference,
    group_key_of,
)
from clusters.engine.versions import RELEASES
from tests.engine.builders import a_pod
from tests.engine.podgroups.groups import a_cluster, a_group, a_member

GANG = {"schedulingPolicy": {"gang": {"minCount": 3}}}


def test_a_pod_group_is_read_with_all_that_it_asks() -> None:
    group = PodGroup.from_dict(
        a_group(
            least=3,
            schedulingConstraints={"topology": [{"key": "rack"}]},
            disruptionMode={"all": {}},
            priorityClassName="high",
            priority=7,
            preemptionPolicy="Never",
            resourceClaims=[{"name": "network", "resourceClaimName": "shared"}],
            workloadRef={"workloadName": "job", "templateName": "workers"},
            parentCompositePodGroupName="whole",
        )
    )

    terms = GroupTerms(GroupPolicy(3), ("rack",), DisruptionMode.ALL, "high", 7, preempts=False, claims=("network",))
    assert group == PodGroup("default", "train", terms, WorkloadReference("job", "workers"), "whole")


def test_what_a_group_does_not_say_is_as_the_api_has_it() -> None:
    terms = PodGroup.from_dict(a_group(least=None)).terms

    assert not terms.policy.is_gang
    assert (terms.policy.quorum, terms.disruption, terms.priority, terms.preempts) == (1, None, None, True)


def test_a_workload_of_1_35_holds_the_groups_themselves() -> None:
    workload = SchedulingWorkload.from_dict(a_group(least=3, minor="1.35", controllerRef={"kind": "Job", "name": "a"}))

    assert workload.groups == {"workers": GroupPolicy(3)}
    assert workload.controller == ("Job", "a")


def test_templates_within_templates_are_read_by_name() -> None:
    inner = {
        "name": "inner",
        "schedulingPolicy": {"gang": {"minGroupCount": 2}},
        "podGroupTemplates": [{"name": "leaf", **GANG}],
    }
    outer = {"name": "outer", "schedulingPolicy": {"basic": {}}, "compositePodGroupTemplates": [inner]}
    spec = {"compositePodGroupTemplates": [outer]}

    workload = SchedulingWorkload.from_dict({"kind": "Workload", "metadata": {"name": "w"}, "spec": spec})

    assert {name: terms.policy.least for name, terms in workload.templates.items()} == {"leaf": 3}
    assert {name: terms.policy.least for name, terms in workload.composites.items()} == {"outer": None, "inner": 2}


def test_a_composite_group_counts_groups() -> None:
    spec = {"schedulingPolicy": {"gang": {"minGroupCount": 2}}, "parentCompositePodGroupName": "whole"}

    group = CompositePodGroup.from_dict({"metadata": {"name": "part", "namespace": "ml"}, "spec": spec})

    assert (group.terms.policy.least, group.parent, group.namespace) == (2, "whole", "ml")


@pytest.mark.parametrize(
    ("minor", "spec", "key"),
    [
        ("1.34", {"schedulingGroup": {"podGroupName": "g"}}, None),
        ("1.35", {"schedulingGroup": {"podGroupName": "g"}}, None),
        ("1.35", {"workloadRef": {"name": "w", "podGroup": "g"}}, PodGroupKey("default", "g", "w")),
        (
            "1.35",
            {"workloadRef": {"name": "w", "podGroup": "g", "podGroupReplicaKey": "r"}},
            PodGroupKey("default", "g", "w", "r"),
        ),
        ("1.36", {"workloadRef": {"name": "w", "podGroup": "g"}}, None),
        ("1.36", {"schedulingGroup": {"podGroupName": "g"}}, PodGroupKey("default", "g")),
        ("1.37", {"schedulingGroup": {"podGroupName": "g"}}, PodGroupKey("default", "g")),
        ("1.37", {}, None),
    ],
)
def test_each_minor_reads_the_field_that_it_has(minor: str, spec: dict[str, Any], key: PodGroupKey | None) -> None:
    assert group_key_of(Pod(a_pod(**spec)), RELEASES[minor]) == key


@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
def test_the_terms_of_a_group_are_found_by_what_its_pods_name(minor: str) -> None:
    snapshot = a_cluster(minor, a_group(least=4, minor=minor))
    key = group_key_of(Pod(a_member("a", minor=minor)), snapshot.release)
    other = group_key_of(Pod(a_member("a", "other", minor=minor)), snapshot.release)

    assert key is not None
    assert other is not None
    terms = held_groups(snapshot).terms_of(key)
    assert terms is not None
    assert terms.policy == GroupPolicy(4)
    assert held_groups(snapshot).terms_of(other) is None


def test_a_group_that_changes_is_read_again() -> None:
    snapshot = a_cluster("1.37", a_group(least=2))
    assert held_groups(snapshot).groups["default", "train"].terms.policy.least == 2

    snapshot.upsert(a_group(least=5))

    assert held_groups(snapshot).groups["default", "train"].terms.policy.least == 5


def test_pod_groups_of_the_coscheduling_plugin_are_other_groups() -> None:
    other = {**a_group(), "apiVersion": "scheduling.x-k8s.io/v1alpha1", "spec": {"minMember": 3}}

    assert held_groups(Snapshot.from_objects([other])).groups == {}

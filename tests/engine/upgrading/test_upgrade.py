"""What a later minor decides otherwise, the release that brings it, and the rule of the versions' table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.conclusion import Conclusion
from clusters.engine.upgrading import (
    Amendment,
    AmendmentKind,
    AnswerAspect,
    DefaultKind,
    SampledPods,
    SubjectRole,
    UpgradeCase,
    UpgradePreview,
    releases_between,
    upgrade_preview,
)
from clusters.engine.upgrading.rules import amended, amendments_of
from clusters.engine.upgrading.subjects import UpgradeSubject
from clusters.engine.versions import RELEASES, Gate, Release, match_release
from tests.engine.builders import HOSTNAME, Document, a_node, a_pod
from tests.engine.strategies import nodes, pods

_API = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def case_of(before: str, after: str, *objects: Document) -> UpgradeCase:
    snapshot = Snapshot.from_objects(objects, RELEASES[before])
    sampled = SampledPods.among(objects)
    return UpgradeCase(
        snapshot=snapshot,
        after=RELEASES[after],
        resized=sampled.resized,
        configuration=SchedulerConfiguration.default,
        subjects=sampled.subjects(snapshot),
        alive=bool,
    )


def preview(before: str, after: str, *objects: Document) -> UpgradePreview:
    return upgrade_preview(case_of(before, after, *objects))


def owned(pod: Document, kind: str, name: str) -> Document:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def test_the_message_of_a_taint_changes_with_1_35() -> None:
    found = preview("1.34", "1.36", a_node("a", taints=[TAINT]), a_pod())

    (change,) = found.changes
    assert (change.minor, change.aspect) == ("1.35", AnswerAspect.MESSAGE)
    assert change.amendments == (Amendment(AmendmentKind.RULE, "names_taints"),)
    assert change.plugins == ("TaintToleration",)
    assert change.before.message.startswith(
        "0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}."
    )
    assert change.after.message.startswith("0/1 nodes are available: 1 node(s) had untolerated taint(s).")
    assert (change.before.conclusion, change.after.conclusion) == (Conclusion.UNSCHEDULABLE, Conclusion.UNSCHEDULABLE)
    assert (found.changed(SubjectRole.PENDING), found.tried(SubjectRole.PENDING)) == (1, 1)


def test_from_1_34_2_on_the_message_of_a_taint_is_what_it_will_be() -> None:
    objects = [a_node("a", taints=[TAINT]), a_pod()]
    case = case_of("1.34", "1.36", *objects)
    patched = replace(case, snapshot=Snapshot.from_objects(objects, match_release("v1.34.2").release))

    assert upgrade_preview(patched).changes == ()


def test_later_minors_are_taken_as_their_latest_patches() -> None:
    between = releases_between(RELEASES["1.34"], RELEASES["1.37"])

    assert [each.first_version for each in between] == ["1.34.0", "1.35.6", "1.36.5", "1.37.0"]


def test_every_message_loses_the_words_about_claims_with_1_37() -> None:
    (change,) = preview("1.36", "1.37", a_node("a", taints=[TAINT]), a_pod()).changes

    assert (change.minor, change.aspect) == ("1.37", AnswerAspect.MESSAGE)
    assert change.amendments == (Amendment(AmendmentKind.RULE, "says_what_devices_lack"),)
    assert change.before.message.replace("no new claims to deallocate, ", "") == change.after.message


def test_a_selector_that_only_excludes_stops_reaching_every_namespace_with_1_37() -> None:
    outside = {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["a"]}]}
    term = {"topologyKey": HOSTNAME, "labelSelector": {}, "namespaceSelector": outside}
    pod = a_pod(affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    excluded = {"kind": "Namespace", "metadata": {"name": "a", "labels": {"team": "a"}}}

    changes = preview("1.34", "1.37", excluded, a_node("n0"), a_pod("there", namespace="a", node="n0"), pod).changes

    (change,) = (each for each in changes if each.aspect is AnswerAspect.VERDICT)
    assert (change.minor, change.plugins) == ("1.37", ("InterPodAffinity",))
    assert change.amendments == (Amendment(AmendmentKind.RULE, "compares_unnamed_namespaces"),)


def test_pods_that_are_alike_are_tried_once_and_counted_each() -> None:
    two = [owned(a_pod(name, labels={"app": "web"}), "ReplicaSet", "web") for name in ("web-1", "web-2")]

    found = preview("1.34", "1.35", a_node("a", taints=[TAINT]), *two)

    pending, following = found.changes
    assert pending.subject.pods == ("default/web-1", "default/web-2")
    assert found.changed(SubjectRole.PENDING) == 2
    assert (following.subject.role, following.subject.workload.name) == (SubjectRole.NEXT, "web")
    assert found.tried(SubjectRole.NEXT) == 1


def test_the_balance_tips_the_choice_with_1_36() -> None:
    pod = a_pod(requests={"cpu": "2", "memory": "0"})
    even = a_node("even", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"})
    tilted = a_node("tilted", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"})
    filling = a_pod("there", node="tilted", requests={"cpu": "0", "memory": "1Gi"})

    found = preview("1.34", "1.37", even, tilted, filling, pod)

    (change,) = found.changes
    assert (change.minor, change.aspect) == ("1.36", AnswerAspect.NODES)
    assert change.amendments == (Amendment(AmendmentKind.RULE, "balances_by_improvement"),)
    assert (change.before.choices, change.after.choices) == (("even",), ("even", "tilted"))
    assert change.tip is not None
    assert change.tip.plugin == "NodeResourcesBalancedAllocation"
    assert (change.tip.node_before, change.tip.node_after) == ("even", "tilted")
    assert change.tip.lead_after > change.tip.lead_before


def _storage(node: str, free: str) -> Document:
    return {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": node, "namespace": "kube-system"},
        "storageClassName": "local",
        "capacity": free,
        "nodeTopology": {"matchLabels": {"kubernetes.io/hostname": node}},
    }


def test_free_storage_tips_the_choice_with_1_37() -> None:
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {"storageClassName": "local", "resources": {"requests": {"storage": "20Gi"}}},
    }
    storage_class = {
        "kind": "StorageClass",
        "metadata": {"name": "local"},
        "provisioner": "disk.example.com",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    driver = {"kind": "CSIDriver", "metadata": {"name": "disk.example.com"}, "spec": {"storageCapacity": True}}
    pod = a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "data"}}])
    storage = [claim, storage_class, driver, _storage("a", "200Gi"), _storage("b", "40Gi")]

    (change,) = preview("1.34", "1.37", a_node("a"), a_node("b"), *storage, pod).changes

    assert (change.minor, change.aspect) == ("1.37", AnswerAspect.NODES)
    assert change.amendments == (Amendment(AmendmentKind.GATE, Gate.STORAGE_CAPACITY_SCORING.value),)
    assert (change.before.choices, change.after.choices) == (("a", "b"), ("a",))
    assert change.tip is not None
    assert (change.tip.plugin, change.tip.lead_before) == ("VolumeBinding", 0)


def test_a_driver_that_nodes_lack_makes_a_pod_unschedulable_with_1_37() -> None:
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {"storageClassName": "local", "resources": {"requests": {"storage": "20Gi"}}},
    }
    storage_class = {
        "kind": "StorageClass",
        "metadata": {"name": "local"},
        "provisioner": "disk.example.com",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    driver = {
        "kind": "CSIDriver",
        "metadata": {"name": "disk.example.com"},
        "spec": {"preventPodSchedulingIfMissing": True},
    }
    pod = a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "data"}}])

    (change,) = preview("1.36", "1.37", a_node("a"), claim, storage_class, driver, pod).changes

    assert (change.minor, change.aspect) == ("1.37", AnswerAspect.VERDICT)
    assert change.amendments == (Amendment(AmendmentKind.GATE, Gate.VOLUME_LIMIT_SCALING.value),)
    assert change.plugins == ("NodeVolumeLimits",)
    assert (change.before.conclusion, change.after.conclusion) == (Conclusion.FITS, Conclusion.UNSCHEDULABLE)


def test_the_next_pod_of_a_stateful_set_has_the_next_ordinal_and_a_claim() -> None:
    objects = [a_node("a"), *(owned(a_pod(f"db-{each}", node="a"), "StatefulSet", "db") for each in (0, 2))]

    (subject,) = SampledPods.among(objects).subjects(Snapshot.from_objects(objects))

    assert subject.pods == ("default/db-3",)


def test_pods_of_daemon_sets_and_finished_pods_have_no_next() -> None:
    finished = {**owned(a_pod("job-1", node="a"), "Job", "job"), "status": {"phase": "Succeeded"}}
    objects = [a_node("a"), owned(a_pod("agent-1", node="a"), "DaemonSet", "agent"), finished]

    assert SampledPods.among(objects).subjects(Snapshot.from_objects(objects)) == []


def test_a_configuration_that_a_later_minor_refuses_ends_the_preview() -> None:
    case = case_of("1.34", "1.37", a_node("a", taints=[TAINT]), a_pod())
    refusing = replace(case, configuration=partial(_refusing, case, "1.36"))

    found = upgrade_preview(refusing)

    assert found.refused is not None
    assert (found.refused.minor, found.refused.path) == ("1.36", "profiles[0].plugins.score.enabled[0].name")
    assert {change.minor for change in found.changes} == {"1.35"}


def _refusing(case: UpgradeCase, minor: str, release: Release) -> SchedulerConfiguration:
    """A scheduler's configuration of which a later minor does not know a plugin at its point."""
    if release.minor < minor:
        return case.configuration(release)
    document = {**_API, "profiles": [{"plugins": {"score": {"enabled": [{"name": "NodeName"}]}}}]}
    return SchedulerConfiguration.from_dict(document, release)


def test_what_is_too_much_is_said() -> None:
    case = case_of("1.34", "1.35", a_node("a"), a_node("b"), a_pod("x"), a_pod("y"))

    assert upgrade_preview(replace(case, most_pairs=2)).left_out == 1


@pytest.mark.parametrize("parts", [0, 1, 2, 3])
def test_a_preview_ends_with_the_patience_of_whoever_asks(parts: int) -> None:
    case = case_of("1.34", "1.36", a_node("a", taints=[TAINT]), a_pod())
    left = iter(range(parts))

    def alive() -> None:
        if next(left, None) is None:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        upgrade_preview(replace(case, alive=alive))


def test_a_pod_whose_answer_fails_is_counted_and_told() -> None:
    broken = {**a_pod(), "spec": {"containers": [{"resources": {"requests": {"cpu": "much"}}}]}}
    case = case_of("1.34", "1.35", a_node("a"))
    subject = UpgradeSubject(
        SubjectRole.PENDING,
        SampledPods.among([a_pod()]).subjects(case.snapshot)[0].workload,
        broken,
        ("default/pod",),
    )
    told: list[str] = []

    found = upgrade_preview(replace(case, subjects=[subject], note=lambda what, _: told.append(what)))

    assert (found.not_computed, found.left_out, told) == (1, 0, ["Pod default/pod"])


@pytest.mark.parametrize(("before", "after"), [("1.34", "1.35"), ("1.35", "1.36"), ("1.36", "1.37")])
def test_the_amendments_of_a_minor_together_are_the_minor(before: str, after: str) -> None:
    release = RELEASES[before]
    for amendment in amendments_of(release, RELEASES[after]):
        release = amended(release, RELEASES[after], amendment)

    assert amendments_of(release, RELEASES[after]) == ()
    assert (release.rules, release.device_rules) == (RELEASES[after].rules, RELEASES[after].device_rules)
    assert release.multi_point == RELEASES[after].multi_point


def test_releases_on_the_way_are_all_between() -> None:
    between = releases_between(RELEASES["1.35"], RELEASES["1.37"])

    assert [release.minor for release in between] == ["1.35", "1.36", "1.37"]


def test_gates_that_are_set_stay_set() -> None:
    gate = Gate.STORAGE_CAPACITY_SCORING
    on = releases_between(RELEASES["1.34"].with_gates({gate: True}), RELEASES["1.37"])
    default = releases_between(RELEASES["1.34"], RELEASES["1.37"])

    assert [release.enables(gate) for release in on] == [True] * 4
    assert [release.enables(gate) for release in default] == [False, False, False, True]


@given(
    minor=st.sampled_from(sorted(RELEASES)),
    some=st.lists(nodes(), max_size=4, unique_by=lambda node: str(node["metadata"]["name"])),
    placed=st.lists(pods(placed=True), max_size=4, unique_by=lambda pod: str(pod["metadata"]["name"])),
    pending=st.lists(pods(placed=False), max_size=4, unique_by=lambda pod: str(pod["metadata"]["name"])),
)
def test_from_a_minor_to_itself_nothing_changes(
    minor: str, some: list[Document], placed: list[Document], pending: list[Document]
) -> None:
    taken = {pod["metadata"]["name"] for pod in placed}
    others = [pod for pod in pending if pod["metadata"]["name"] not in taken]

    case = case_of(minor, minor, *some, *placed, *others)
    found = upgrade_preview(case)

    assert found.changes == ()
    assert len(found.subjects) == len(case.subjects)


@given(
    some=st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: str(node["metadata"]["name"])),
    pending=st.lists(pods(placed=False), max_size=4, unique_by=lambda pod: str(pod["metadata"]["name"])),
)
def test_a_state_read_as_another_release_answers_as_one_built_for_it(
    some: list[Document], pending: list[Document]
) -> None:
    objects = [*some, *pending]
    built = Snapshot.from_objects(objects, RELEASES["1.35"])

    read = Snapshot.from_objects(objects, RELEASES["1.34"]).read_as(RELEASES["1.35"])

    assert read.release is RELEASES["1.35"]
    assert read.content() == built.content()


def test_a_pod_that_is_resized_is_counted_as_each_release_does() -> None:
    pod = a_pod("web-1", node="a", requests={"cpu": "1"})
    allocated = {"name": "main", "allocatedResources": {"cpu": "3"}, "resources": {"requests": {"cpu": "2"}}}
    resized = {**pod, "status": {**pod["status"], "phase": "Running", "containerStatuses": [allocated]}}
    side = {"name": "side", "image": "side:1", "resources": {"requests": {"cpu": "4"}}}
    both = [pod["spec"]["containers"][0], side]
    shrunk = {"name": "side", "allocatedResources": {"cpu": "1"}, "resources": {"requests": {"cpu": "1"}}}
    uneven = {
        **a_pod("web-2", node="a"),
        "spec": {"nodeName": "a", "containers": both},
        "status": {"phase": "Running", "containerStatuses": [allocated, shrunk]},
    }
    objects = [a_node("a"), resized, uneven]

    sampled = SampledPods.among(objects)
    read = Snapshot.from_objects(objects, RELEASES["1.34"]).read_as(RELEASES["1.37"], sampled.resized)

    assert sampled.resized == [uneven]
    assert read.content() == Snapshot.from_objects(objects, RELEASES["1.37"]).content()
    assert read.content() != Snapshot.from_objects(objects, RELEASES["1.34"]).content()


def test_what_the_default_profile_means_to_each_minor_is_told() -> None:
    found = preview("1.34", "1.37", a_node("a")).defaults

    told = [(each.minor, each.kind, each.plugin, each.name, each.before, each.after) for each in found]
    assert told[:3] == [
        ("1.35", DefaultKind.PLUGIN, "DynamicResources", "score", None, 2),
        ("1.36", DefaultKind.PLUGIN, "NodeDeclaredFeatures", "preFilter", None, True),
        ("1.36", DefaultKind.PLUGIN, "NodeDeclaredFeatures", "filter", None, True),
    ]
    assert told[3] == ("1.36", DefaultKind.SETTING, "DynamicResources", "bindingTimeout", None, "600s")
    assert told[4:7] == [
        ("1.37", DefaultKind.PLUGIN, name, "preFilter", None, True)
        for name in ("NodeName", "NodeUnschedulable", "TaintToleration")
    ]
    assert told[7][:4] == ("1.37", DefaultKind.ORDER, "", "filter")
    assert told[7][5][:2] == ("NodeName", "NodeUnschedulable")
    assert len(told) == 8


def test_pods_with_several_best_nodes_are_counted_where_any_of_them_is_no_longer_taken() -> None:
    web = [owned(a_pod(name, labels={"app": "web"}), "ReplicaSet", "web") for name in ("web-1", "web-2")]
    pinned = a_pod("pinned", nodeSelector={"kubernetes.io/hostname": "a"})
    nodes = [a_node(name, labels={"kubernetes.io/hostname": name}) for name in ("a", "b")]

    found = preview("1.34", "1.35", *nodes, *web, pinned)
    assert found.changes == ()
    assert (found.ties(SubjectRole.PENDING), found.ties(SubjectRole.NEXT)) == (2, 1)

    later = preview("1.35", "1.37", *nodes, *web, pinned)
    assert (later.ties(SubjectRole.PENDING), later.ties(SubjectRole.NEXT)) == (0, 0)

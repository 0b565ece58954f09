"""What a later minor decides otherwise, the release that brings it, and the rule of the versions' table."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.admission.problems import AboveMaximum
from clusters.engine.conclusion import Conclusion
from clusters.engine.disruption import Block
from clusters.engine.objects import key_of
from clusters.engine.quotas import QuotaExceeded
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.upgrading import (
    Amendment,
    AmendmentKind,
    AnswerAspect,
    DrainAspect,
    NodeDrainAnswer,
    ObstacleKind,
    ReplacedPod,
    SampledDrains,
    SampledPods,
    SubjectRole,
    UpgradeCase,
    UpgradePreview,
    releases_between,
    resized_pods,
    sampled_pools,
    upgrade_preview,
)
from clusters.engine.upgrading.drains import (
    DrainComparison,
    DrainsUnderReleases,
    drain_aspects_between,
)
from clusters.engine.upgrading.rules import StartObstacle, amended, amendments_of, start_obstacles
from clusters.engine.upgrading.subjects import GroupComparison, GroupsUnderReleases, UpgradeSubject
from clusters.engine.versions import LOCKED, RELEASES, REMOVED, RETIRED_GATES, Gate, Release
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.disruption.builders import a_budget, a_deployment, reference, reporting
from tests.engine.podgroups.groups import GROUPING, a_group, a_small_node, members
from tests.engine.strategies import nodes, pods

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_API = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def case_of(before: str, after: str, *objects: Document) -> UpgradeCase:
    snapshot = Snapshot.from_objects(objects, RELEASES[before])
    sampled = SampledPods.among(objects)
    return UpgradeCase(
        snapshot=snapshot,
        after=RELEASES[after],
        resized=resized_of(snapshot, objects),
        configuration=SchedulerConfiguration.default,
        subjects=sampled.subjects(snapshot),
        alive=bool,
    )


def resized_of(snapshot: Snapshot, objects: Iterable[Document]) -> list[Mapping[str, Any]]:
    pods = {key_of(each): each for each in objects if each["kind"] == "Pod"}
    return resized_pods(snapshot, lambda keys: {key: pods[key] for key in keys})


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


def test_pods_that_are_alike_are_tried_once_and_counted_each() -> None:
    two = [owned(a_pod(name, labels={"app": "web"}), "ReplicaSet", "web") for name in ("web-1", "web-2")]

    found = preview("1.34", "1.35", a_node("a", taints=[TAINT]), *two)

    pending, following = found.changes
    assert pending.subject.pods == ("default/web-1", "default/web-2")
    assert found.changed(SubjectRole.PENDING) == 2
    assert (following.subject.role, following.subject.workload.name) == (SubjectRole.NEXT, "web")
    assert found.tried(SubjectRole.NEXT) == 1


EVERY_POD: Document = {"topologyKey": "kubernetes.io/hostname", "maxSkew": 1, "labelSelector": {}}
WHOLE: Document = {"containers": [{"name": "main", "image": "app:1"}], "resources": {"requests": {"cpu": "3"}}}


def _sized(name: str, cpu: str, memory: str) -> Document:
    allocatable = {"cpu": cpu, "memory": memory, "pods": "10"}
    return a_node(name, labels={"kubernetes.io/hostname": name}, allocatable=allocatable)


def _pool(device: str, slices: int) -> Document:
    held = {"resourceSliceCount": slices}
    return a_slice(a_device(device), node=device, held=held)


def _of_1_38() -> dict[str, tuple[AnswerAspect, Amendment, list[Document]]]:
    """By a rule of 1.38, in what it differs first, and the smallest cluster in which a pod is told."""
    constraint = {**EVERY_POD, "whenUnsatisfiable": "DoNotSchedule"}
    spread = a_pod(requests={"cpu": "2"}, topologySpreadConstraints=[constraint])
    low = [a_pod(name, node="a", requests={"cpu": "2"}, priority=-1) for name in ("one", "two")]
    for pod, uid in zip(low, ("9", "1"), strict=True):
        pod["metadata"]["uid"] = f"00000000-0000-0000-0000-00000000000{uid}"
    whole = a_pod()
    whole["spec"].update(WHOLE)
    # The image tips the choice as long as the request does not count.
    small = _sized("a", "4", "16Gi")
    small["status"]["images"] = [{"names": ["app:1"], "sizeBytes": 340_000_000}]
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "all", "namespace": "default"},
        "spec": {"selector": {}},
        "status": {"disruptionsAllowed": 0},
    }
    kept = a_pod("kept", node="b", requests={"cpu": "4"}, priority=-1)
    kept["metadata"]["namespace"] = "other"
    claim = a_resource_claim(a_request(allocationMode="All", count=0))
    claiming_pod = a_pod(resourceClaims=claiming("claim"))
    rule, device_rule = AmendmentKind.RULE, AmendmentKind.DEVICE_RULE
    return {
        "scores_whole_pods": (
            AnswerAspect.NODES,
            Amendment(rule, "scores_whole_pods"),
            [small, _sized("b", "8", "8Gi"), whole],
        ),
        "counts_for_empty_selectors": (
            AnswerAspect.NODES,
            Amendment(rule, "counts_for_empty_selectors"),
            [_sized("a", "8", "8Gi"), _sized("b", "4", "8Gi"), a_pod("there", node="a"), spread],
        ),
        "protects_by_empty_selectors": (
            AnswerAspect.PREEMPTION,
            Amendment(rule, "protects_by_empty_selectors"),
            [
                *(_sized(name, "4", "8Gi") for name in ("a", "b")),
                a_pod("gone", node="a", requests={"cpu": "4"}, priority=-2),
                kept,
                budget,
                a_pod(requests={"cpu": "4"}),
            ],
        ),
        "orders_victims_by_uid": (
            AnswerAspect.PREEMPTION,
            Amendment(rule, "orders_victims_by_uid"),
            [_sized("a", "4", "8Gi"), *low, a_pod(requests={"cpu": "2"})],
        ),
        "fails_whole_cycles": (
            AnswerAspect.VERDICT,
            Amendment(device_rule, "fails_whole_cycles"),
            [*map(a_node, ("a", "b")), a_class(), _pool("a", 2), _pool("b", 1), claim, claiming_pod],
        ),
    }


@pytest.mark.parametrize("name", _of_1_38())
def test_a_rule_of_1_38_is_named_with_the_pod_that_it_touches(name: str) -> None:
    aspect, amendment, objects = _of_1_38()[name]

    found = preview("1.37", "1.38", *objects)

    assert found.changes[0].aspect is aspect
    assert {(each.amendments, each.subject.pods) for each in found.changes} == {((amendment,), ("default/pod",))}


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
    assert change.tip.lead_after > 0


def test_pods_of_daemon_sets_and_finished_pods_have_no_next() -> None:
    finished = {**owned(a_pod("job-1", node="a"), "Job", "job"), "status": {"phase": "Succeeded"}}
    objects = [a_node("a"), owned(a_pod("agent-1", node="a"), "DaemonSet", "agent"), finished]

    assert SampledPods.among(objects).subjects(Snapshot.from_objects(objects)) == []


def test_a_configuration_that_a_later_minor_refuses_ends_the_preview() -> None:
    case = case_of("1.34", "1.37", a_node("a", taints=[TAINT]), a_pod())

    found = upgrade_preview(replace(case, configuration=partial(_refusing, case, "1.36")))

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
    case = case_of("1.34", "1.35", a_node("a"))
    subject = UpgradeSubject(
        SubjectRole.PENDING,
        SampledPods.among([a_pod()]).subjects(case.snapshot)[0].workload,
        {**a_pod(), "spec": {"containers": [{"resources": {"requests": {"cpu": "much"}}}]}},
        ("default/pod",),
    )
    told: list[str] = []

    found = upgrade_preview(replace(case, subjects=[subject], note=lambda what, _: told.append(what)))

    assert (found.not_computed, found.left_out, told) == (1, 0, ["Pod default/pod"])


def test_fewer_pods_are_drained_where_each_is_tried_on_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clusters.engine.upgrading.drains.MOST_PAIRS", 12)
    names = [f"n{number}" for number in range(4)]
    snapshot = Snapshot.from_objects([*map(a_node, names), *(a_pod(name, node=name) for name in names)])

    ((pool,), _) = sampled_pools(snapshot)

    assert (pool.nodes, pool.node_count) == (("n0", "n1", "n2"), 4)


@pytest.mark.parametrize(("before", "after"), [("1.34", "1.35"), ("1.35", "1.36"), ("1.36", "1.37")])
def test_the_amendments_of_a_minor_together_are_the_minor(before: str, after: str) -> None:
    release = RELEASES[before]
    for amendment in amendments_of(release, RELEASES[after]):
        release = amended(release, RELEASES[after], amendment)

    assert amendments_of(release, RELEASES[after]) == ()
    assert (release.rules, release.device_rules) == (RELEASES[after].rules, RELEASES[after].device_rules)
    assert release.multi_point == RELEASES[after].multi_point


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

    case = case_of(minor, minor, *some, *placed, *[pod for pod in pending if pod["metadata"]["name"] not in taken])
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
    shrunk = {"name": "side", "allocatedResources": {"cpu": "1"}, "resources": {"requests": {"cpu": "1"}}}
    uneven = {
        **a_pod("web-2", node="a"),
        "spec": {"nodeName": "a", "containers": [pod["spec"]["containers"][0], side]},
        "status": {"phase": "Running", "containerStatuses": [allocated, shrunk]},
    }
    objects = [a_node("a"), resized, uneven]

    snapshot = Snapshot.from_objects(objects, RELEASES["1.34"])
    found = resized_of(snapshot, objects)
    read = snapshot.read_as(RELEASES["1.37"], found)

    assert found == [uneven]
    assert read.content() == Snapshot.from_objects(objects, RELEASES["1.37"]).content()
    assert read.content() != Snapshot.from_objects(objects, RELEASES["1.34"]).content()


def test_pods_with_several_best_nodes_are_counted_where_any_of_them_is_no_longer_taken() -> None:
    web = [owned(a_pod(name, labels={"app": "web"}), "ReplicaSet", "web") for name in ("web-1", "web-2")]
    pinned = a_pod("pinned", nodeSelector={"kubernetes.io/hostname": "a"})
    nodes = [a_node(name, labels={"kubernetes.io/hostname": name}) for name in ("a", "b")]

    found = preview("1.34", "1.35", *nodes, *web, pinned)
    assert found.changes == ()
    assert (found.ties(SubjectRole.PENDING), found.ties(SubjectRole.NEXT)) == (2, 1)

    later = preview("1.35", "1.37", *nodes, *web, pinned)
    assert (later.ties(SubjectRole.PENDING), later.ties(SubjectRole.NEXT)) == (0, 0)


API = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def way(before: str, after: str) -> tuple[Release, ...]:
    return releases_between(RELEASES[before], RELEASES[after])


def obstacles(before: str, after: str, settings: dict[str, bool], *plugins: str) -> tuple[StartObstacle, ...]:
    document = {**API, "profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": name} for name in plugins]}}}]}
    return start_obstacles(settings, SchedulerConfiguration.from_dict(document, RELEASES[before]), way(before, after))


@pytest.mark.parametrize(
    ("before", "after", "settings", "expected"),
    [
        ("1.34", "1.37", {"DRAAdminAccess": False}, [("1.36", "locked-gate", "DRAAdminAccess")]),
        ("1.36", "1.37", {"DRAAdminAccess": False}, []),
        ("1.34", "1.37", {"DRAAdminAccess": True}, []),
        ("1.36", "1.37", {"NodeDeclaredFeatures": False}, [("1.37", "locked-gate", "NodeDeclaredFeatures")]),
        ("1.34", "1.35", {"DynamicResourceAllocation": False}, [("1.35", "locked-gate", "DynamicResourceAllocation")]),
        ("1.35", "1.36", {"GitRepoVolumeDriver": True}, [("1.36", "locked-gate", "GitRepoVolumeDriver")]),
        ("1.35", "1.37", {"SchedulerQueueingHints": True}, [("1.37", "removed-gate", "SchedulerQueueingHints")]),
        ("1.35", "1.36", {"SchedulerQueueingHints": True}, []),
        ("1.35", "1.37", {"GangScheduling": True}, [("1.37", "removed-gate", "GangScheduling")]),
        ("1.35", "1.36", {"GangScheduling": True}, []),
        ("1.34", "1.37", {"AllBeta": False, "VolumeLimitScaling": True}, []),
    ],
)
def test_gates_are_told_by_the_minor_that_refuses_them(
    before: str, after: str, settings: dict[str, bool], expected: list[tuple[str, str, str]]
) -> None:
    found = obstacles(before, after, settings)

    assert [(each.minor, each.kind, each.name) for each in found] == expected
    assert all(each.value is settings[each.name] for each in found)


def test_a_plugin_with_the_name_of_a_new_one_of_kubernetes_is_told() -> None:
    found = obstacles("1.34", "1.37", {}, "GangScheduling", "DeferredPodScheduling", "NodeDeclaredFeatures", "Own")

    assert [(each.minor, each.kind, each.name) for each in found] == [
        ("1.35", ObstacleKind.TAKEN_NAME, "GangScheduling"),
        ("1.35", ObstacleKind.TAKEN_NAME, "NodeDeclaredFeatures"),
        ("1.37", ObstacleKind.TAKEN_NAME, "DeferredPodScheduling"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "settings", "expected"),
    [("1.36", "1.38", {}, ["1.37"]), ("1.37", "1.38", {}, []), ("1.36", "1.38", {"StorageCapacityScoring": True}, [])],
)
def test_a_storage_capacity_that_ends_the_later_scheduler_is_told(
    before: str, after: str, settings: dict[str, bool], expected: list[str]
) -> None:
    first = RELEASES[before].with_gates({Gate(name): is_on for name, is_on in settings.items()})
    capacities = [
        {"storageClassName": "fast", "maximumVolumeSize": "1Gi"},
        {"storageClassName": "slow", "maximumVolumeSize": "1Gi", "capacity": "2Gi"},
        {"storageClassName": "plain", "capacity": "2Gi"},
        {"storageClassName": "full"},
    ]
    configuration = SchedulerConfiguration.from_dict({**API, "profiles": [{}]}, first)

    found = start_obstacles(settings, configuration, releases_between(first, RELEASES[after]), capacities)

    assert found == tuple(StartObstacle(minor, ObstacleKind.CRASH, "fast") for minor in expected)


@given(st.dictionaries(st.sampled_from(sorted({*RETIRED_GATES, *(gate.value for gate in Gate)})), st.booleans()))
def test_the_steps_of_the_way_have_what_the_whole_way_has(settings: dict[str, bool]) -> None:
    minors = list(RELEASES)
    steps = [each for pair in pairwise(minors) for each in obstacles(pair[0], pair[1], settings)]

    assert steps == list(obstacles(minors[0], minors[-1], settings))


def test_a_gate_is_retired_once_and_decides_nothing() -> None:
    locked, removed = ({name: minor for minor in each for name in each[minor]} for each in (LOCKED, REMOVED))

    assert len(locked) == sum(map(len, LOCKED.values()))
    assert len(removed) == sum(map(len, REMOVED.values()))
    # Minors lock a gate before they remove it.
    assert all(locked[name] < removed[name] for name in locked.keys() & removed.keys())
    assert not RETIRED_GATES & {gate.value for gate in Gate}


def compared(objects: list[Document], before: Release, after: str) -> GroupComparison:
    snapshot = Snapshot.from_objects(objects, before)

    def world(release: Release) -> tuple[Snapshot, SchedulerConfiguration]:
        read = snapshot if release == before else snapshot.read_as(release)
        return read, SchedulerConfiguration.default(release)

    return GroupsUnderReleases(world, bool).compared(releases_between(before, RELEASES[after]))


def test_preemption_for_a_whole_group_comes_with_1_37() -> None:
    # Pod by pod the second one takes the rest of what the first one's victim leaves.
    low = [a_pod(f"low-{name}", node=name, requests={"cpu": "2"}, priority=-1) for name in ("n1", "n2")]
    objects = [a_small_node("n1", 2), a_small_node("n2", 2), a_group(least=2, minor="1.36", priority=5), *low]

    found = compared([*objects, *members("a", "b", minor="1.36", priority=5)], GROUPING["1.36"], "1.37")

    (change,) = found.changes
    assert (change.group, change.minor, found.evaluated) == ("default/train", "1.37", 1)
    assert (change.before.verdict, change.after.verdict) == (GroupVerdict.PREEMPTS, GroupVerdict.PREEMPTS)
    assert change.before.victims == ("default/low-n1",)
    assert set(change.after.victims) == {"default/low-n1", "default/low-n2"}
    assert change.amendments == (Amendment(AmendmentKind.RULE, "evaluates_groups_first"),)


def test_a_gang_that_is_placed_alike_is_counted_alone() -> None:
    objects = [a_small_node("n1", 2), a_group(least=2, minor="1.36"), *members("a", "b", minor="1.36")]

    assert compared(objects, GROUPING["1.36"], "1.37") == GroupComparison(evaluated=1)


def quota(**hard: str) -> Document:
    amounts = {name.replace("_", "."): amount for name, amount in hard.items()}
    return {
        "kind": "ResourceQuota",
        "metadata": {"name": "share", "namespace": "default"},
        "spec": {"hard": amounts},
        "status": {"hard": amounts, "used": dict.fromkeys(amounts, "0")},
    }


def web(**spec: Any) -> Document:
    return owned(a_pod("web-1", node="a", **spec), "ReplicaSet", "web")


def previewed(before: str, after: str, *objects: Document) -> UpgradePreview:
    quotas = [each for each in objects if each["kind"] == "ResourceQuota"]
    return upgrade_preview(replace(case_of(before, after, *objects), quotas=quotas))


def with_pod_level(requests: dict[str, str], limits: dict[str, str]) -> Document:
    """A pod that requests something as a whole, and whose only container is limited."""
    pod = web()
    spec = {**pod["spec"], "resources": {"requests": requests}}
    spec["containers"] = [{**spec["containers"][0], "resources": {"requests": limits, "limits": limits}}]
    return {**pod, "spec": spec}


def test_limit_ranges_are_asked() -> None:
    bounds: Document = {
        "kind": "LimitRange",
        "metadata": {"name": "small", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}}]},
    }

    found = previewed("1.34", "1.37", a_node("a"), with_pod_level({"cpu": "2"}, {"cpu": "2"}), bounds)

    assert isinstance(found.refused_pods[0].refusals[0].problem, AboveMaximum)


def test_what_was_derived_before_is_derived_anew_by_each_release() -> None:
    bounds: Document = {
        "kind": "LimitRange",
        "metadata": {"name": "given", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]},
    }
    pod = web()
    pod["metadata"]["annotations"] = {
        "kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu request for container main"
    }
    container = {"name": "main", "resources": {"requests": {"cpu": "100m"}}}
    pod["spec"] |= {"containers": [container], "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}}

    found = previewed("1.36", "1.37", a_node("a"), pod, bounds, quota(requests_cpu="1"))

    # Under 1.37 the pod requests what the LimitRange gives its container.
    (change,) = [each for each in found.changes if each.aspect is AnswerAspect.ADMISSION]
    assert [type(each.problem) for each in change.before.refusals] == [QuotaExceeded]
    assert change.after.refusals == ()
    assert change.amendments == (Amendment(AmendmentKind.RULE, "completes_pods_after_admission"),)


def test_claims_from_templates_are_charged_with_the_next_pod() -> None:
    devices = "gpu.deviceclass.resource.k8s.io/devices"
    exactly = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
    template: Document = {
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [{"name": "one", "exactly": exactly}]}}},
    }
    pod = web(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])

    (refused,) = previewed("1.36", "1.37", a_node("a"), pod, template, quota(**{devices: "0"})).refused_pods
    problem = refused.refusals[0].problem
    assert isinstance(problem, QuotaExceeded)
    assert problem.resources == (devices,)


REPLICA_SET = a_deployment(1)[1]


def pool_node(name: str, pool: str, **more: Any) -> Document:
    return a_node(name, labels={"pool": pool}, **more)


def web_of(name: str, node: str, **more: Any) -> Document:
    pod = a_pod(name, node=node, labels={"app": "web"}, **more)
    pod["metadata"]["ownerReferences"] = [reference(REPLICA_SET)]
    return {**pod, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def drained_case(before: str, after: str, *objects: Document, lasting: frozenset[str] = frozenset()) -> UpgradeCase:
    case = case_of(before, after, *objects)
    pools, left_out = sampled_pools(case.snapshot)
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName")]
    return replace(case, drains=SampledDrains(pools, pods, lasting=lasting, pools_left_out=left_out))


def drains(before: str, after: str, *objects: Document, lasting: frozenset[str] = frozenset()) -> DrainComparison:
    return upgrade_preview(drained_case(before, after, *objects, lasting=lasting)).drains


def test_a_replacement_that_would_be_pending_has_another_message() -> None:
    found = drains("1.34", "1.35", pool_node("a", "web"), pool_node("b", "gpu", taints=[TAINT]), web_of("web-0", "a"))

    gpu, of_web = found.pools
    assert (gpu.name, gpu.nodes, gpu.changes) == ("gpu", ("b",), ())
    (change,) = of_web.changes
    assert (change.node, change.aspect, change.minor) == ("a", DrainAspect.MESSAGE, "1.35")
    assert change.amendments == (Amendment(AmendmentKind.RULE, "names_taints"),)
    assert (change.before.block, change.after.block) == (Block.NO_ROOM, Block.NO_ROOM)
    ((pod, message),) = [(each.pod, each.message) for each in change.before.pending]
    assert pod == "default/web-0"
    assert "{dedicated: gpu}" in message
    assert "{dedicated: gpu}" not in change.after.pending[0].message
    assert of_web.changed_nodes == {"a"}


def test_replacements_that_go_to_another_node_say_which_rule_sends_them() -> None:
    filling = web_of("there", "tilted", requests={"cpu": "0", "memory": "1Gi"})
    moved = web_of("web-0", "old", requests={"cpu": "2", "memory": "0"})
    objects = [
        pool_node("old", "small", allocatable={"cpu": "2", "memory": "8Gi", "pods": "10"}),
        pool_node("tilted", "large", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"}),
        pool_node("zeven", "large", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"}),
    ]

    found = drains("1.34", "1.37", *objects, filling, moved)

    (change,) = [each for pool in found.pools for each in pool.changes if pool.name == "small"]
    assert (change.node, change.aspect, change.minor) == ("old", DrainAspect.NODES, "1.36")
    assert change.amendments == (Amendment(AmendmentKind.RULE, "balances_by_improvement"),)
    assert change.before.replaced == (ReplacedPod("default/web-0", "zeven", is_certain=True),)
    assert change.after.replaced == (ReplacedPod("default/web-0", "tilted", is_certain=True),)


def test_a_driver_that_nodes_lack_blocks_a_drain_with_1_37() -> None:
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
    pod = web_of("web-0", "a", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])

    found = drains("1.36", "1.37", pool_node("a", "x"), pool_node("b", "y"), claim, storage_class, driver, pod)

    (change,) = found.pools[0].changes
    assert (change.aspect, change.before.block, change.after.block) == (DrainAspect.VERDICT, None, Block.NO_ROOM)
    assert [each.pod for each in change.after.pending] == ["default/web-0"]


def test_a_budget_that_blocks_under_both_is_no_difference() -> None:
    budget = reporting(
        a_budget(minAvailable=1), disruptionsAllowed=0, currentHealthy=1, desiredHealthy=1, expectedPods=1
    )
    objects = [pool_node("a", "web"), pool_node("b", "web"), web_of("web-0", "a"), budget]

    found = drains("1.34", "1.37", *objects, lasting=frozenset({"default/web"}))

    assert [(pool.nodes, pool.changes) for pool in found.pools] == [(("a", "b"), ())]


def test_refused_evictions_are_part_of_the_verdict() -> None:
    blocked = NodeDrainAnswer(Block.BUDGET, refused=("default/web-0",), budgets=("default/web",))

    assert drain_aspects_between(blocked, NodeDrainAnswer(None)) == (DrainAspect.VERDICT,)
    assert drain_aspects_between(blocked, replace(blocked, refused=("default/web-1",))) == (DrainAspect.VERDICT,)


def test_a_drain_that_fails_is_told_and_left_out() -> None:
    told: list[str] = []

    def world(_: Release) -> tuple[Snapshot, SchedulerConfiguration]:
        return Snapshot.from_objects([pool_node("other", "web")], RELEASES["1.34"]), SchedulerConfiguration.default()

    sampled = drained_case("1.34", "1.35", pool_node("a", "web"), web_of("web-0", "a")).drains
    drained = DrainsUnderReleases(sampled, world, lambda: False, lambda what, _: told.append(what))
    found = drained.compared(releases_between(RELEASES["1.34"], RELEASES["1.35"]))

    assert (found.pools, found.left_out, told) == ((), 1, ["Drain of pool web"])


@given(
    st.lists(st.tuples(st.sampled_from(["", "x", "y"]), st.integers(0, 4)), min_size=1, max_size=12), st.integers(1, 9)
)
def test_pools_share_the_pods_and_have_one_node_at_least(nodes: list[tuple[str, int]], most: int) -> None:
    objects: list[Document] = []
    for number, (pool, count) in enumerate(nodes):
        name = f"n{number:02}"
        objects.append(a_node(name, labels={"pool": pool} if pool else {}))
        objects += [a_pod(f"{name}-{each}", node=name) for each in range(count)]

    pools, left_out = sampled_pools(Snapshot.from_objects(objects, RELEASES["1.34"]), most)

    pods_of = {f"n{number:02}": count for number, (_, count) in enumerate(nodes)}
    assert left_out == 0
    assert sum(each.node_count for each in pools) == len(nodes)
    assert all(pool.nodes for pool in pools)
    assert sum(pods_of[node] for pool in pools if len(pool.nodes) > 1 for node in pool.nodes) <= most
    if sum(pods_of.values()) <= most:
        assert all(len(pool.nodes) == pool.node_count for pool in pools)
    assert [each.name for each in pools] == sorted({pool for pool, _ in nodes}, key=lambda name: (not name, name))


def test_the_next_pod_of_a_stateful_set_has_the_next_ordinal_and_a_claim() -> None:
    objects = [a_node("a"), *(owned(a_pod(f"db-{each}", node="a"), "StatefulSet", "db") for each in (0, 2))]

    (subject,) = SampledPods.among(objects).subjects(Snapshot.from_objects(objects))

    assert subject.pods == ("default/db-3",)

"""The demo cluster shows what it promises, and nothing in it is there by accident."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from django.conf import settings

from clusters.demo import BUDGETS, QUOTAS, STORIES, demo_objects
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.admission import admit

CONFIGURATION = SchedulerConfiguration.default()
STRUCK = {"general-a-09", "general-b-09", "general-c-09"}
NOMINATED_NODE = "general-b-03"
IN_USE = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)


# By the name of the workload: who rejects, with which words, on how many nodes at least when asked alone.
REJECTIONS = [
    ("batch/disk-audit", "NodeUnschedulable", "node(s) were unschedulable", 1),
    ("shop/storefront-canary", "NodeName", "node(s) didn't match the requested node name", 60),
    ("ml/embedding-backfill", "TaintToleration", "node(s) had untolerated taint {nvidia.com/gpu: present}", 4),
    ("search/vector-index", "NodeAffinity", "node(s) didn't match Pod's node affinity/selector", 60),
    ("platform/metrics-gateway", "NodePorts", "node(s) didn't have free ports for the requested pod ports", 60),
    ("shop/catalog-import", "NodeResourcesFit", "Insufficient cpu", 24),
    ("shop/catalog-import", "NodeResourcesFit", "Insufficient memory", 10),
    ("ml/llm-finetune", "NodeResourcesFit", "Insufficient nvidia.com/gpu", 4),
    ("batch/thumbnailer", "NodeResourcesFit", "Too many pods", 3),
    ("platform/security-agent", "NodeResourcesFit", "Too many pods", 1),
    (
        "payments/ledger-export",
        "VolumeRestrictions",
        IN_USE,
        60,
    ),
    ("search/elastic", "NodeVolumeLimits", "node(s) exceed max volume count", 6),
    ("data/clickhouse", "VolumeBinding", "node(s) didn't match PersistentVolume's node affinity", 59),
    ("data/spill-writer", "VolumeBinding", "node(s) didn't find available persistent volumes to bind", 60),
    ("shop/reviews-db", "VolumeZone", "node(s) had no available volume zone", 9),
    ("platform/edge-proxy", "PodTopologySpread", "node(s) didn't match pod topology spread constraints", 2),
    (
        "data/mirror-maker",
        "PodTopologySpread",
        "node(s) didn't match pod topology spread constraints (missing required label)",
        54,
    ),
    ("shop/cart-cache", "InterPodAffinity", "node(s) didn't match pod affinity rules", 60),
    ("search/search-api", "InterPodAffinity", "node(s) didn't match pod anti-affinity rules", 6),
    ("batch/video-transcode", "InterPodAffinity", "node(s) didn't satisfy existing pods anti-affinity rules", 60),
    ("ml/video-captions", "DynamicResources", "cannot allocate all claims", 60),
]


@cache
def objects() -> list[dict[str, Any]]:
    return demo_objects()


@cache
def snapshot() -> Snapshot:
    return Snapshot.from_objects(objects())


@cache
def pods() -> dict[str, dict[str, Any]]:
    return {
        f"{each['metadata']['namespace']}/{each['metadata']['name']}": each
        for each in objects()
        if each["kind"] == "Pod"
    }


@cache
def explained(key: str) -> Explanation:
    return explain(snapshot(), pods()[key], CONFIGURATION.profile_for(pods()[key]))


def waiting() -> dict[str, dict[str, Any]]:
    """The pods that the scheduler's queue holds, or would hold without their gates."""
    return {
        key: pod
        for key, pod in pods().items()
        if "nodeName" not in pod["spec"] and pod["spec"]["schedulerName"] == "default-scheduler"
    }


def of(workload: str) -> Explanation:
    """The explanation of the first pod that a workload tells its story with."""
    return explained(next(key for key in STORIES if key.startswith(workload)))


def condition(pod: dict[str, Any]) -> dict[str, Any] | None:
    return next((each for each in pod["status"].get("conditions", ()) if each["type"] == "PodScheduled"), None)


def test_is_the_same_every_time() -> None:
    assert demo_objects() == objects()


def test_has_the_size_that_is_promised() -> None:
    counts = Counter(each["kind"] for each in objects())

    assert counts["Node"] == 60
    assert 880 <= counts["Pod"] <= 920
    zones = Counter(
        each["metadata"]["labels"]["topology.kubernetes.io/zone"] for each in objects() if each["kind"] == "Node"
    )
    assert len(zones) == 3


def test_no_name_and_no_uid_is_used_twice() -> None:
    uids = Counter(each["metadata"]["uid"] for each in objects())
    names = Counter((each["kind"], each["metadata"].get("namespace"), each["metadata"]["name"]) for each in objects())

    assert max(uids.values()) == 1
    assert max(names.values()) == 1


def test_no_node_is_overcommitted() -> None:
    nodes = snapshot().nodes

    for row, name in enumerate(nodes.names):
        over = {
            resource: int(amount)
            for resource, amount in zip(nodes.resources, nodes.requested[row] - nodes.allocatable[row], strict=True)
            if amount > 0
        }
        assert not over, f"{name} lacks {over}"
        assert nodes.pod_count[row] <= nodes.allowed_pods[row], name


def test_placed_pods_could_be_placed_again_unless_something_happened_to_their_node() -> None:
    # One of each workload and node pool, as those of one template are alike.
    alike = {
        (pod["metadata"]["labels"]["app"], str(snapshot().placed_on(key))[:-2]): key for key, pod in pods().items()
    }
    for key in alike.values():
        pod, node = pods()[key], snapshot().placed_on(key)
        if node is None or node in STRUCK | {NOMINATED_NODE} or pod["metadata"]["labels"]["app"] == "kafka":
            continue
        assert node in explained(key).feasible, f"{key} on {node}: {explained(key).message}"


@pytest.mark.parametrize(("workload", "plugin", "reason", "least"), REJECTIONS)
def test_every_rejection_is_shown(workload: str, plugin: str, reason: str, least: int) -> None:
    explanation = of(workload)

    rejected = [
        row
        for row in range(explanation.node_count)
        if reason in getattr(explanation.rejections_of(row).get(plugin), "texts", ())
    ]

    assert not explanation.fits
    assert len(rejected) >= least


def test_every_filter_rejects_somewhere_for_a_pod_whose_story_it_is() -> None:
    shown = {plugin for _, plugin, _, _ in REJECTIONS}

    assert shown == set(CONFIGURATION.profiles[0].filter)


def test_every_waiting_pod_carries_the_words_of_the_scheduler() -> None:
    told = 0
    for key, pod in waiting().items():
        explanation, found = explained(key), condition(pod)
        if pod["spec"].get("schedulingGates"):
            assert found is not None
            assert found["reason"] == "SchedulingGated"
        elif explanation.fits:
            assert found is None, key
        else:
            assert found is not None, key
            assert (found["status"], found["reason"]) == ("False", "Unschedulable")
            assert found["message"] == explanation.message
            told += 1
    assert told >= 25


def test_every_message_has_its_event() -> None:
    events = {
        f"{each['involvedObject']['namespace']}/{each['involvedObject']['name']}": each["message"]
        for each in objects()
        if each["kind"] == "Event" and each["reason"] == "FailedScheduling"
    }
    messages = {
        key: found["message"]
        for key, pod in waiting().items()
        if (found := condition(pod)) is not None and found["reason"] == "Unschedulable"
    }

    assert events.keys() == messages.keys()
    for key, message in messages.items():
        assert len(events[key]) <= 1024
        assert message.startswith(events[key].removesuffix(" ..."))


def test_every_waiting_pod_has_a_story_and_only_those() -> None:
    pending = {key for key, pod in pods().items() if pod["status"]["phase"] == "Pending"}

    assert set(STORIES) == pending


def test_the_guide_names_every_story_every_budget_and_every_quota() -> None:
    guide = (settings.BASE_DIR / "docs/demo.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `([a-z-]+/[a-z0-9-]+)` \|", guide, re.MULTILINE)) == {
        *STORIES,
        *(f"{each.namespace}/{each.name}" for each in (*BUDGETS, *QUOTAS)),
    }


def test_pods_are_those_of_their_controllers_templates() -> None:
    """What the API server makes of each template is the spec that the pods have, apart from what controllers add."""
    templates = {
        each["metadata"]["uid"]: each["spec"]["template"]
        for each in objects()
        if "template" in each.get("spec", {}) and each["kind"] != "Deployment"
    }
    compared = 0
    for key, pod in pods().items():
        for owner in pod["metadata"].get("ownerReferences", ()):
            template = templates[owner["uid"]]
            labels = template["metadata"]["labels"]
            made = admit(
                {"kind": "Pod", "metadata": {**pod["metadata"], "labels": labels}, "spec": template["spec"]}, snapshot()
            )
            assert not made.refusals, key
            assert _written(pod, owner["kind"]) == _written(made.pod, owner["kind"]), key
            assert labels.items() <= pod["metadata"]["labels"].items(), key
            compared += 1

    assert compared == len(pods()) - 1


def _written(pod: dict[str, Any], owner: str) -> dict[str, Any]:
    """The spec with what the API server fills in, without what a controller or the scheduler adds to one pod."""
    spec = dict(admit(pod, snapshot()).pod["spec"])
    spec.pop("nodeName", None)
    if owner == "StatefulSet":
        spec.pop("volumes", None)
    if owner == "DaemonSet":
        spec.pop("affinity", None)
        spec.pop("tolerations", None)
    return spec

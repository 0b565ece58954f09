"""The pods that controllers would make of manifests."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.objects import Pod, key_of, labels_of, name_of
from clusters.engine.simulation import ManifestError
from clusters.engine.simulation.controllers import made_of
from clusters.engine.simulation.remarks import ClaimsIgnored, JobInParts, NodeNameIgnored
from clusters.wording.problems import problem_sentence, remedy_sentence
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.changing import a_workload

HASH = "pod-template-hash"


def names(pods: Any) -> list[str]:
    return [name_of(pod) for pod in pods]


def shelf(*objects: dict[str, Any]) -> Snapshot:
    return Snapshot.from_objects(objects)


def storage_class(name: str, mode: str, *, is_default: bool = False) -> dict[str, Any]:
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"} if is_default else {}
    return {"kind": "StorageClass", "metadata": {"name": name, "annotations": annotations}, "volumeBindingMode": mode}


def test_a_deployment_has_a_replica_set_that_finds_its_pods() -> None:
    manifest = a_workload("Deployment", replicas=2)
    made = made_of(manifest, shelf(), ())
    deployment, replica_set = made.objects
    hashed = labels_of(made.pods[0])[HASH]

    assert names(made.pods) == [f"web-{hashed}-1", f"web-{hashed}-2"]
    assert labels_of(made.pods[0]) == {"app": "web", HASH: hashed}
    assert (deployment["kind"], deployment["spec"]["replicas"]) == ("Deployment", 2)
    assert replica_set["metadata"]["name"] == f"web-{hashed}"
    assert replica_set["spec"]["selector"]["matchLabels"] == {"app": "web", HASH: hashed}
    assert Pod(made.pods[0]).controller == {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": f"web-{hashed}",
        "uid": replica_set["metadata"]["uid"],
        "controller": True,
    }
    assert Pod(replica_set).controller is not None


def test_the_hash_is_that_of_the_template_whatever_the_order_of_its_keys() -> None:
    def hashed(manifest: dict[str, Any]) -> str:
        return labels_of(made_of(manifest, shelf(), ()).pods[0])[HASH]

    one = a_workload("Deployment")
    turned = {**one, "spec": dict(reversed(one["spec"].items()))}
    turned["spec"]["template"] = dict(reversed(one["spec"]["template"].items()))

    assert hashed(one) == hashed(turned) == hashed({**one, "spec": {**one["spec"], "replicas": 1}})
    assert hashed(one) != hashed(a_workload("Deployment", pod={"nodeSelector": {"a": "b"}}))


def test_a_stateful_set_numbers_pods_and_claims() -> None:
    template = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1Gi"}}}}
    manifest = a_workload(
        "StatefulSet",
        "db",
        replicas=2,
        ordinals={"start": 3},
        volumeClaimTemplates=[template],
        pod={"volumes": [{"name": "data", "emptyDir": {}}, {"name": "tmp", "emptyDir": {}}]},
    )
    late = storage_class("late", "WaitForFirstConsumer", is_default=True)
    left = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data-db-3", "namespace": "default"}, "spec": {}}
    made = made_of(manifest, shelf(late, left), ())

    assert names(made.pods) == ["db-3", "db-4"]
    assert labels_of(made.pods[1])["statefulset.kubernetes.io/pod-name"] == "db-4"
    assert labels_of(made.pods[1])["apps.kubernetes.io/pod-index"] == "4"
    assert [volume["name"] for volume in made.pods[0]["spec"]["volumes"]] == ["tmp", "data"]
    assert made.pods[0]["spec"]["volumes"][1] == {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-3"}}
    claims = [each for each in made.objects if each["kind"] == "PersistentVolumeClaim"]
    assert [(name_of(claim), claim["spec"]["storageClassName"]) for claim in claims] == [("data-db-4", "late")]
    assert made.remarks == ()


def test_volumes_that_are_made_at_once_say_nothing_of_the_place() -> None:
    template = {"metadata": {"name": "data"}, "spec": {"storageClassName": "now"}}
    manifest = a_workload("StatefulSet", "db", replicas=2, volumeClaimTemplates=[template])
    made = made_of(manifest, shelf(storage_class("now", "Immediate")), ())

    assert [pod["spec"]["volumes"] for pod in made.pods] == [[], []]
    assert names(made.objects) == ["db"]
    assert made.remarks == (ClaimsIgnored(("data",)),)


def test_ephemeral_volumes_get_claims() -> None:
    claim = {"volumeClaimTemplate": {"spec": {"storageClassName": "late"}}}
    manifest = a_workload("ReplicaSet", replicas=2, pod={"volumes": [{"name": "cache", "ephemeral": claim}]})
    made = made_of(manifest, shelf(storage_class("late", "WaitForFirstConsumer")), ())

    assert names(made.objects) == ["web", "web-1-cache", "web-2-cache"]
    assert made.objects[2]["metadata"]["ownerReferences"][0]["uid"] == Pod(made.pods[1]).uid


def test_a_daemon_set_has_a_pod_on_every_node_that_fits() -> None:
    wants = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "os", "operator": "NotIn", "values": ["other"]}]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": wants}}
    manifest = a_workload("DaemonSet", "log", pod={"affinity": affinity, "nodeSelector": {"pool": "x"}})
    nodes = [
        a_node("b", labels={"pool": "x"}, taints=[{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]),
        a_node("a", labels={"pool": "x"}),
        a_node("elsewhere"),
        a_node("other", labels={"pool": "x", "os": "other"}),
        a_node("tainted", labels={"pool": "x"}, taints=[{"key": "dedicated", "effect": "NoSchedule"}]),
        a_node("soft", labels={"pool": "x"}, taints=[{"key": "dedicated", "effect": "PreferNoSchedule"}]),
    ]
    made = made_of(manifest, shelf(), nodes)

    assert names(made.pods) == ["log-a", "log-b", "log-soft"]
    terms = made.pods[1]["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert terms == {
        "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["b"]}]}]
    }
    assert Pod(made.pods[0]).controller is not None


def test_the_pods_of_a_daemon_set_outlive_the_loss_of_their_node() -> None:
    """What the API server allows for five minutes, and the manifest for less, the controller allows for ever."""
    lost = {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute"}
    other = {"key": "dedicated", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 9}
    manifest = a_workload("DaemonSet", "log", pod={"tolerations": [other, {**lost, "tolerationSeconds": 5}]})
    (pod,) = made_of(manifest, shelf(), [a_node("a")]).pods
    tolerations = pod["spec"]["tolerations"]

    assert tolerations[:2] == [other, lost]
    assert len(tolerations) == 7
    assert all("tolerationSeconds" not in each for each in tolerations[1:])


def test_a_job_runs_as_many_as_it_may_at_a_time() -> None:
    made = made_of(a_workload("Job", "sum", parallelism=2, completions=5), shelf(), ())
    indexed = made_of(a_workload("Job", "sum", parallelism=3, completions=2, completionMode="Indexed"), shelf(), ())
    more = made_of(a_workload("Job", "sum"), shelf(), (), 4)

    assert names(made.pods) == ["sum-1", "sum-2"]
    assert labels_of(made.pods[0])["batch.kubernetes.io/job-name"] == "sum"
    assert made.remarks == (JobInParts("Job default/sum", 2, 5),)
    assert [labels_of(pod)["batch.kubernetes.io/job-completion-index"] for pod in indexed.pods] == ["0", "1"]
    assert len(more.pods) == 4
    assert made_of(a_workload("Job", "sum", suspend=True), shelf(), ()).pods == ()


def test_copies_of_a_pod() -> None:
    pod = a_pod("one", node="n", labels={"app": "x"})
    made = made_of(pod, shelf(), (), 3)

    assert names(made.pods) == ["one-1", "one-2", "one-3"]
    assert names(made_of(pod, shelf(), ()).pods) == ["one"]
    assert not Pod(made.pods[0]).node_name
    assert made.remarks == (NodeNameIgnored("Pod default/one"),)


def test_the_pods_are_what_the_api_server_would_store() -> None:
    objects: list[dict[str, Any]] = [
        {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 7},
        {
            "kind": "LimitRange",
            "metadata": {"name": "l", "namespace": "default"},
            "spec": {"limits": [{"type": "Container", "defaultRequest": {"memory": "1Gi"}}]},
        },
    ]
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
        "matchLabelKeys": [HASH],
    }
    manifest = a_workload("Deployment", pod={"priorityClassName": "high", "topologySpreadConstraints": [spread]})
    (pod,) = made_of(manifest, shelf(*objects), ()).pods

    assert pod["spec"]["priority"] == 7
    assert pod["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "100m", "memory": "1Gi"}
    merged = pod["spec"]["topologySpreadConstraints"][0]["labelSelector"]["matchExpressions"]
    assert merged == [{"key": HASH, "operator": "In", "values": [labels_of(pod)[HASH]]}]


@pytest.mark.parametrize(
    ("manifest", "field", "problem"),
    [
        ({"kind": "Pod", "spec": {}}, "metadata.name", "The Pod has no name."),
        ({"kind": "Job", "metadata": {"name": "a"}}, "spec", "The Job has no spec."),
        ({"kind": "Job", "metadata": {"name": "a"}, "spec": {"template": 5}}, "spec.template.spec", "no pod template"),
        (
            a_workload("Deployment", selector={"matchLabels": {"app": "x"}}),
            "spec.selector",
            "does not match the labels",
        ),
        (a_workload("Deployment", selector=None), "spec.selector", "does not match the labels"),
        (
            a_workload("Deployment", selector={"matchLabels": 5}),
            "spec.selector.matchLabels",
            "json: cannot unmarshal number into Go struct field LabelSelector.matchLabels of type map[string]string",
        ),
        (a_workload("Deployment", replicas=-1), "spec.replicas", "-1 is not a whole number from 0 to 50\u202f000."),
        (a_workload("Job", parallelism=10**9), "spec.parallelism", "1000000000 is not a whole number from 0"),
        (a_workload("StatefulSet", ordinals={"start": -1}), "spec.ordinals.start", "-1 is not an ordinal."),
        (
            a_workload("Deployment", pod={"priorityClassName": "no"}),
            "spec.template.spec.priorityClassName",
            "There is no PriorityClass no.",
        ),
        (a_workload("Job", pod={"containers": []}), "spec.template.spec.containers", "The pod has no containers."),
        (
            a_workload("Job", pod={"containers": [{"name": "a", "resources": {"requests": {"cpu": str(2**63 - 1)}}}]}),
            "spec.template.spec",
            "less than 0 of cpu, or more than the scheduler can count",
        ),
        (
            a_workload("Deployment", pod={"containers": [{"name": "a", "resources": {"requests": {"cpu": "lots"}}}]}),
            "spec.template.spec",
            "'lots' is not an amount.",
        ),
    ],
)
def test_what_no_api_server_would_take(manifest: dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(ManifestError) as caught:
        made_of(manifest, shelf({"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1}), ())

    assert caught.value.path == field
    assert problem in problem_sentence(caught.value.problem)
    assert remedy_sentence(caught.value.problem)


def test_fifty_thousand_replicas_share_their_template() -> None:
    pods = made_of(a_workload("Deployment", replicas=50_000), shelf(), ()).pods

    assert len({key_of(pod) for pod in pods}) == 50_000
    assert len({id(pod["spec"]) for pod in pods}) == 1
    assert len({id(pod["metadata"]["labels"]) for pod in pods}) == 1
    # Two small dictionaries a pod, its name and its UID.
    assert sys.getsizeof(pods[0]) + sys.getsizeof(pods[0]["metadata"]) < 800

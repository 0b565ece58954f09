"""The allow-list: nothing that is not named passes, and nothing that scheduling reads is lost."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.conf import settings
from hypothesis import given, strategies as st

from clusters.adapters.bad_input import Limits
from clusters.adapters.prune import KINDS, kind_of, pruned_configuration
from clusters.adapters.state import ClusterState, Found, ObjectOrigin, read_object
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling import replay
from tests.clusters.dumps import node, pod
from tests.engine.oracle import Case, comparable, importance_of_pods, some_cases
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.unmeasured
SECRET = "hunter2"
FORBIDDEN_KEYS = (
    "args",
    "command",
    "data",
    "env",
    "envFrom",
    "kubectl.kubernetes.io/last-applied-configuration",
    "lifecycle",
    "livenessProbe",
    "managedFields",
    "nodePublishSecretRef",
    "parameters",
    "securityContext",
    "secretRef",
    "stringData",
    "volumeAttributes",
    "volumeDevices",
    "volumeMounts",
)


def kept(document: dict[str, Any]) -> dict[str, Any]:
    """Put one object through the door and return what is stored of it."""
    state = ClusterState(Limits())
    state.add(Found(ObjectOrigin("dump.json", 1), -1, document))
    (rows,) = state.rows.values()
    (row,) = rows.values()
    stored: dict[str, Any] = json.loads(row.object)
    return stored


def full_object(kind: str) -> dict[str, Any]:
    """An object of the kind with something at every place where people put secrets."""
    ref = {"name": "credentials"}
    container = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}
    return {
        "apiVersion": KINDS[kind].versions[0],
        "kind": KINDS[kind].object_kind,
        "metadata": {
            "name": "thing",
            "namespace": "shop",
            "labels": {"app": "thing"},
            "annotations": {},
            "ownerReferences": [],
        },
        "spec": {
            "containers": [dict(container)],
            "initContainers": [dict(container)],
            "ephemeralContainers": [{"name": "debug"}],
            "selector": {},
            "template": {"metadata": {"labels": {"app": "thing"}}, "spec": {"containers": [dict(container)]}},
            "volumes": [
                {"name": "a", "secret": {"secretName": SECRET}},
                {"name": "b", "configMap": {"name": SECRET}},
                {"name": "c", "projected": {"sources": [{"secret": {"name": SECRET}}]}},
                {"name": "d", "csi": {"driver": "x", "nodePublishSecretRef": {"name": SECRET}}},
                {
                    "name": "e",
                    "rbd": {"image": "i", "monitors": ["m"], "secretRef": {"name": SECRET}, "keyring": SECRET},
                },
                {"name": "f", "iscsi": {"iqn": "i", "chapAuthSession": True, "secretRef": {"name": SECRET}}},
                {"name": "g", "hostPath": {"path": SECRET}},
                {"name": "h", "azureFile": {"shareName": "s", "secretName": SECRET}},
                {"name": "i", "flexVolume": {"driver": "x", "options": {"password": SECRET}, "secretRef": ref}},
            ],
            "imagePullSecrets": [{"name": SECRET}],
            "serviceAccountName": SECRET,
            "csi": {"driver": "x", "volumeHandle": "v", "volumeAttributes": {"k": SECRET}},
            "drivers": [],
            "devices": {"requests": [], "config": [{"opaque": {"parameters": {"k": SECRET}}}]},
            "config": [{"opaque": {"parameters": {"k": SECRET}}}],
        }
        if kind not in {"ResourceSlice", "CSINode"}
        else {"drivers": [], "devices": []},
        "status": {
            "conditions": [],
            "containerStatuses": [{"name": "main", "state": {"waiting": {"message": SECRET}}}],
        },
        "parameters": {"adminSecretName": SECRET},
        "data": {"password": SECRET},
    }


def containers_within(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every map of an object, however deep."""
    if isinstance(value, dict):
        yield value
        for content in value.values():
            yield from containers_within(content)
    elif isinstance(value, list):
        for content in value:
            yield from containers_within(content)


def test_of_volumes_on_the_nodes_disks_it_is_kept_that_they_are() -> None:
    kind = known(kind_of("v1", "Pod"))
    volumes = {each["name"]: each for each in kind.prune(full_object("Pod"))["spec"]["volumes"]}

    assert (volumes["b"], volumes["g"]) == ({"name": "b", "configMap": {}}, {"name": "g", "hostPath": {}})
    assert volumes["a"] == {"name": "a"}


@given(
    kind=st.sampled_from(sorted(KINDS)),
    keys=st.lists(st.tuples(st.integers(0, 60), st.sampled_from(FORBIDDEN_KEYS)), min_size=1, max_size=8),
    value=st.sampled_from([SECRET, [SECRET], {"name": SECRET}, [{"name": "TOKEN", "value": SECRET}]]),
)
def test_secrets_never_pass_the_door(kind: str, keys: list[tuple[int, str]], value: Any) -> None:
    document = full_object(kind)
    if kind in {"ResourceClaim", "DeviceClass", "PersistentVolume", "ReplicationController", "Service"}:
        document["spec"].pop("selector")
    maps = [
        each
        for each in containers_within(document)
        # A map of labels or amounts has keys of the author's choice: whatever they are, they are labels or resources.
        if "app" not in each and "cpu" not in each
    ]
    for index, key in keys:
        maps[index % len(maps)][key] = value

    text = json.dumps(kept(document))

    assert SECRET not in text
    for key in FORBIDDEN_KEYS:
        assert f'"{key}":' not in text


def test_only_known_annotations_pass() -> None:
    annotations = {
        "kubectl.kubernetes.io/last-applied-configuration": SECRET,
        "example.com/token": SECRET,
        "kube-scheduler-simulator.sigs.k8s.io/filter-result": SECRET,
        "volume.kubernetes.io/selected-node": "n1",
        "volume.beta.kubernetes.io/storage-class": "fast",
        "pv.kubernetes.io/bind-completed": "yes",
        "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
        "alibabacloud.com/gpu-milli": "500",
        "storageclass.kubernetes.io/is-default-class": "true",
        "storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/aws-ebs",
        "kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu request for container main",
        "batch.kubernetes.io/job-index-failure-count": "1",
    }
    document = pod()
    document["metadata"]["annotations"] = annotations

    assert kept(document)["metadata"]["annotations"] == {
        key: value for key, value in annotations.items() if value != SECRET
    }


# What the answers of kube-scheduler do not depend on, and the corpus has for the sake of good form only.
UNREAD = ("imageID", "path")


def without_unread(value: Any) -> Any:
    """Return an object of the corpus without what no plugin reads."""
    if isinstance(value, list):
        return [without_unread(each) for each in value]
    if not isinstance(value, dict):
        return value
    plain = {key: without_unread(content) for key, content in value.items() if key not in UNREAD}
    for status in plain.get("containerStatuses", ()):
        status.pop("image", None)
    owners = plain.get("metadata", {}).get("ownerReferences", ())
    if plain.get("kind") == "ReplicaSet" and any(owner.get("controller") for owner in owners):
        plain["spec"].get("template", {}).pop("spec", None)
    return plain


def test_what_scopes_of_quotas_read_stays() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"activeDeadlineSeconds": 60}}

    assert kept(pod)["spec"] == {"activeDeadlineSeconds": 60}


@pytest.mark.parametrize(
    ("kind", "version", "spec", "status"),
    [
        ("Deployment", "apps/v1", {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%"}}}, {}),
        ("Deployment", "apps/v1", {"strategy": {"type": "Recreate"}, "paused": True}, {}),
        ("StatefulSet", "apps/v1", {"podManagementPolicy": "Parallel"}, {"updateRevision": "web-5d"}),
        ("StatefulSet", "apps/v1", {"updateStrategy": {"rollingUpdate": {"partition": 2, "maxUnavailable": 1}}}, {}),
        (
            "DaemonSet",
            "apps/v1",
            {"updateStrategy": {"rollingUpdate": {"maxUnavailable": "10%"}}},
            {"desiredNumberScheduled": 7},
        ),
        ("Job", "batch/v1", {"parallelism": 4, "completions": 10, "suspend": False}, {"succeeded": 3}),
        (
            "Job",
            "batch/v1",
            {
                "completionMode": "Indexed",
                "backoffLimitPerIndex": 1,
                "maxFailedIndexes": 2,
                "podReplacementPolicy": "Failed",
                "managedBy": "example.com/other",
                "podFailurePolicy": {
                    "rules": [
                        {
                            "action": "FailJob",
                            "onExitCodes": {"operator": "In", "values": [42], "containerName": "main"},
                        },
                        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
                    ]
                },
                "successPolicy": {"rules": [{"succeededIndexes": "0-2,5", "succeededCount": 2}]},
            },
            {"completedIndexes": "0-2", "failedIndexes": "5"},
        ),
        ("CronJob", "batch/v1", {"suspend": True}, {}),
    ],
)
def test_what_says_how_many_pods_and_how_they_are_updated_is_kept(
    kind: str, version: str, spec: dict[str, Any], status: dict[str, Any]
) -> None:
    document = {"apiVersion": version, "kind": kind, "metadata": {"name": "web", "namespace": "shop"}}
    noise = {"template": {"spec": {"containers": []}}, "minReadySeconds": 5}

    stored = kept({**document, "spec": {**spec, **noise}, "status": {**status, "collisionCount": 3}})

    assert {name: part for name, part in stored["spec"].items() if name != "template"} == spec
    assert stored.get("status", {}) == status


@pytest.mark.parametrize("kind", ["containers", "initContainers", "ephemeralContainers"])
def test_of_security_and_projected_volumes_what_kubelets_have_to_know_is_kept_alone(kind: str) -> None:
    pulled = {"type": "OCI", "oci": {"ref": SECRET}}
    others: tuple[dict[str, Any], ...] = ({"type": "RuntimeDefault"}, {"type": "Localhost", "localhostProfile": SECRET})
    document = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}
    certificate = {"signerName": SECRET, "keyType": "MLDSA65", "keyPath": SECRET}
    sources: list[dict[str, Any]] = [
        {"secret": {"name": SECRET}},
        {"podCertificate": {**certificate, "keyType": "ED25519"}},
        {"podCertificate": certificate},
    ]

    def spec(*profiles: dict[str, Any], volumes: list[dict[str, Any]]) -> dict[str, Any]:
        contexts = [{"privileged": True, "seccompProfile": each} for each in profiles]
        containers = [{"name": "a", "securityContext": each} for each in contexts]
        wanted = {kind: containers, "securityContext": {"runAsUser": 1, "seccompProfile": profiles[0]}}
        projected = [{"name": "v", "projected": {"sources": volumes}}]
        found: dict[str, Any] = kept({**document, "spec": {**wanted, "volumes": projected}})["spec"]
        return found

    known = {"seccompProfile": {"type": "OCI"}}
    assert spec(pulled, *others, volumes=sources) == {
        kind: [{"name": "a", "securityContext": known}, {"name": "a"}, {"name": "a"}],
        "securityContext": known,
        "volumes": [{"name": "v", "projected": {"sources": [{"podCertificate": {"keyType": "MLDSA65"}}]}}],
    }
    assert spec(*others, volumes=sources[:2]) == {kind: [{"name": "a"}, {"name": "a"}], "volumes": [{"name": "v"}]}


def test_of_a_container_that_is_restarted_the_delay_is_kept_and_nothing_that_it_said() -> None:
    told = "back-off 1m20s restarting failed container"
    ended = {"reason": "Error", "exitCode": 1, "finishedAt": "2026-01-01T00:00:00Z"}
    state = {"waiting": {"reason": "CrashLoopBackOff", "message": f"{told}=main pod=web_shop(1)"}}
    last = {"terminated": {**ended, "message": SECRET, "containerID": "x"}}
    status = {"containerStatuses": [{"name": "main", "restartCount": 4, "state": state, "lastState": last}]}
    document = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}

    (stored,) = kept({**document, "status": status})["status"]["containerStatuses"]

    assert stored["state"] == {"waiting": {"reason": "CrashLoopBackOff", "message": told}}
    assert stored["lastState"] == {"terminated": ended}
    state["waiting"]["message"] = f"the program said {told}"
    (stored,) = kept({**document, "status": status})["status"]["containerStatuses"]
    assert stored["state"] == {"waiting": {"reason": "CrashLoopBackOff"}}


@pytest.mark.parametrize(
    ("kind", "version"), [("Deployment", "apps/v1"), ("ReplicaSet", "apps/v1"), ("Job", "batch/v1")]
)
def test_what_a_controller_reports_is_kept_without_the_times_that_change(kind: str, version: str) -> None:
    told = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "exceeded quota"}
    told["lastTransitionTime"] = "2026-01-01T00:00:00Z"
    timed = {**told, "lastUpdateTime": "2026-01-01T00:00:00Z"}
    document = {"apiVersion": version, "kind": kind, "metadata": {"name": "web", "namespace": "shop"}}

    assert kept({**document, "status": {"conditions": [timed]}})["status"] == {"conditions": [told]}


# The wider corpus has labels on purpose that no API server would store, and the door refuses.
SOME_CASES = [
    pytest.param(case, id=name)
    for corpus, every in (("general", 5), ("examples", 1), ("dra", 2))
    for name, case in some_cases(corpus, every=every).items()
]


def pruned(document: dict[str, Any]) -> dict[str, Any]:
    kind = known(kind_of(document["apiVersion"], document["kind"]))
    return {"apiVersion": document["apiVersion"], "kind": document["kind"], **kind.prune(document)}


@pytest.mark.parametrize("case", SOME_CASES)
def test_pruned_objects_get_the_same_answers(case: Case) -> None:
    given = case.get("config") and pruned_configuration(case["config"])
    configuration = SchedulerConfiguration.from_dict(given) if given else SchedulerConfiguration.default()
    snapshot = Snapshot.from_objects(map(pruned, case["objects"]))
    answers = [explanation.as_recorded() for explanation in replay(snapshot, map(pruned, case["pods"]), configuration)]
    pods = importance_of_pods(case)

    for answer, expected in zip(answers, case["expect"], strict=True):
        assert comparable(answer, pods) == comparable(expected, pods)


# Without the wider corpus: it has labels on purpose that no API server would store, and the door refuses.
ORACLE = [settings.BASE_DIR / "tests" / "data" / "oracle" / f"{name}.jsonl.gz" for name in ("general", "examples")]


@pytest.mark.parametrize("corpus", ORACLE, ids=lambda path: path.name)
def test_some_objects_of_the_oracle_pass_whole(corpus: Path) -> None:
    with gzip.open(corpus) as lines:
        for line in islice(lines, 0, None, 4):
            case = orjson.loads(line)
            for document in (*case["objects"], *case["pods"]):
                stored = kept(document)
                wanted = without_unread(document)
                if KINDS[wanted["kind"]].is_namespaced:
                    wanted["metadata"].setdefault("namespace", "default")
                assert stored == wanted


ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        5,
        -1,
        2**40,
        2**70,
        1.5,
        "",
        "x" * 401,
        "a/b",
        "\x00",
        "\n",
        "\ud800",
        "é",
        [],
        {},
        [None],
        {"a": None},
    ),
    *("100m", "1e3", "-1", "0.5Gi", "2026-02-28T23:59:59Z", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00+01:00"),
    *("back-off 5m0s restarting failed container=web", "kube-scheduler", "scheduler-simulator/filter-result"),
)


def usual_pod() -> dict[str, Any]:
    """A pod with much of what pods have, and nothing that only few have."""
    found = full_object("Pod")
    mounts = [{"name": "a", "mountPath": "/a"}, {"name": "b", "mountPath": "/b", "readOnly": True}]
    found["metadata"] |= {
        "uid": "6e2f4b1c",
        "creationTimestamp": "2026-02-28T12:00:00Z",
        "annotations": {"cluster-autoscaler.kubernetes.io/safe-to-evict": "true", "team": "web"},
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "controller": True}],
    }
    requests = {"cpu": "100m", "memory": "1Gi"}
    found["spec"]["containers"] = [{"name": "main", "resources": {"requests": requests}, "volumeMounts": mounts}]
    found["spec"] |= {"nodeName": "n1", "priority": 5, "nodeSelector": {"pool": "a"}, "hostNetwork": False}
    found["status"] = {
        "phase": "Running",
        "containerStatuses": [{"name": "main", "state": {"waiting": {"reason": "X"}}}],
    }
    return found


def told(value: Any) -> tuple[Any, ...]:
    """Return all that a source of one object, parsed or read, tells of it."""
    state = ClusterState(Limits())
    state.add(Found(ObjectOrigin("dump.json", 1), -1, value))
    return state.rows, state.skipped, state.feature_gates, state.kept, state.gaps(state.pods())


@given(st.data())
def test_what_is_read_from_json_is_what_is_kept_of_it_when_it_is_pruned(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["usual pod", *sorted(KINDS)]))
    document = usual_pod() if kind == "usual pod" else full_object(kind)
    for _ in range(data.draw(st.integers(0, 3))):
        value: Any = document
        while True:
            keys = list(value) if type(value) is dict else range(len(value))
            key = data.draw(st.sampled_from([*keys, "new"] if type(value) is dict else list(keys)))
            if type(value.get(key) if type(value) is dict else value[key]) not in (dict, list) or data.draw(
                st.booleans()
            ):
                value[key] = deepcopy(data.draw(st.sampled_from(ODD)))
                break
            if not (value := value[key]):
                break
    text = json.dumps(document, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from((None, 4))))
    encoded = text.encode(errors="surrogatepass")
    read = read_object(encoded)
    if read is not None:
        assert told(read) == told(orjson.loads(encoded))


@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize(
    "document", [pod(on="n1"), pod(), node(), usual_pod(), full_object("Node"), full_object("Event")]
)
def test_what_is_usual_is_read_and_not_parsed(document: dict[str, Any], indent: int | None) -> None:
    assert read_object(json.dumps(document, indent=indent).encode()) is not None

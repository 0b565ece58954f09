"""Why real controllers cannot create pods is read from what they and the real API server write, and lifted as said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest

from clusters.engine.admission.problems import AboveMaximum
from clusters.engine.problems import NoSuchObject, Problem
from clusters.engine.quotas import QuotaExceeded, QuotaUnspecified, raises
from clusters.engine.workloads.refusals import PodSecurityViolated, PolicyDenied, WorkloadFailure, refused
from clusters.services.files import read_dump
from tests.controlplane.api import Api, ApiError, Object
from tests.controlplane.manifests import container, owner, pod_spec, selecting, template
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


pytestmark = pytest.mark.controlplane

KINDS = (
    ("v1", "Node"),
    ("v1", "Pod"),
    ("v1", "Event"),
    ("v1", "LimitRange"),
    ("v1", "ResourceQuota"),
    ("v1", "PersistentVolumeClaim"),
    ("scheduling.k8s.io/v1", "PriorityClass"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "Deployment"),
    ("apps/v1", "StatefulSet"),
    ("apps/v1", "DaemonSet"),
    ("batch/v1", "Job"),
)


def workload(namespace: str, kind: str, name: str, replicas: int, **spec: object) -> Object:
    wanted = {"replicas": replicas, "selector": selecting(name), "template": template(name, pod_spec(**spec))}
    if kind == "StatefulSet":
        wanted |= {"serviceName": name, "podManagementPolicy": "Parallel"}
    return owner("apps/v1", kind, namespace, name, wanted)


def quota(namespace: str, **hard: str) -> Object:
    named = {resource.replace("_", "."): amount for resource, amount in hard.items()}
    return owner("v1", "ResourceQuota", namespace, "few", {"hard": named})


@pytest.fixture
def failures_of(
    api: Api, namespace: str, create_nodes: Callable[[int], list[str]], tmp_path: Path
) -> Callable[[], dict[str, WorkloadFailure]]:
    """Return what fails by workload in a dump of the namespace as it is."""
    create_nodes(1)

    def found() -> dict[str, WorkloadFailure]:
        items = [
            {**each, "apiVersion": version, "kind": kind}
            for version, kind in KINDS
            for each in api.objects(version, kind)
            if each["metadata"].get("namespace") in (None, namespace)
        ]
        path = tmp_path / "dump.json"
        path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        return {each.workload.name: each for each in refused(read_dump(path).failures)}

    return found


def wait_for(
    failures_of: Callable[[], dict[str, WorkloadFailure]], name: str, missing: int | None = None
) -> WorkloadFailure:
    found: dict[str, WorkloadFailure] = {}

    def is_refused() -> bool:
        found.clear()
        found.update(failures_of())
        return name in found and missing in (None, found[name].missing)

    wait_until(is_refused, seconds=60, otherwise=f"{name} was not refused")
    return found[name]


def counted(api: Api, namespace: str, resource: str) -> bool:
    status = api.get("v1", "ResourceQuota", "few", namespace=namespace).get("status") or {}
    return resource in (status.get("used") or {})


def only_problem(failure: WorkloadFailure) -> Problem:
    assert failure.refusal is not None
    (problem,) = failure.refusal.problems
    return problem


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet"])
def test_raising_a_quota_as_said_lets_all_pods_be_created(
    api: Api, namespace: str, failures_of: Callable[[], dict[str, WorkloadFailure]], kind: str
) -> None:
    api.create(quota(namespace, pods="1", requests_cpu="150m"))
    wait_until(lambda: counted(api, namespace, "requests.cpu"), seconds=30, otherwise="the quota was not counted")
    api.create(workload(namespace, kind, "web", 3))

    failure = wait_for(failures_of, "web", 2)

    problem = only_problem(failure)
    assert isinstance(problem, QuotaExceeded)
    assert (problem.namespace, problem.quota) == (namespace, "few")
    assert (problem.resources, problem.requested) == (("pods", "requests.cpu"), ("1", "100m"))
    assert (problem.used, problem.limited) == (("1", "100m"), ("1", "150m"))
    assert failure.refusal is not None
    assert failure.refusal.resource == "pods"
    assert failure.refusal.name.startswith("web-")
    assert failure.since
    answer = failure.next_try
    assert answer is not None
    assert (answer.wanted, answer.admitted, answer.is_decisive) == (2, 0, True)
    needed = {each.resource: each.needed for each in raises(answer.demands)}
    assert needed == {"pods": "3", "requests.cpu": "300m"}

    api.patch("v1", "ResourceQuota", "few", {"spec": {"hard": needed}}, namespace=namespace)

    def is_raised() -> bool:
        """Tell whether the status, which is what counts, is as the spec is."""
        return bool(api.get("v1", "ResourceQuota", "few", namespace=namespace)["status"]["hard"] == needed)

    wait_until(is_raised, seconds=30, otherwise="the quota was not raised")
    # Controllers back off; a change of the workload wakes them.
    woken = {"metadata": {"labels": {"woken": "yes"}}}
    api.patch("apps/v1", kind, "web", woken, namespace=namespace)
    for each in api.objects("apps/v1", "ReplicaSet", namespace=namespace):
        api.patch("apps/v1", "ReplicaSet", each["metadata"]["name"], woken, namespace=namespace)
    wait_until(lambda: "web" not in failures_of(), seconds=60, otherwise="web is still said to be refused")
    assert len(api.objects("v1", "Pod", namespace=namespace)) == 3


def test_bounds_of_a_limit_range_are_read_and_its_name_is_found(
    api: Api, namespace: str, failures_of: Callable[[], dict[str, WorkloadFailure]]
) -> None:
    limits = [{"type": "Container", "max": {"cpu": "1", "memory": "1Gi"}}]
    api.create(owner("v1", "LimitRange", namespace, "narrow", {"limits": limits}))
    resources = {"requests": {"cpu": "2", "memory": "2Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}}
    greedy = {**container(), "resources": resources}
    api.create(workload(namespace, "Deployment", "web", 2, containers=[greedy]))

    failure = wait_for(failures_of, "web", 2)

    assert failure.refusal is not None
    expected = {
        AboveMaximum("LimitRange narrow", maximum, resource, "container", "limits", given)
        for resource, maximum, given in (("cpu", "1", "2"), ("memory", "1Gi", "2Gi"))
    }
    assert set(failure.refusal.problems) == expected
    # The same is computed here, so that it is known to hold still.
    assert failure.next_try is not None
    assert failure.next_try.admitted == 0
    assert set(failure.next_try.problems) == expected


def test_containers_that_a_quota_makes_specify_more(
    api: Api, namespace: str, failures_of: Callable[[], dict[str, WorkloadFailure]]
) -> None:
    api.create(quota(namespace, limits_cpu="9"))
    api.create(workload(namespace, "Deployment", "web", 1, containers=[container(), container("side")]))

    failure = wait_for(failures_of, "web", 1)

    problem = only_problem(failure)
    assert isinstance(problem, QuotaUnspecified)
    assert (problem.resources, problem.containers) == (("limits.cpu",), ("main", "side"))
    assert failure.next_try is not None
    assert failure.next_try.admitted == 0


def test_other_answers_of_a_real_api_server(
    api: Api, namespace: str, failures_of: Callable[[], dict[str, WorkloadFailure]]
) -> None:
    enforced = {"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}}
    api.patch("v1", "Namespace", namespace, enforced)
    api.create(workload(namespace, "Deployment", "account", 1, serviceAccountName="robot"))
    api.create(workload(namespace, "DaemonSet", "class", 1, priorityClassName="urgent") | {"spec": _daemon("class")})
    api.create(workload(namespace, "StatefulSet", "host", 1, hostNetwork=True))

    assert only_problem(wait_for(failures_of, "account")) == NoSuchObject("ServiceAccount", f"{namespace}/{'robot'}")
    assert only_problem(wait_for(failures_of, "class")) == NoSuchObject("PriorityClass", "urgent")
    security = only_problem(wait_for(failures_of, "host"))
    assert isinstance(security, PodSecurityViolated)
    assert (security.namespace, security.standard) == (namespace, "baseline:latest")


def _daemon(name: str) -> Object:
    return {"selector": selecting(name), "template": template(name, pod_spec(priorityClassName="urgent"))}


def test_a_policy_that_denies_a_jobs_pods(
    api: Api, namespace: str, failures_of: Callable[[], dict[str, WorkloadFailure]]
) -> None:
    group, name = "admissionregistration.k8s.io/v1", f"tags-{namespace}"
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    expression = f"namespaceObject.metadata.name != '{namespace}'"
    api.create(
        {
            "apiVersion": group,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name},
            "spec": {
                "failurePolicy": "Fail",
                "matchConstraints": {"resourceRules": [rule]},
                "validations": [{"expression": expression, "message": "exceeded quota: of patience"}],
            },
        }
    )
    api.create(
        {
            "apiVersion": group,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name},
            "spec": {"policyName": name, "validationActions": ["Deny"]},
        }
    )
    try:
        # Policies take a moment until the API server knows them; a Job that comes before would just run.
        def denied() -> bool:
            pod = {"metadata": {"generateName": "probe-", "namespace": namespace}, "spec": pod_spec()}
            try:
                api.post(
                    api.path("v1", "Pod", namespace=namespace) + "?dryRun=All",
                    {"apiVersion": "v1", "kind": "Pod", **pod},
                )
            except ApiError:
                return True
            return False

        wait_until(denied, seconds=60, otherwise="the policy does not deny pods")
        wanted = {"template": {"spec": pod_spec(restartPolicy="Never")}, "parallelism": 2, "completions": 4}
        api.create(owner("batch/v1", "Job", namespace, "import", wanted))

        failure = wait_for(failures_of, "import", 2)
    finally:
        api.delete(group, "ValidatingAdmissionPolicyBinding", name)
        api.delete(group, "ValidatingAdmissionPolicy", name)
    assert only_problem(failure) == PolicyDenied(name, name, "exceeded quota: of patience")
    assert failure.next_try is not None
    assert not failure.next_try.is_decisive

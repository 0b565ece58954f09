"""What the API server refuses of a pod for rules between its fields, and what it takes."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.adapters.prune import KINDS
from clusters.adapters.schema.checking import check_pod
from clusters.demo.cluster import demo_objects
from clusters.engine import Snapshot
from clusters.engine.admission import admit, wrongs_of
from clusters.wording.problems import both_sentences
from tests.support.refused_pods import REFUSED

Object = dict[str, Any]


def a_pod(**spec: Any) -> Object:
    spec.setdefault("containers", [{"name": "web", "image": "web:1"}])
    metadata = {"name": "web", "namespace": "shop", "labels": {"app": "web"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def admitted(pod: Object, *objects: Object) -> list[str]:
    return [each.field for each in admit(pod, Snapshot.from_objects(objects)).refusals]


def of_text(pod: Object) -> list[str]:
    return [problem.path for problem in check_pod(pod)]


@pytest.mark.parametrize("name", REFUSED)
def test_a_pod_that_the_api_server_refuses_is_refused_with_its_field(name: str) -> None:
    spec, field = REFUSED[name]
    pod = a_pod(**spec)
    found = of_text(pod) or admitted(pod)
    assert field in found
    problems = [each.problem for each in check_pod(pod)] + [each.problem for each in admit(pod, Snapshot()).refusals]
    said = [both_sentences(problem) for problem in problems]
    assert all(sentence.endswith((".", "?")) for sentence in said)


@pytest.mark.parametrize("name", ["gpu-without-limit", "huge-pages-alone"])
def test_what_a_limit_range_may_add_is_asked_for_once_admission_had_its_say(name: str) -> None:
    pod = a_pod(**REFUSED[name][0])
    limits = {"type": "Container", "default": {"nvidia.com/gpu": "1", "cpu": "1"}}
    ranges = {
        "kind": "LimitRange",
        "metadata": {"name": "usual", "namespace": "shop"},
        "spec": {"limits": [limits]},
    }
    assert of_text(pod) == []
    assert admitted(pod)
    assert admitted(pod, ranges) == []


def test_a_request_above_the_limit_that_a_limit_range_gives_is_refused() -> None:
    pod = a_pod(containers=[{"name": "web", "image": "web:1", "resources": {"requests": {"memory": "2Gi"}}}])
    ranges = {
        "kind": "LimitRange",
        "metadata": {"name": "usual", "namespace": "shop"},
        "spec": {"limits": [{"type": "Container", "default": {"memory": "1Gi"}}]},
    }
    assert admitted(pod) == []
    assert admitted(pod, ranges) == ["spec.containers[0].resources.requests.memory"]


@pytest.mark.parametrize(
    "spec",
    [
        {"tolerations": [{"operator": "Exists"}]},
        {"tolerations": [{"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}]},
        {"tolerations": [{"key": "a", "effect": "NoSchedule"}]},
        {"overhead": {"cpu": "1"}},
        {"initContainers": [{"name": "first", "image": "web:1", "ports": [{"containerPort": 80, "hostPort": 80}]}]},
        {
            "affinity": {
                "nodeAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {
                            "weight": 1,
                            "preference": {"matchExpressions": [{"key": "size", "operator": "Gt", "values": ["a b"]}]},
                        }
                    ]
                }
            }
        },
    ],
)
def test_what_the_api_server_takes_is_taken(spec: Object) -> None:
    assert of_text(a_pod(**spec)) == []
    assert list(wrongs_of(a_pod(**spec), is_admitted=True)) == []


def test_pods_of_a_cluster_are_not_refused() -> None:
    pods = [KINDS["Pod"].prune(each) for each in demo_objects() if each["kind"] == "Pod"]
    assert len(pods) > 500
    assert [wrong for pod in pods for wrong in wrongs_of(pod, is_admitted=True)] == []

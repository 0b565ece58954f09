"""A Pod that somebody wrote: what is wrong with it, on which line, and what would be right."""

from __future__ import annotations

import pytest
import yaml

from clusters.adapters.schema.checking import Fault, Lines, check_pod
from clusters.wording.problems import problem_sentence, remedy_sentence

GOOD = """\
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {app: web, "a.b/c": "1"}
spec:
  containers:
    - name: web
      image: web:1
      resources:
        requests: {cpu: 500m, memory: 1Gi}
      ports:
        - containerPort: 80
  tolerations:
    - {key: gpu, operator: Exists, effect: NoSchedule}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: zone
      whenUnsatisfiable: DoNotSchedule
"""


def problems(text: str) -> list[Fault]:
    return list(check_pod(yaml.safe_load(text)))


def test_a_pod_that_is_right_has_no_problems() -> None:
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("right", "wrong", "line", "path", "said"),
    [
        ("tolerations:", "toleration:", 14, "spec.toleration", "Did you mean tolerations?"),
        ("kind: Pod", "kind: Node", 2, "kind", "Write Pod."),
        ("cpu: 500m", "cpu: 500mm", 11, "spec.containers[0].resources.requests.cpu", "is not a resource quantity"),
        ("image: web:1", "image: 1", 9, "spec.containers[0].image", "Put quotes around it."),
        ("operator: Exists", "operator: Exist", 15, "spec.tolerations[0].operator", "Write Exists."),
        ("maxSkew: 1", "maxSkew: 0", 17, "spec.topologySpreadConstraints[0].maxSkew", "Write 1 or more."),
        ("maxSkew: 1", "maxSkew: '1'", 17, "spec.topologySpreadConstraints[0].maxSkew", "without quotes"),
        ("containerPort: 80", "containerPort: 0", 13, "spec.containers[0].ports[0].containerPort", "1 to 65\u202f535"),
        ("{app: web, ", "[app, ", 5, "metadata.labels", "is not a map"),
        ('"a.b/c": "1"', '"a.b/c": 1', 5, "metadata.labels.a.b/c", "Put quotes around it."),
        ("- name: web\n", "- \n", 9, "spec.containers[0]", "There is no name."),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_what_would_be_right(
    right: str, wrong: str, line: int, path: str, said: str
) -> None:
    text = GOOD.replace(right, wrong, 1)
    assert text != GOOD
    if wrong.startswith("["):
        text = text.replace('"1"}', '"1"]').replace('"a.b/c": ', "")
    (found,) = problems(text)
    assert found.path == path
    assert said in f"{problem_sentence(found.problem)} {remedy_sentence(found.problem)}"
    assert Lines(text).of(found.path) == line


def test_a_request_over_its_limit_is_told() -> None:
    text = GOOD.replace("requests: {cpu: 500m, memory: 1Gi}", "{requests: {cpu: '2'}, limits: {cpu: 1500m}}")
    text = text.replace("resources:\n        {", "resources: {")
    assert [each.path for each in problems(text)] == ["spec.containers[0].resources.requests.cpu"]


@pytest.mark.parametrize("document", [None, [], "pod", 7, {}, {"spec": []}, {"spec": {"containers": [None]}}])
def test_what_is_no_pod_at_all_is_told_and_breaks_nothing(document: object) -> None:
    assert list(check_pod(document))


def test_lines_of_a_broken_text_are_known_up_to_the_break_and_nesting_costs_nothing() -> None:
    assert Lines("a:\n  b: 1\nc: [").of("a.b") == 2
    assert Lines("[" * 60_000).of("a") <= 1
    assert Lines("a: &x {b: 1}\nc: *x\n").of("c.b") == 2

"""What a run is asked is read strictly: each thing that is wrong is named with its place, the problem and a remedy."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import orjson
import pytest

from clusters.adapters import flow
from clusters.problems.inputs import FileForm, OtherForm
from clusters.problems.orders import SolverMissing
from clusters.services.runs.cases import notes_of, prepared_on, simulation_of
from clusters.services.runs.results import RunResults
from clusters.services.runs.spec import Scheduler, Spec, SpecError, read_manifests, read_spec
from clusters.wording.problems import both_sentences, problem_sentence
from tests.clusters.dumps import node, pod

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: 0f3b}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: main, image: "app:1", env: [{name: PASSWORD, value: hunter2}], resources: {requests: {cpu: 500m}}}
"""
SECRET = """
apiVersion: v1
kind: Secret
metadata: {name: password}
stringData: {password: hunter2}
"""
BUDGET = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
"""


# Nine levels of nine aliases each stand for half a billion values.
LAUGHS = "\n".join(
    f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * 9 if level else ['x'] * 9)}]" for level in range(9)
)


def refused(data: Any) -> SpecError:
    with pytest.raises(SpecError) as caught:
        read_spec(data)
    error = caught.value
    assert both_sentences(error.problem).endswith((".", "?"))
    return error


def spec(*changes: Any, **fields: Any) -> dict[str, Any]:
    return {"base": {"kind": "cluster"}, "changes": list(changes), **fields}


def adding(text: str, **fields: Any) -> dict[str, Any]:
    return spec({"change": "add-workload", "text": text, **fields})


def test_what_is_stored_is_read_as_the_same() -> None:
    scheduler = {"kind": "batch", "samples": False, "reschedules": True, "gangs": "pod-group", "graceful": False}
    read = read_spec(adding(DEPLOYMENT + "---" + BUDGET + "---" + SECRET) | {"seed": 7, "scheduler": scheduler})

    stored = orjson.loads(orjson.dumps(read.as_dict()))

    assert Spec.stored(stored) == read
    assert read_spec(stored) == read


def test_manifests_become_changes_and_hold_nothing_that_is_not_read() -> None:
    read = read_spec(adding(SECRET + "---" + DEPLOYMENT + "---" + BUDGET, replicas=50))

    assert [change["change"] for change in read.changes] == ["put-budget", "add-workload"]
    assert read.changes[1]["replicas"] == 50
    assert "uid" not in read.changes[1]["manifest"]["metadata"]
    assert b"hunter2" not in orjson.dumps(read.as_dict())
    assert read.notes == ({"kind": "KindNotRead", "kindOfObject": "Secret", "because": "no-say"},)


@pytest.mark.parametrize(
    ("data", "field", "told"),
    [
        ([], "", "not a map"),
        ({"base": {"kind": "cluster"}, "seeds": 1}, "seeds", "no field seeds"),
        ({"base": {"kind": "dump"}}, "base.kind", "not valid here"),
        ({"version": 2, "base": {"kind": "empty"}}, "version", "not valid here"),
        (spec(seed=-1), "seed", "not a whole number from 0"),
        (spec(seed=True), "seed", "not a whole number from 0"),
        (spec(scheduler={"kind": "pods", "reschedules": True}), "scheduler.reschedules", "batch"),
        (spec(scheduler={"kind": "batch", "samples": True}), "scheduler.samples", "must be false"),
        (spec(scheduler={"kind": "luck"}), "scheduler.kind", "not valid here"),
        (spec(scheduler={"graceful": 1}), "scheduler.graceful", "neither true nor false"),
        (spec(configuration={"kind": "Pod"}), "configuration.apiVersion", "missing"),
        (spec("x"), "changes[0]", "is not valid here"),
        (
            spec({"change": "add-nodes", "count": 10**9, "cpu": "4", "memory": "1Gi"}),
            "changes[0].count",
            "is not a whole number from",
        ),
        (spec({"change": "explode"}), "changes[0].change", ""),
        (adding("kind: Deployment\n"), "changes[0].text.document 1.apiVersion", "missing"),
        (adding("apiVersion: v1\nkind: Deployment\n"), "changes[0].text.document 1.apiVersion", "not valid here"),
        (adding(DEPLOYMENT + "---\nkind: [1]\n"), "changes[0].text.document 2.kind", "missing"),
        (adding("- 1\n"), "changes[0].text.document 1", "not a Kubernetes object"),
        (adding("a: [\n"), "changes[0].text.document 1", "not YAML at line 2"),
        (adding(""), "changes[0].text", "no object"),
        (adding(SECRET), "changes[0].text", "a simulation reads: Secret."),
        (adding(LAUGHS), "changes[0].text.document 1", "BERTH_YAML_EXPANSION_LIMIT"),
        (adding("a: " + "[" * 5_000), "changes[0].text.document 1", "too deeply"),
        (adding('{"a": ' * 5_000), "changes[0].text.document 1", ""),
        (adding("a: \x00"), "", "not plain text"),
        (adding(DEPLOYMENT.replace("name: main", 'name: "a\\0b"')), "changes[0].text", "not plain text"),
        (adding("a: \ud800"), "", "JSON"),
        (adding("x" * (2 * 1024 * 1024 + 1)), "changes[0].text", "more than 2 MiB"),
        (
            adding(DEPLOYMENT.replace("name: web,", f"name: {'w' * 300},")),
            "metadata.name",
            "cannot be an object's name",
        ),
        (
            adding(DEPLOYMENT.replace("name: web,", "")),
            "changes[0].text.document 1.metadata.name",
            "There is no metadata.name",
        ),
        (adding(DEPLOYMENT.replace("replicas: 3", f"replicas: {10**9}")), "spec.replicas", "more than"),
        (adding(DEPLOYMENT.replace("replicas: 3", f"replicas: {10**30}")), "replicas", ""),
        (adding(DEPLOYMENT, replicas=10**9), "changes[0].replicas", "is not a whole number from"),
        (adding(DEPLOYMENT.replace("500m", "half")), "spec.template.spec.containers[0].resources.requests.cpu", ""),
        (adding(DEPLOYMENT.replace("containers:", "container:")), "spec.template.spec.container", "no field"),
        (adding(DEPLOYMENT.split("template:")[0]), "document 1.spec", "There is no template"),
    ],
)
def test_what_is_wrong_is_named(data: Any, field: str, told: str) -> None:
    error = refused(data)

    assert field in error.field
    assert told in problem_sentence(error.problem, line=error.line)


def test_without_or_tools_the_batch_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "find_spec", lambda _name: None)

    error = refused(spec(scheduler={"kind": "batch"}))

    assert (error.field, error.problem) == ("scheduler.kind", SolverMissing())
    assert read_spec(spec()).scheduler.kind == "pods"


def test_a_hostile_text_takes_little_memory() -> None:
    tracemalloc.start()
    for text in (LAUGHS, "[" * 100_000, DEPLOYMENT.replace("replicas: 3", f"replicas: {10**9}")):
        refused(adding(text))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 20 * 1024 * 1024


def test_lists_are_taken_apart() -> None:
    item = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c"}]}}
    listed = {"apiVersion": "v1", "kind": "List", "items": [item, {**item, "metadata": {"name": "b"}}]}

    found = read_manifests(orjson.dumps(listed).decode())

    assert [each["metadata"] for each in found.documents] == [
        {"name": "a", "namespace": "default"},
        {"name": "b", "namespace": "default"},
    ]


WAITS = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"pluginConfig": [{"name": "DynamicResources", "args": {"bindingTimeout": "90s"}}]}],
}


def test_a_configuration_is_read_as_the_minor_of_the_cluster_once_that_is_known() -> None:
    spec = read_spec({"base": {"kind": "cluster"}, "configuration": WAITS})

    assert spec.on_version("v1.37.2", {}).configuration == WAITS
    with pytest.raises(SpecError) as refused:
        spec.on_version("v1.34.1", {})
    assert refused.value.field == "configuration.profiles[0].pluginConfig[0].args.bindingTimeout"


def test_a_configuration_is_read_as_the_minor_that_the_request_names() -> None:
    assert read_spec({"base": {"kind": "cluster"}, "configuration": WAITS, "kubernetes": "v1.36.0"}).configuration
    with pytest.raises(SpecError):
        read_spec({"base": {"kind": "cluster"}, "configuration": WAITS, "kubernetes": "v1.35.0"})


def test_objects_with_generate_name_are_named() -> None:
    text = DEPLOYMENT.replace("name: web,", "generateName: web-,")

    found = read_manifests(f"{text}---\n{text}").documents

    names = {each["metadata"]["name"] for each in found}
    assert len(names) == 2
    assert all(len(name) == len("web-") + 5 and name.startswith("web-") for name in names)
    assert read_manifests(text).documents == found[:1]


def test_manifest_that_is_something_else_says_what_it_is() -> None:
    with pytest.raises(SpecError) as caught:
        read_manifests("<html><body>Sign in</body></html>")

    assert caught.value.problem == OtherForm(FileForm.HTML)


SPREAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 30
  selector: {matchLabels: {app: web, tier: front}}
  template:
    metadata: {labels: {tier: front, app: web}}
    spec:
      priorityClassName: system-cluster-critical
      nodeSelector: {zone-like: a, b: c}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: {matchLabels: {tier: front, app: web}}
      containers:
        - {name: main, image: "app:1", resources: {limits: {memory: 64Mi, cpu: 700m, zeta.io/x: 1, a.io/y: 1}}}
"""


def turned(value: Any) -> Any:
    """Return the same JSON with the keys of every map in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(each) for each in value] if isinstance(value, list) else value


def outcome(objects: Any, spec: Spec) -> tuple[list[Any], Any]:
    prepared = prepared_on(objects, spec)
    simulation = simulation_of(prepared.case, spec)
    results, steps = RunResults(prepared.case, simulation), []
    for step in simulation:
        results.take(step)
        steps.append(step)
    summary = results.summary(notes_of(spec, prepared, ""))
    return steps, orjson.loads(orjson.dumps(summary, option=orjson.OPT_SORT_KEYS))


@pytest.mark.parametrize("scheduler", [Scheduler(), Scheduler(samples=True), Scheduler("batch", reschedules=True)])
def test_the_order_of_keys_decides_nothing(scheduler: Scheduler) -> None:
    more = {"count": 3, "cpu": "6", "memory": "8Gi", "zones": ["a", "b"], "taints": []}
    own = {"resources": {"zeta.io/x": "9", "a.io/y": "7"}, "labels": {"zone-like": "a", "b": "c"}}
    spec = read_spec(
        {
            "base": {"kind": "cluster"},
            "seed": 3,
            "changes": [
                {"change": "add-nodes", **more, **own},
                {"change": "add-workload", "text": SPREAD + "---" + BUDGET},
                {"change": "label-nodes", "nodes": ["n1"], "labels": {"zone-like": "a", "b": None, "c": "d"}},
                {"change": "drain-nodes", "selector": "c=d"},
            ],
        }
    )
    spec = replace(spec, scheduler=scheduler)
    labels = {"topology.kubernetes.io/zone": "a", "b": "c", "aa": "1"}
    objects = [
        *(node(f"n{number}", metadata={"name": f"n{number}", "labels": labels}) for number in range(4)),
        *(pod(f"p{number}", on=f"n{number % 4}") for number in range(9)),
        pod("waiting"),
    ]
    kept = orjson.loads(orjson.dumps(objects))

    steps, summary = outcome(kept, spec)

    assert {step.outcome.value for step in steps} >= {"placed", "held", "unschedulable"}
    assert outcome(turned(kept), Spec.stored(turned(spec.as_dict()))) == (steps, summary)

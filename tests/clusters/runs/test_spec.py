"""What a run is asked is read strictly: each thing that is wrong is named with its place, the problem and a remedy."""

from __future__ import annotations

import tracemalloc
from typing import Any

import orjson
import pytest
from msgspec.structs import replace

from clusters.adapters import flow
from clusters.engine import SchedulerConfiguration
from clusters.engine.objects import labels_of, name_of
from clusters.engine.simulation import Base, ChangeError, Prepared, prepared
from clusters.engine.versions import ASSUMED
from clusters.problems.inputs import FileForm, OtherForm
from clusters.problems.orders import SolverMissing
from clusters.services.runs.cases import notes_of, prepared_on, simulation_of
from clusters.services.runs.results import RunResults
from clusters.services.runs.spec import Scheduler, Spec, SpecError, read_manifests, read_spec
from clusters.wording.problems import problem_sentence, remedy_sentence
from tests.clusters.dumps import node, pod
from tests.engine.builders import a_node
from tests.engine.simulation.changing import a_workload

ONE = Base.of([a_node("n1")], ASSUMED)
TWO = Base.of([a_node("n1"), a_node("n2")], ASSUMED)
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
    assert problem_sentence(error.problem).endswith(".")
    assert remedy_sentence(error.problem).endswith((".", "?"))
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
    prepared = prepared_on(Base.of(objects, spec.scheduler_configuration().release), spec)
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


CLAIM = {"storageClassName": "none", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
CLAIMS = [{"metadata": {"name": "data"}, "spec": CLAIM}]


@pytest.mark.parametrize(
    ("manifest", "names"),
    [
        (a_workload("ReplicaSet", replicas=2), ["web-1", "web-2"]),
        (a_workload("StatefulSet", ordinals={"start": 4}, volumeClaimTemplates=CLAIMS), ["web-4"]),
        (a_workload("DaemonSet"), ["web-n1", "web-n2"]),
        (
            a_workload("Job", completions=2, parallelism=2, completionMode="Indexed", pod={"restartPolicy": "Never"}),
            ["web-0", "web-1"],
        ),
    ],
)
def test_every_kind_is_kept_whole(manifest: dict[str, Any], names: list[str]) -> None:
    change = {"change": "add-workload", "manifest": manifest}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    case = prepared(TWO, spec.changes_read, SchedulerConfiguration.default()).case

    assert [name_of(each.pod) for each in case.wanted] == names
    assert all(labels_of(each.pod)["app"] == "web" for each in case.wanted)
    assert len(case.snapshot.objects("PersistentVolumeClaim")) == ("volumeClaimTemplates" in manifest["spec"])


def manifest_error(text: str) -> SpecError:
    with pytest.raises(SpecError) as caught:
        read_manifests(text)
    return caught.value


@pytest.mark.parametrize(
    ("right", "wrong", "field", "told", "remedy"),
    [
        ("kind: Deployment", "kind: Deploymnt", "kind", "Line 15: 'Deploymnt' is not valid here", "Write Deployment."),
        ("kind: Deployment", "kind: DaemonSets", "kind", "'DaemonSets' is not valid here", "Write DaemonSet."),
        ("kind: Deployment", "kind: CronJob", "apiVersion", "is not valid here", "batch/v1"),
        (
            "{matchLabels: {app: web}}",
            "{matchLabels: {app: wbe}}",
            "spec.selector",
            "Line 19: The selector does not match",
            "",
        ),
        ("apps/v1", "app/v1", "apiVersion", "'app/v1' is not valid here", "apps/v1"),
        (
            "apps/v1\nkind: Deployment",
            "app/v1\nkind: Deploymnt",
            "apiVersion",
            "'app' is not valid here",
            "Write apps/v1.",
        ),
        ("replicas: 3", "replcias: 40", "spec.replcias", "Line 18: There is no field", "replicas?"),
        (
            "containers:",
            "nodeSelectr: {a: b}\n      containers:",
            "nodeSelectr",
            "Line 23: There is no field",
            "nodeSelector?",
        ),
    ],
)
def test_a_slip_is_no_manifest_that_fits(right: str, wrong: str, field: str, told: str, remedy: str) -> None:
    # The first document is without fault, and its lines are not those of the second.
    error = manifest_error(DEPLOYMENT + "---" + DEPLOYMENT.replace(right, wrong, 1))

    assert error.field.startswith("document 2.")
    assert error.field.endswith(field)
    assert told in problem_sentence(error.problem, line=error.line)
    assert remedy in remedy_sentence(error.problem)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (BUDGET.replace("maxUnavailable", "maxUnavailabe"), "document 1.spec.maxUnavailabe"),
        ("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pood}", "document 1.items[0].kind"),
    ],
)
def test_a_slip_in_what_is_no_workload(text: str, field: str) -> None:
    assert manifest_error(text).field == field


def test_a_runtime_class_a_driver_and_a_nodes_drivers_are_added() -> None:
    text = """\
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: "5"}}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: fast.example.com}
spec: {storageCapacity: true}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n1}
spec: {drivers: [{name: fast.example.com, nodeID: n1, allocatable: {count: 3}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: boxed}
spec: {runtimeClassName: kata, containers: [{name: main, image: web:1}]}
"""
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [{"change": "add-workload", "text": text}]})
    made = prepared(ONE, spec.changes_read, SchedulerConfiguration.default())

    (wanted,) = made.case.wanted
    assert wanted.pod["spec"]["overhead"] == {"cpu": "5"}
    assert made.case.snapshot.object("CSIDriver", "fast.example.com") is not None
    assert made.case.snapshot.object("CSINode", "n1") is not None
    assert [*spec.notes, *made.remarks] == []


def test_what_only_the_cluster_decides_is_refused_with_file_document_and_field() -> None:
    text = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Pod
metadata: {name: gpu}
spec: {containers: [{name: main, image: web:1, resources: {requests: {example.com/gpu: 1}}}]}
"""
    change = {"change": "add-workload", "text": text, "file": "web.yaml"}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    with pytest.raises(ChangeError) as caught:
        prepared(ONE, spec.changes_read, SchedulerConfiguration.default())
    assert caught.value.path == ("changes[1].web.yaml.document 2.spec.containers[0].resources.limits.example.com/gpu")
    assert remedy_sentence(caught.value.problem) == "Write limits.example.com/gpu: 1."


# The example of dynamic resource allocation in Kubernetes' documentation, with two devices of its driver.
CATS = """\
apiVersion: resource.k8s.io/v1beta2
kind: DeviceClass
metadata: {name: resource.example.com}
spec:
  selectors:
    - cel:
        expression: device.driver == "resource-driver.example.com"
---
apiVersion: resource.k8s.io/v1beta2
kind: ResourceClaimTemplate
metadata: {name: large-black-cat-claim-template}
spec:
  spec:
    devices:
      requests:
        - name: req-0
          exactly:
            deviceClassName: resource.example.com
            selectors:
              - cel:
                  expression: |-
                    device.attributes["resource-driver.example.com"].color == "black" &&
                    device.attributes["resource-driver.example.com"].size == "large"
---
apiVersion: v1
kind: Pod
metadata: {name: pod-with-cats}
spec:
  containers:
    - {name: container0, image: "ubuntu:20.04", resources: {claims: [{name: cat-0}]}}
    - {name: container1, image: "ubuntu:20.04", resources: {claims: [{name: cat-1}]}}
  resourceClaims:
    - {name: cat-0, resourceClaimTemplateName: large-black-cat-claim-template}
    - {name: cat-1, resourceClaimTemplateName: large-black-cat-claim-template}
"""
SLICE = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: n1-cats}
spec:
  driver: resource-driver.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
    - {name: cat-0, attributes: {color: {string: black}, size: {string: large}}}
    - {name: cat-1, attributes: {color: {string: black}, size: {string: SIZE}}}
"""
CRON_JOB = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      parallelism: 2
      completions: 2
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: report:1}]}
"""
CONTROLLER = """\
apiVersion: v1
kind: ReplicationController
metadata: {name: web}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web:1}]}
"""
PRIORITY = """\
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: NAME}
value: 1000
globalDefault: true
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: urgent}
spec: {priorityClassName: high, containers: [{name: main, image: web:1}]}
"""


def made(text: str, **more: Any) -> Prepared:
    change = {"change": "add-workload", "text": text, **more}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    return prepared(TWO, spec.changes_read, SchedulerConfiguration.default())


def test_a_cron_job_starts_a_job() -> None:
    found = made(CRON_JOB)
    assert [name_of(each.pod) for each in found.case.wanted] == ["report-1-1", "report-1-2"]
    assert [name_of(each) for each in found.case.snapshot.objects("Job", "shop")] == ["report-1"]

    suspended = made(CRON_JOB.replace("  schedule", "  suspend: true\n  schedule"))
    assert suspended.case.wanted == []
    assert suspended.remarks


def test_a_replication_controller_selects_by_the_labels_of_its_template() -> None:
    found = made(CONTROLLER, replicas=3)
    assert [name_of(each.pod) for each in found.case.wanted] == ["web-1", "web-2", "web-3"]
    (stored,) = found.case.snapshot.objects("ReplicationController")
    assert stored["spec"] == {"replicas": 3, "selector": {"app": "web"}}


def test_one_priority_class_is_the_default() -> None:
    one, other = PRIORITY.replace("NAME", "high"), PRIORITY.replace("NAME", "low")
    assert made(f"{one}---\n{POD}").case.wanted[0].pod["spec"]["priority"] == 1000

    with pytest.raises(ChangeError) as caught:
        made(f"{one}---\n{other}")
    assert caught.value.path == "changes[1].manifest.globalDefault"
    assert problem_sentence(caught.value.problem) == "globalDefault is in PriorityClass high, too."


def test_a_priority_class_that_is_not_there_is_refused() -> None:
    with pytest.raises(ChangeError) as caught:
        made(POD, file="pod.yaml")
    assert caught.value.path == "changes[0].pod.yaml.document 1.spec.priorityClassName"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "field"),
    [
        (CRON_JOB, "restartPolicy: Never, ", "", "document 1.spec.jobTemplate.spec.template.spec.restartPolicy"),
        (
            CRON_JOB,
            "    spec:\n      parallelism",
            "    speck:\n      parallelism",
            "document 1.spec.jobTemplate.speck",
        ),
        (CATS, "deviceClassName", "deviceClass", "spec.spec.devices.requests[0].exactly.deviceClass"),
        (PRIORITY.replace("NAME", "high"), "1000", "1000000001", "document 1.value"),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\n", "data: {}", "dat: {}", "document 1.dat"),
    ],
)
def test_what_the_api_server_refuses_is_named(text: str, right: str, wrong: str, field: str) -> None:
    assert right in text
    with pytest.raises(SpecError) as caught:
        made(text.replace(right, wrong))
    assert caught.value.field.endswith(field)
    assert caught.value.line

"""The pods that controllers would make of manifests."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from msgspec.structs import replace

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.objects import Pod, key_of, labels_of, metadata, name_of
from clusters.engine.simulation import (
    Case,
    JobFailed,
    JobHadEnded,
    JobIndexFailed,
    ManifestError,
    Outcome,
    Simulation,
    Step,
    Wanted,
    state_after,
)
from clusters.engine.simulation.controllers import made_of
from clusters.engine.simulation.remarks import JobInParts, NodeNameIgnored
from clusters.engine.workloads.jobs import COUNTED, INDEX
from clusters.wording.problems import problem_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.simulation.batch.examples import run
from tests.engine.simulation.changing import a_workload, after, owned, texts, wanted
from tests.support.answers import error_of


def names(pods: Any) -> list[str]:
    return [name_of(pod) for pod in pods]


def shelf(*objects: dict[str, Any]) -> Snapshot:
    return Snapshot.from_objects(objects)


def storage_class(name: str, mode: str, *, is_default: bool = False) -> dict[str, Any]:
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"} if is_default else {}
    return {"kind": "StorageClass", "metadata": {"name": name, "annotations": annotations}, "volumeBindingMode": mode}


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


def test_ephemeral_volumes_get_claims() -> None:
    claim = {"volumeClaimTemplate": {"spec": {"storageClassName": "late"}}}
    manifest = a_workload("ReplicaSet", replicas=2, pod={"volumes": [{"name": "cache", "ephemeral": claim}]})
    made = made_of(manifest, shelf(storage_class("late", "WaitForFirstConsumer")), ())

    assert names(made.objects) == ["web", "web-1-cache", "web-2-cache"]
    assert made.objects[2]["metadata"]["ownerReferences"][0]["uid"] == Pod(made.pods[1]).uid


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


@pytest.mark.parametrize(
    ("manifest", "field", "problem"),
    [
        ({"kind": "Pod", "spec": {}}, "metadata.name", "There is no metadata.name."),
        ({"kind": "Job", "metadata": {"name": "a"}}, "spec", "There is no spec."),
        (
            {"kind": "Job", "metadata": {"name": "a"}, "spec": {"template": 5}},
            "spec.template.spec",
            "There is no spec.template.",
        ),
        (
            a_workload("Deployment", selector={"matchLabels": {"app": "x"}}),
            "spec.selector",
            "does not match the pod template's labels",
        ),
        (a_workload("Deployment", selector=None), "spec.selector", "does not match the pod template's labels"),
        (
            a_workload("Deployment", selector={"matchLabels": 5}),
            "spec.selector.matchLabels",
            "json: cannot unmarshal number into Go struct field LabelSelector.matchLabels of type map[string]string",
        ),
        (a_workload("Deployment", replicas=-1), "spec.replicas", "-1 is not a whole number from 0 to 50\u202f000."),
        (a_workload("Job", parallelism=10**9), "spec.parallelism", "1000000000 is not a whole number from 0"),
        (a_workload("StatefulSet", ordinals={"start": -1}), "spec.ordinals.start", "It must be at least 0, not -1."),
        (
            a_workload("Deployment", pod={"priorityClassName": "no"}),
            "spec.template.spec.priorityClassName",
            "There is no PriorityClass no.",
        ),
        (a_workload("Job", pod={"containers": []}), "spec.template.spec.containers", "It is empty."),
        (
            a_workload("Job", pod={"containers": [{"name": "a", "resources": {"requests": {"cpu": str(2**63 - 1)}}}]}),
            "spec.template.spec",
            "The request of cpu is negative or too large.",
        ),
        (
            a_workload("Deployment", pod={"containers": [{"name": "a", "resources": {"requests": {"cpu": "lots"}}}]}),
            "spec.template.spec",
            "'lots' is not a resource quantity.",
        ),
    ],
)
def test_what_no_api_server_would_take(manifest: dict[str, Any], field: str, problem: str) -> None:
    caught = error_of(
        ManifestError, made_of, manifest, shelf({"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1}), ()
    )

    assert caught.path == field
    assert problem in problem_sentence(caught.problem)


def test_fifty_thousand_replicas_share_their_template() -> None:
    pods = made_of(a_workload("Deployment", replicas=50_000), shelf(), ()).pods

    assert len({key_of(pod) for pod in pods}) == 50_000
    assert len({id(pod["spec"]) for pod in pods}) == 1
    assert len({id(pod["metadata"]["labels"]) for pod in pods}) == 1
    # Two small dictionaries a pod, its name and its UID.
    assert sys.getsizeof(pods[0]) + sys.getsizeof(pods[0]["metadata"]) < 800


READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def a_job(status: Document | None = None, **spec: Any) -> Document:
    spec = {"parallelism": 3, "completions": 3, "template": {"spec": {"restartPolicy": "Never"}}, **spec}
    fields = {"name": "import", "namespace": "default", "uid": "uid-import"}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": fields, "spec": spec, "status": status or {}}


def disruption_rule(action: str) -> Document:
    conditions = [{"type": "DisruptionTarget", "status": "True"}]
    return {"podFailurePolicy": {"rules": [{"action": action, "onPodConditions": conditions}]}}


def of_job(name: str, node: str | None, *, index: int | None = None, failures: int = 0, **spec: Any) -> Document:
    pod = owned(name, "import", node, kind="Job", status=READY if node else None, requests={"cpu": "1"}, **spec)
    if index is not None:
        pod["metadata"]["annotations"] = {INDEX: str(index), COUNTED: str(failures)}
        pod["metadata"]["labels"] = {INDEX: str(index)}
    return pod


def drained(job: Document, *pods: Document, nodes: tuple[str, ...] = ("a",), **more: Any) -> Case:
    """A Job whose pods on some nodes are evicted."""
    placed = {key_of(pod): pod for pod in pods if pod["spec"].get("nodeName")}
    snapshot = Snapshot.from_objects([*[a_node(name) for name in ("a", "b", "c")], job, *placed.values()])
    waiting = [Wanted(pod) for pod in pods if key_of(pod) not in placed]
    return Case(snapshot, SchedulerConfiguration.default(), waiting, drained=nodes, placed=placed, **more)


def brief(steps: list[Step]) -> list[tuple[str, str]]:
    return [(step.outcome.value, step.pod.partition("/")[2]) for step in steps]


@pytest.mark.parametrize(
    ("spec", "failed", "reason", "limit"),
    [({"backoffLimit": 0}, 0, "BackoffLimitExceeded", 0), ({}, 6, "BackoffLimitExceeded", 6),
     (disruption_rule("FailJob"), 0, "PodFailurePolicy", 0)],
)  # fmt: skip
def test_a_job_fails_with_the_pod_that_is_one_too_many(spec: Document, failed: int, reason: str, limit: int) -> None:
    pods = [of_job("import-a", "a"), of_job("import-b", "b"), of_job("import-c", None)]
    case = drained(a_job({"failed": failed}, **spec), *pods)

    steps = list(Simulation(case))

    assert brief(steps) == [
        ("placed", "import-c"),
        ("evicted", "import-a"),
        ("deleted", "import-b"),
        ("deleted", "import-c"),
    ]
    why = JobFailed("default/import", reason, limit)
    assert [step.problem for step in steps] == [None, why, why, why]
    assert problem_sentence(why).startswith("Job default/import has failed: ")
    assert brief(run(case)) == brief(steps)
    for number in range(len(steps) + 1):
        assert list(Simulation(case, steps[:number])) == steps


@pytest.mark.parametrize(
    ("spec", "left"),
    [({"backoffLimit": 1}, {"failed": 1}), (disruption_rule("Count"), {"failed": 1}), (disruption_rule("Ignore"), {})],
)
def test_a_pod_is_replaced_and_counted_as_the_job_says(spec: Document, left: Document) -> None:
    steps = list(simulation := Simulation(drained(a_job(**spec), of_job("import-a", "a"))))

    assert brief(steps) == [("evicted", "import-a"), ("placed", "import-again-1")]
    assert (simulation.snapshot.object("Job", "import", "default") or {})["status"] == left


def test_pods_of_a_drain_count_one_after_the_other() -> None:
    case = drained(a_job(backoffLimit=1), of_job("import-1", "a"), of_job("import-2", "a"), of_job("import-3", "a"))

    assert brief(list(Simulation(case))) == [
        ("evicted", "import-1"),
        ("placed", "import-again-1"),
        ("evicted", "import-2"),
        ("deleted", "import-3"),
        ("deleted", "import-again-1"),
    ]


def test_a_pod_that_an_ended_job_left_is_not_replaced() -> None:
    over = a_job({"conditions": [{"type": "Complete", "status": "True"}]})

    (step,) = Simulation(drained(over, of_job("import-a", "a")))

    assert (step.outcome, step.problem) == (Outcome.EVICTED, JobHadEnded("default/import"))


def test_an_index_keeps_its_count_and_its_own_limit() -> None:
    job = a_job(completionMode="Indexed", completions=9, backoffLimitPerIndex=1)
    simulation = Simulation(drained(job, of_job("import-4", "a", index=4), of_job("import-5", "b", index=5)))

    assert brief(list(simulation)) == [("evicted", "import-4"), ("placed", "import-again-1")]
    made = metadata(simulation.document_of("default/import-again-1"))
    assert (made["annotations"][INDEX], made["annotations"][COUNTED]) == ("4", "1")
    assert made["labels"][INDEX] == "4"


def test_the_lowest_free_index_follows_one_that_failed() -> None:
    job = a_job({"completedIndexes": "0"}, completionMode="Indexed", completions=9, backoffLimitPerIndex=1)
    pods = [of_job("import-1", "a", index=1, failures=1), of_job("import-2", "b", index=2)]
    simulation = Simulation(drained(job, *pods))

    steps = list(simulation)

    assert brief(steps) == [("evicted", "import-1"), ("placed", "import-again-1")]
    assert steps[0].problem == JobIndexFailed("default/import", 1, 1)
    made = metadata(simulation.document_of("default/import-again-1"))
    assert (made["annotations"][INDEX], made["annotations"][COUNTED]) == ("3", "0")
    assert (simulation.snapshot.object("Job", "import", "default") or {})["status"]["failedIndexes"] == "1"


@pytest.mark.parametrize(
    ("spec", "status", "reason", "limit"),
    [({"maxFailedIndexes": 1}, {"failedIndexes": "7"}, "MaxFailedIndexesExceeded", 1),
     ({}, {"completedIndexes": "0-2,5-8", "failedIndexes": "4"}, "FailedIndexes", 0),
     ({"backoffLimit": 2}, {"failed": 2}, "BackoffLimitExceeded", 2)],
)  # fmt: skip
def test_a_job_fails_with_its_indexes(spec: Document, status: Document, reason: str, limit: int) -> None:
    job = a_job(status, completionMode="Indexed", completions=9, backoffLimitPerIndex=0, **spec)

    steps = list(Simulation(drained(job, of_job("import-3", "a", index=3))))

    assert [step.problem for step in steps] == [JobFailed("default/import", reason, limit)]


def test_victims_of_preemption_count_and_their_job_may_fail_with_them() -> None:
    job = a_job(backoffLimit=0)
    victim, other = of_job("import-a", "a", priority=1), of_job("import-b", "b", priority=1)
    case = drained(job, victim, other, nodes=())
    urgent = a_pod("urgent", priority=9, requests={"cpu": "8"}, nodeSelector={"kubernetes.io/hostname": "a"})
    case = replace(case, wanted=[Wanted(urgent)])

    steps = list(Simulation(case))

    assert brief(steps) == [
        ("unschedulable", "urgent"),
        ("preempted", "import-a"),
        ("deleted", "import-b"),
        ("placed", "urgent"),
    ]
    for number in range(len(steps) + 1):
        assert list(Simulation(case, steps[:number])) == steps
    assert "default/import-b" not in state_after(case, steps[:3]).snapshot.pods.slot_of


def test_a_flow_moves_no_pod_that_its_job_would_count() -> None:
    """The large pod fits only if a small one moves to the other node."""
    nodes = [a_node(name, allocatable={"cpu": "4"}) for name in ("a", "b")]
    pods = [of_job("import-a", "a"), of_job("import-b", "b")]
    placed = {key_of(pod): pod for pod in pods}

    def outcomes(job: Document) -> list[Outcome]:
        snapshot = Snapshot.from_objects([*nodes, job, *pods])
        big = Wanted(a_pod("big", requests={"cpu": "4"}))
        case = Case(snapshot, SchedulerConfiguration.default(), [big], placed=placed)
        return [step.outcome for step in run(case, reschedules=True)]

    assert outcomes(a_job()) == [Outcome.UNSCHEDULABLE]
    assert Outcome.EVICTED in outcomes(a_job(**disruption_rule("Ignore")))


# -- nodes that are taken away before the run begins -------------------------------------------------------------------


def test_a_job_fails_with_the_nodes_that_it_loses() -> None:
    pods = [of_job("import-a", "a"), of_job("import-b", "b"), of_job("import-c", "c")]
    base = [*(a_node(name) for name in ("a", "b", "c")), *pods]
    lose = {"change": "remove-nodes", "nodes": ["a", "b"]}

    failing, going_on = after([*base, a_job(backoffLimit=1)], lose), after([*base, a_job(backoffLimit=2)], lose)

    assert (wanted(failing.case), sorted(failing.case.placed)) == ([], [])
    assert any("more pods failed than backoffLimit 1 allows. 1 other pod of it" in text for text in texts(failing))
    assert wanted(going_on.case) == ["import-again-1", "import-again-2"]
    assert not any("failed" in text for text in texts(going_on))


def test_other_indexes_follow_those_that_fail_with_their_nodes() -> None:
    job = a_job({"completedIndexes": "0"}, completionMode="Indexed", completions=9, backoffLimitPerIndex=0)
    pods = [of_job(f"import-{index}", node, index=index) for index, node in ((1, "a"), (2, "a"), (3, "b"))]

    made = after([a_node("a"), a_node("b"), job, *pods], {"change": "remove-nodes", "nodes": ["a"]})

    assert sorted([(each.pod["metadata"]["annotations"])[INDEX] for each in made.case.wanted]) == ["4", "5"]
    assert any("Indexes 1,2 of Job default/import have failed" in text for text in texts(made))

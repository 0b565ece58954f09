"""Recorded attempts on their way into the database: once each, beside the mirror, with a word about what was left."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from clusters.adapters import observed as scheduler_log
from clusters.adapters.bad_input import BadInput, Limits
from clusters.adapters.observed import Held, results_of
from clusters.models import Cluster, Ingest, Observation, Pod
from clusters.services.decisions.explain import explain_pod
from clusters.services.ingest.ingest import ingest_log, ingest_path
from clusters.services.ingest.uploads import receive
from clusters.services.observed import observations_of
from clusters.wording.problems import problem_sentence
from tests.support.decision_cluster import decision_cluster, objects
from tests.support.problems import refused
from tests.support.recorded import BEGIN, PREFIX, log_lines, simulator_annotations, text_line

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return decision_cluster(tmp_path)


def lines(cluster: Cluster, *names: str, as_json: bool = False) -> list[str]:
    """Return the log of some pods' attempts, one after the other."""
    said: list[str] = []
    for name in names:
        explanation = explain_pod(cluster=cluster, namespace="shop", name=name)
        said += log_lines(explanation.as_recorded(), explanation, as_json=as_json)
    return said


def log(folder: Path, said: list[str], name: str = "scheduler.txt") -> Path:
    path = folder / name
    content = "".join(f"{line}\n" for line in said).encode()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


def pod(name: str = "plain") -> Pod:
    return Pod.objects.select_related("cluster").get(name=name)


def simulated(cluster: Cluster, folder: Path, attempts: int) -> Path:
    """Return a dump of the cluster in which the simulator has tried one pod that often."""
    explanation = explain_pod(cluster=cluster, namespace="shop", name="plain")
    dumped = objects()
    for each in dumped:
        if each["kind"] == "Pod" and each["metadata"]["name"] == "plain":
            each["metadata"]["annotations"] = simulator_annotations(
                explanation.as_recorded(), explanation, history=attempts
            )
    path = folder / "simulated.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": dumped}))
    return path


# -- simulators --------------------------------------------------------------------------------------------------------


def test_results_become_observations_and_leave_the_object(cluster: Cluster, tmp_path: Path) -> None:
    first = ingest_path(cluster=cluster, path=simulated(cluster, tmp_path, 1))

    run = ingest_path(cluster=cluster, path=simulated(cluster, tmp_path, 3))

    # A cluster in which nothing else has changed stays the same for everybody who computes with it.
    assert run.revision == first.revision
    assert run.rows_added == 2
    assert run.kept["recorded-attempts"] == 3
    assert PREFIX not in json.dumps(pod().object)
    found = list(observations_of(pod()))
    assert [(each.attempt, each.origin, each.pod_uid) for each in found] == [
        (number, "simulated.json", "shop-plain") for number in (3, 2, 1)
    ]


def test_attempts_outlive_their_pod_and_wait_for_one_of_the_same_uid(cluster: Cluster, tmp_path: Path) -> None:
    ingest_path(cluster=cluster, path=simulated(cluster, tmp_path, 1))
    rest = [each for each in objects() if each["metadata"]["name"] != "plain"]
    again = next(each for each in objects() if each["metadata"]["name"] == "plain")
    again["metadata"]["uid"] = "another"
    path = tmp_path / "dump.json"

    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": rest}))
    ingest_path(cluster=cluster, path=path)
    assert Observation.objects.count() == 1

    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*rest, again]}))
    ingest_path(cluster=cluster, path=path)
    assert not observations_of(pod()).exists()


def test_unreadable_results_are_skipped_with_the_reason(cluster: Cluster, tmp_path: Path) -> None:
    dumped = objects()
    plain = next(each for each in dumped if each["metadata"]["name"] == "plain")
    plain["metadata"]["annotations"] = {PREFIX + "filter-result": "{", PREFIX + "selected-node": "ash"}
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": dumped}))

    run = ingest_path(cluster=cluster, path=path)

    assert {"why": {"kind": "ResultUnreadable", "result": "filter-result"}, "count": 1} in run.skipped
    assert Observation.objects.get().document == {"selectedNode": "ash"}


def test_no_more_attempts_are_held_than_the_limit(cluster: Cluster) -> None:
    explanation = explain_pod(cluster=cluster, namespace="shop", name="plain")
    results = results_of(
        simulator_annotations(explanation.as_recorded(), explanation, history=4),
        namespace="shop",
        name="plain",
        uid="u",
    )
    held = Held(Limits(attempts=3))
    for attempt in (*results.attempts, *results.attempts):
        held.add(attempt)

    assert len(held) == 3
    assert held.left_out == 2


# -- logs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("name", ["scheduler.txt", "scheduler.log.gz", "upload"])
def test_log_is_told_by_its_content(cluster: Cluster, tmp_path: Path, name: str, as_json: bool) -> None:
    said = lines(cluster, "plain", "huge", as_json=as_json)
    revision = cluster.revision

    run = ingest_path(cluster=cluster, path=log(tmp_path, said, name))

    assert (run.state, run.content, run.revision) == (Ingest.State.DONE, Ingest.Content.LOG, revision)
    assert (run.objects_read, run.objects_kept, run.rows_added) == (len(said), 2, 2)
    assert Pod.objects.filter(cluster=cluster).exists()
    (found,) = observations_of(pod())
    assert found.observed_at == BEGIN
    assert found.document["selectedNode"] in explain_pod(cluster=cluster, namespace="shop", name="plain").best
    (unschedulable,) = observations_of(pod("huge"))
    assert unschedulable.document["message"].startswith("0/6 nodes are available")


def test_same_attempts_are_kept_once_whatever_the_format(cluster: Cluster, tmp_path: Path) -> None:
    ingest_path(cluster=cluster, path=log(tmp_path, lines(cluster, "plain")))

    again = ingest_path(cluster=cluster, path=log(tmp_path, lines(cluster, "plain", as_json=True)))

    assert (again.rows_added, again.rows_changed, Observation.objects.count()) == (0, 0, 1)


def test_log_that_was_cut_off_is_completed_by_the_whole_one(cluster: Cluster, tmp_path: Path) -> None:
    said = lines(cluster, "plain")
    ingest_path(cluster=cluster, path=log(tmp_path, said[:10]))
    run = ingest_path(cluster=cluster, path=log(tmp_path, said))
    assert (run.rows_added, run.rows_changed) == (0, 1)
    whole = Observation.objects.get().document

    ingest_path(cluster=cluster, path=log(tmp_path, said[:10]))

    assert Observation.objects.get().document == whole


def test_lines_of_other_pods_fall_between_those_of_an_attempt(cluster: Cluster, tmp_path: Path) -> None:
    first, second = lines(cluster, "plain"), lines(cluster, "only")
    mixed = [*first[:-1], *second[:2], first[-1], *second[2:]]

    ingest_path(cluster=cluster, path=log(tmp_path, mixed))

    assert {each.name: each.document.get("selectedNode") for each in Observation.objects.all()} == {
        "plain": explain_pod(cluster=cluster, namespace="shop", name="plain").best[0],
        "only": "birch",
    }


def test_attempts_on_pods_that_the_mirror_lacks_are_kept(cluster: Cluster, tmp_path: Path) -> None:
    bound = text_line("Successfully bound pod to node", {"pod": "else/where", "node": "ash"})

    ingest_path(cluster=cluster, path=log(tmp_path, [bound]))

    assert Observation.objects.get(namespace="else", name="where").document == {"selectedNode": "ash"}


def test_several_attempts_of_one_pod_are_told_apart(cluster: Cluster, tmp_path: Path) -> None:
    explanation = explain_pod(cluster=cluster, namespace="shop", name="huge")
    later = BEGIN.replace(hour=13)
    said = [
        *log_lines(explanation.as_recorded(), explanation),
        *log_lines(explanation.as_recorded(), explanation, begin=later),
    ]

    ingest_path(cluster=cluster, path=log(tmp_path, said))

    assert [each.observed_at for each in observations_of(pod("huge"))] == [later, BEGIN]


def test_what_tells_nothing_is_counted(cluster: Cluster, tmp_path: Path) -> None:
    said = [
        "panic: something else",
        text_line("Add event for scheduled pod", {"pod": "shop/plain"}),
        text_line("Plugin scored node for pod", {"pod": "shop/plain", "plugin": "ImageLocality", "node": "ash"}),
        text_line("Successfully bound pod to node", {"pod": "Not A Pod", "node": "ash"}),
        text_line("Successfully bound pod to node", {"pod": "shop/plain", "node": "ash"}),
        "x" * 300_000,
    ]

    run = ingest_path(cluster=cluster, path=log(tmp_path, said))

    assert {skip["why"]["kind"]: skip["count"] for skip in run.skipped} == {
        "OtherLines": 2,
        "IncompleteLines": 2,
        "LongLines": 1,
    }
    assert Observation.objects.get().document == {"selectedNode": "ash"}


def test_attempts_that_never_end_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler_log, "_MOST_OPEN", 3)
    reader = scheduler_log.SchedulerLog(now=BEGIN)
    ended = [
        attempt.name
        for number in range(5)
        for attempt in reader.take(
            text_line(
                "Plugin scored node for pod", {"pod": f"shop/p{number}", "plugin": "X", "node": "ash", "score": 1}
            )
        )
    ]

    assert ended == ["p0", "p1"]
    assert [attempt.name for attempt in reader.end()] == ["p2", "p3", "p4"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"nothing of\nthe kind\n", "None of its 2 lines is kube-scheduler's about a pod."),
        (text_line("Starting", {}).encode(), "None of its 1 lines is kube-scheduler's about a pod."),
        (b"", "It is empty."),
        (b'{"kind": "List"}', "None of its 1 lines is kube-scheduler's about a pod."),
    ],
)
def test_log_that_tells_nothing_is_refused(cluster: Cluster, tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "what.log"
    path.write_bytes(content)

    with pytest.raises(BadInput) as caught:
        ingest_log(cluster=cluster, path=path)

    assert problem_sentence(caught.value.problem) == problem
    assert caught.value.file == "what.log"
    assert Ingest.objects.latest("pk").state == Ingest.State.FAILED


def test_damaged_log_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    path = log(tmp_path, lines(cluster, "plain"), "scheduler.log.gz")
    path.write_bytes(path.read_bytes()[:-12])

    with refused("ends too early"):
        ingest_path(cluster=cluster, path=path)

    assert not Observation.objects.exists()


def test_log_needs_a_cluster_that_was_read(tmp_path: Path) -> None:
    path = log(tmp_path, [text_line("Successfully bound pod to node", {"pod": "shop/web", "node": "n1"})])

    with refused("Send a dump first"):
        ingest_path(cluster=Cluster.objects.create(name="new"), path=path)


def test_dump_that_waited_while_a_log_was_read_is_still_taken(cluster: Cluster, tmp_path: Path) -> None:
    waiting = Ingest.objects.create(cluster=cluster, file_name="dump.json")
    ingest_path(cluster=cluster, path=log(tmp_path, lines(cluster, "plain")))

    run = ingest_path(cluster=cluster, path=tmp_path / "shop.json", ingest=waiting)

    assert run.state == Ingest.State.DONE


def test_documents_that_quote_a_log_are_no_logs(cluster: Cluster, tmp_path: Path) -> None:
    """A dump that holds a scheduler's lines, as `kubectl cluster-info dump` prints them, stays a dump."""
    quoted = text_line("Successfully bound pod to node", {"pod": "shop/plain", "node": "ash"})
    dump = (tmp_path / "shop.json").read_text()
    path = tmp_path / "cluster-info.log"
    path.write_text(
        f"{dump}\n==== START logs for container main of pod shop/web ====\n{quoted}\n==== END logs for "
        "container main of pod shop/web ====\n"
    )

    run = ingest_path(cluster=cluster, path=path)

    assert run.content == Ingest.Content.DUMP
    assert not Observation.objects.exists()


def test_command_takes_a_log(cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ingest", "--log", str(log(tmp_path, lines(cluster, "plain"))), cluster="shop")

    said = " ".join(capsys.readouterr().out.split())
    assert "1 recorded attempts" in said
    assert "Rows: 1 added, 0 changed, 0 removed." in said


def test_upload_of_a_log_goes_to_a_cluster_that_was_read(cluster: Cluster, settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    content = log(tmp_path, lines(cluster, "plain")).read_bytes()

    run = receive(cluster=cluster, file=SimpleUploadedFile("scheduler.log", content))
    ingest_path(cluster=cluster, path=Path(run.upload), ingest=run)
    assert Observation.objects.count() == 1

    with refused("Send a dump first"):
        receive(cluster=Cluster(name="fresh"), file=SimpleUploadedFile("scheduler.log", content))
    Cluster.objects.update(source=Cluster.Source.LIVE)
    cluster.refresh_from_db()
    assert receive(cluster=cluster, file=SimpleUploadedFile("scheduler.log", content)).pk
    with refused("followed live"):
        receive(cluster=cluster, file=SimpleUploadedFile("dump.json", b"{}"))
    # What was refused does not stay.
    assert len(list((tmp_path / "uploads").iterdir())) == 2


def test_log_in_utf_16_is_read(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "scheduler.log"
    path.write_bytes("\r\n".join(lines(cluster, "plain")).encode("utf-16"))

    ingest_path(cluster=cluster, path=path)

    assert Observation.objects.get().document["selectedNode"]

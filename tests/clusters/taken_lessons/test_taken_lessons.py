"""A decision becomes a lesson that can be played, that decides as the cluster did, and that names nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.lessons import AnswerIsUncertain, Situation, build_situation
from clusters.engine.objects import key_of
from clusters.engine.versions import ASSUMED, Release, match_release
from clusters.services import taken_lessons as making
from clusters.services.lessons.library import archive_of
from clusters.services.lessons.reading import MOST_BYTES, check_lesson, read_archive, read_lesson
from clusters.services.taken_lessons import NotTakenError, TakenLesson, TakenState, lesson_of, part_of
from tests.clusters.anonymous.anonymous_cases import demo
from tests.support.decision_cluster import node, objects, pod

if TYPE_CHECKING:
    from collections.abc import Sequence


Document = dict[str, Any]


def state(
    documents: Sequence[Document], name: str, configuration: Document | None = None, release: Release = ASSUMED
) -> TakenState:
    """Return the decision about a pod of these objects."""
    snapshot = Snapshot.from_objects(documents, release)
    pods = {key_of(each): each for each in documents if each["kind"] == "Pod"}
    scheduler = (
        SchedulerConfiguration.default(release)
        if configuration is None
        else SchedulerConfiguration.from_dict(configuration, release)
    )
    own = pods[name]
    explanation = explain(snapshot, own, scheduler.profile_for(own))
    return TakenState(explanation, configuration, lambda keys: [pods[key] for key in keys])


def played(lesson: TakenLesson) -> Situation:
    """Return the situation of the first step, read from the files as they would be uploaded."""
    name, files = read_archive(archive_of("situation-1", lesson.files), "situation-1.zip")
    return build_situation(read_lesson(name, files).lesson.steps[0].situation)


@pytest.mark.parametrize(
    ("pod_name", "asked"),
    [
        ("plain", ["where", "each-node"]),
        ("huge", ["outcome", "each-node"]),
        ("urgent", ["outcome", "victims"]),
        ("gated", ["outcome"]),
        ("web-1", ["where", "each-node"]),
    ],
)
def test_the_question_follows_from_what_happened(pod_name: str, asked: list[str]) -> None:
    taken = lesson_of(state(objects(), f"shop/{pod_name}"))

    assert [str(step.kind) for step in taken.steps] == asked
    assert [each for each in check_lesson("situation-1", taken.files) if not each.is_warning] == []
    # Each word is explained once, where it is first used.
    named = [term for step in read_lesson("situation-1", taken.files).lesson.steps for term in step.terms]
    assert named
    assert len(named) == len(set(named))


@pytest.mark.parametrize("pod_name", ["plain", "huge", "choosy", "urgent", "only", "spread", "web-2", "nominee"])
def test_a_small_cluster_decides_in_the_lesson_as_before(pod_name: str) -> None:
    before = state(objects(), f"shop/{pod_name}").explanation
    taken = lesson_of(state(objects(), f"shop/{pod_name}"))
    after = played(taken).explanation

    assert taken.part.is_whole
    assert len(after.feasible) == len(before.feasible)
    for row in range(before.node_count):
        verdicts = [
            found and (found.plugin, found.status.code) for found in (before.verdict_of(row), after.verdict_of(row))
        ]
        assert verdicts[0] == verdicts[1]
        assert before.total_of(row) == after.total_of(row)
    found = [each.preemption and [len(one.victims) for one in each.preemption.candidates] for each in (before, after)]
    assert found[0] == found[1]


@pytest.mark.parametrize(("version", "written"), [("v1.34.1", "1.34"), ("v1.34.9", "1.34.2")])
def test_the_lesson_decides_as_the_clusters_patch_does(version: str, written: str) -> None:
    release = match_release(version).release
    taken = lesson_of(state(objects(), "shop/plain", release=release))

    assert read_lesson("situation-1", taken.files).lesson.steps[0].situation.kubernetes == written
    assert played(taken).release.first_version == release.first_version


def test_of_a_large_cluster_a_part_is_taken_that_rejects_and_prefers_alike() -> None:
    documents = demo()
    pending = next(
        key_of(each)
        for each in documents
        if each["kind"] == "Pod" and each["metadata"]["name"].startswith("vector-index")
    )
    found = state(documents, pending)
    taken = lesson_of(found)
    before, after = found.explanation, played(taken).explanation

    def plugins(explanation: Any) -> set[str]:
        verdicts = [explanation.verdict_of(row) for row in range(explanation.node_count)]
        return {each.plugin for each in verdicts if each is not None}

    assert not taken.part.is_whole
    assert 0 < len(taken.part.nodes) <= 60
    assert 1 < taken.pods <= 500
    assert after.fits == before.fits
    assert plugins(after) == plugins(before)


def test_the_nodes_that_the_scheduler_prefers_come_first() -> None:
    nodes = [node(f"n{number:02}", "north", cpu=str(1 + number)) for number in range(30)]
    found = state([*nodes, pod("own", cpu="3")], "shop/own").explanation

    part = part_of(found, most_nodes=6, most_pods=10)

    assert set(found.best) <= set(part.nodes)
    # Those on which the pod does not fit are there, too.
    assert {"n00", "n01"} & set(part.nodes)
    assert (len(part.nodes), part.nodes_in_all) == (6, 30)


def test_nodes_with_more_pods_than_a_lesson_holds_are_left_out() -> None:
    nodes = [node("crowded", "north"), node("quiet", "north")]
    crowd = [pod(f"p{number}", nodeName="crowded", cpu="1m") for number in range(12)]
    found = state([*nodes, *crowd, pod("q", nodeName="quiet"), pod("own")], "shop/own").explanation

    part = part_of(found, most_nodes=10, most_pods=5)

    assert (part.nodes, part.pods) == (("quiet",), ("shop/q",))


def test_a_lesson_is_made_smaller_until_its_files_are_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = [node(f"n{number:02}", "north") for number in range(20)]
    found = state([*nodes, pod("own")], "shop/own")
    whole = lesson_of(found)
    size = sum(len(text.encode()) for text in whole.files.values())
    most = size - len(whole.files["cluster.yaml"]) // 2
    monkeypatch.setattr(making, "_BYTES_OF_TEXTS", MOST_BYTES - most)

    smaller = lesson_of(found)

    assert 0 < len(smaller.part.nodes) < len(whole.part.nodes) == 20


def test_a_configuration_comes_along_under_other_names() -> None:
    profile = {"schedulerName": "bakery-scheduler", "plugins": {"score": {"disabled": [{"name": "*"}]}}}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": [profile],
    }  # fmt: skip
    documents = [node("ash", "north"), node("elm", "south"), pod("bread", schedulerName="bakery-scheduler")]

    taken = lesson_of(state(documents, "shop/bread", configuration))

    assert "bakery" not in "".join(taken.files.values())
    assert "scheduler.yaml" in taken.files
    assert played(taken).explanation.total_of(0) == 0


def test_a_decision_that_an_extender_has_a_part_in_is_no_lesson() -> None:
    extender = {"urlPrefix": "http://extender.invalid", "filterVerb": "filter"}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "extenders": [extender],
    }  # fmt: skip

    with pytest.raises(NotTakenError) as caught:
        lesson_of(state(objects(), "shop/plain", configuration))

    assert isinstance(caught.value.problem, AnswerIsUncertain)
    assert caught.value.problem.kinds == ("extender",)

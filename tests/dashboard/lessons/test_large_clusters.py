"""Pages of a lesson whose cluster is as large as one may be: everything is there, and much of it folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine.objects import Pod
from dashboard.lessons.experiments import played_step
from dashboard.lessons.learners import Learner
from dashboard.lessons.presenters.questions import MOST_CHOICES, AnswerChoice, AskView
from dashboard.lessons.presenters.situation import (
    MOST_LINES,
    MOST_NODES,
    MOST_OBJECTS,
    PodFacts,
    cluster_facts,
    manifest_groups,
    pod_lines,
    workload_name,
)
from dashboard.models import LessonProgress
from tests.dashboard.lessons import every_kind
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.large import NAME, NODES, PENDING, QUESTIONS, archive
from tests.dashboard.lessons.learners import address
from tests.engine.lessons.clusters import node, owned, pod, situation

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def lesson() -> None:
    keep_lesson(NAME, archive)


@pytest.mark.unmeasured
@pytest.mark.usefixtures("lesson")
@pytest.mark.parametrize("name", QUESTIONS)
def test_nothing_of_a_step_is_left_out_before_and_after_the_answer(signed_in_client: Client, name: str) -> None:
    asked = signed_in_client.get(address(name, lesson=NAME)).text
    signed_in_client.post(address(name, lesson=NAME), {"act": "reveal"})
    shown = signed_in_client.get(address(name, lesson=NAME)).text

    for text in (asked, shown):
        assert [each for each in NODES if f'id="node-{each}"' not in text] == []
        assert [number for number in range(467) if f"-{number:03d}</code>" not in text] == []
        assert [number for number in range(PENDING) if f"shop/waiting-{number:02d}" not in text] == []


@pytest.mark.usefixtures("lesson")
def test_pods_to_choose_are_folded_and_what_is_chosen_is_open(signed_in_client: Client, user: User) -> None:
    page = signed_in_client.get(address("pods", lesson=NAME)).text
    LessonProgress.objects.create(
        **Learner(user=user).owner, lesson=NAME, step="pods", answer=["shop/service-a-007"], tries=1
    )
    after = signed_in_client.get(address("pods", lesson=NAME)).text

    assert page.count('name="answer"') == 467
    assert '<details class="lesson-fold"><summary>worker-a-07: 8 pods</summary>' in page
    assert '<details class="lesson-fold" open><summary>worker-a-07: 8 pods</summary>' in after
    assert after.count('<details class="lesson-fold" open>') == 1


def test_a_small_cluster_is_shown_as_it_is(signed_in_client: Client) -> None:
    keep_lesson(every_kind.NAME, every_kind.archive)

    for name in ("pods", "queue", "rejections"):
        page = signed_in_client.get(address(name, lesson=every_kind.NAME)).text
        assert "lesson-fold" not in page
        assert "lesson-group" not in page


def pods_of(*workloads: str) -> list[PodFacts]:
    return [PodFacts(f"shop/{workload}-{number}", "CPU 1", workload) for number, workload in enumerate(workloads)]


def test_few_pods_stand_one_by_one_and_many_by_workload() -> None:
    few, many = pod_lines(pods_of(*"aaaa")), pod_lines(pods_of(*"aabca"))

    assert [line.title for line in few.lines] == ["shop/a-0", "shop/a-1", "shop/a-2", "shop/a-3"]
    assert [(line.title, line.pods) for line in many.lines] == [
        ("a: 3 pods", ("shop/a-0", "shop/a-1", "shop/a-4")),
        ("shop/b-2", ("shop/b-2",)),
        ("shop/c-3", ("shop/c-3",)),
    ]
    assert not many.is_folded
    assert pod_lines(pods_of(*"abcdefgh"[: MOST_LINES + 1])).is_folded


def test_pods_that_request_something_else_have_a_line_of_their_own() -> None:
    other = PodFacts("shop/a-9", "CPU 2", "a")

    assert [line.pods for line in pod_lines([*pods_of(*"aaaa"), other]).lines][1:] == [("shop/a-9",)]


def test_a_pod_belongs_to_its_controller_or_labels_or_to_its_namespace_alone() -> None:
    metadata = {"namespace": "shop", "ownerReferences": [{"kind": "ReplicaSet", "name": "web", "controller": True}]}
    labelled = {"namespace": "shop", "labels": {"app": "web"}}

    found = [workload_name(Pod({"metadata": each})) for each in (metadata, labelled, {"namespace": "shop"})]

    assert found == ["shop/web", "shop/app=web", "shop"]


def test_manifests_of_alike_objects_are_shown_once() -> None:
    replicas = [owned(pod(f"web-{number}", "ash"), "web") for number in range(MOST_OBJECTS)]
    here = situation(node("ash"), *replicas, pod("web-other", "ash", cpu="1"), pod("new"), about="new")

    pods, nodes = manifest_groups(here)

    assert (pods.kind, pods.objects, nodes.kind, nodes.objects) == ("Pod", MOST_OBJECTS + 2, "Node", 1)
    assert [(each.name, len(each.alike)) for each in pods.manifests] == [
        ("Pod/default/new", 0),
        ("Pod/default/web-0", MOST_OBJECTS - 1),
        ("Pod/default/web-other", 0),
    ]
    assert "name: web-0" in pods.manifests[1].text
    (few,) = manifest_groups(situation(node("ash"), *replicas[:3]))
    assert (few.kind, [each.alike for each in few.manifests]) == ("", [()] * 4)


def test_choices_of_pods_are_grouped_where_they_are_many() -> None:
    many = tuple(AnswerChoice(f"shop/{number}", "", place=f"node-{number % 2}") for number in range(MOST_CHOICES + 1))
    nodes = tuple(AnswerChoice(f"node-{number}", "") for number in range(60))

    assert [group.title for group in AskView("many", choices=many).choice_groups] == [
        "node-0: 13 pods",
        "node-1: 12 pods",
    ]
    assert [group.title for group in AskView("many", choices=many[:-1]).choice_groups] == [""]
    assert [len(group.choices) for group in AskView("many", choices=nodes).choice_groups] == [60]
    assert AskView("order").other_groups == ()


@pytest.mark.usefixtures("lesson")
def test_nodes_are_grouped_as_the_map_has_them() -> None:
    facts = cluster_facts(played_step(NAME, "nodes").situation)

    assert [(group.title, group.counted) for group in facts.groups] == [
        ("zone-a", "20 nodes, 160 pods"),
        ("zone-b", "20 nodes, 160 pods"),
        ("zone-c", "20 nodes, 147 pods"),
    ]
    assert len(facts.nodes) > MOST_NODES
    assert facts.is_grouped

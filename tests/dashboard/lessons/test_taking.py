"""Use as a lesson: decisions of a cluster, of a simulation and of the journal, by those who may write lessons."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission

from clusters.models import Cluster, Decision, SimulationRun, StoredLesson
from clusters.services.journal.timeline import decision_document
from clusters.services.lessons import storing
from tests.clusters.journal.decisions import a_decision
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.test_runs import MORE, done
from tests.engine.builders import a_node, a_pod, explanation_of
from tests.support.decision_cluster import decision_cluster, node, pod, text
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = pytest.mark.django_db

OF_POD = "/lessons/_take/pod/shop/shop/huge/"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def trainer(user: User, signed_in_client: Client) -> Client:
    """Return the client of a user who may write lessons."""
    user.user_permissions.add(Permission.objects.get(codename="add_storedlesson"))
    return signed_in_client


def test_a_pending_pod_becomes_a_lesson_by_one_confirmation(trainer: Client, tmp_path: Path) -> None:
    decision_cluster(tmp_path)
    assert OF_POD in trainer.get("/clusters/shop/pods/shop/huge/").text

    shown = text(trainer.get(OF_POD))
    assert "6 nodes and 5 pods" in shown
    assert "What becomes of the pod?" in shown
    assert "All names are replaced" in shown
    assert not StoredLesson.objects.exists()

    response = trainer.post(OF_POD, follow=True)
    stored = StoredLesson.objects.get()

    assert response.redirect_chain[-1][0] == f"/lessons/{stored.name}/outcome/"
    assert (stored.name, stored.uploaded_by) == ("situation-1", "operator")
    assert "huge" not in response.text
    assert "is pending in a cluster of 6 nodes" in text(response)


def test_of_a_larger_cluster_the_page_says_that_it_is_a_part(trainer: Client, tmp_path: Path) -> None:
    load(tmp_path, "shop", [*(node(f"n{number:02}", "north") for number in range(70)), pod("huge", cpu="9")])

    shown = text(trainer.get(OF_POD))

    assert "A part of the cluster: 60 of 70 nodes, 1 of 1 pods." in shown
    assert "Scores that depend on the whole cluster may differ." in shown


def test_what_cannot_be_a_lesson_says_why_and_stores_nothing(trainer: Client, tmp_path: Path) -> None:
    decision_cluster(tmp_path)

    response = trainer.post("/lessons/_take/pod/shop/shop/foreign/")

    assert response.status_code == 409
    assert "This decision cannot be a lesson" in text(response)
    assert "batch-scheduler" in text(response)
    assert not StoredLesson.objects.exists()


def test_as_many_lessons_as_there_may_be_are_enough(
    trainer: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 1)
    decision_cluster(tmp_path)
    trainer.post(OF_POD)

    assert trainer.post(OF_POD).status_code == 409
    assert StoredLesson.objects.count() == 1


def test_without_the_permission_there_is_no_button_and_no_page(signed_in_client: Client, tmp_path: Path) -> None:
    decision_cluster(tmp_path)

    assert "Use as a lesson" not in signed_in_client.get("/clusters/shop/pods/shop/huge/").text
    for response in (signed_in_client.get(OF_POD), signed_in_client.post(OF_POD)):
        assert response.status_code == 403
        assert "permission to add stored lessons" in text(response)
    assert not StoredLesson.objects.exists()


@pytest.mark.parametrize("address", ["pod/shop/shop/nobody/", "pod/none/shop/huge/", "step/1/0/", "decision/shop/1/"])
def test_what_is_not_there_is_not_found(trainer: Client, tmp_path: Path, address: str) -> None:
    decision_cluster(tmp_path)

    assert trainer.get(f"/lessons/_take/{address}").status_code == 404


def test_a_step_of_a_simulation_becomes_a_lesson(trainer: Client, tmp_path: Path) -> None:
    # Before the attempt one pod has been found gated; a nominated one, which holds its room, arrives after that.
    gated, urgent = pod("gated", schedulingGates=[{"name": "approval"}]), pod("urgent", priority=10)
    nominee = pod("nominee", status={"phase": "Pending", "nominatedNodeName": "a1"})
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2}), gated, nominee, urgent])
    run: SimulationRun = done(trainer, MORE)
    address = f"/lessons/_take/step/{run.pk}/1/"
    assert address in trainer.get(f"/simulations/{run.pk}/decisions/1/").text

    response = trainer.post(address, follow=True)

    assert response.redirect_chain[-1][0] == "/lessons/situation-1/where/"
    # The pods of the run's base, and the one that is placed.
    assert text(response).count("app-") > 2


@pytest.fixture
def journal(tmp_path: Path) -> Cluster:
    """A cluster with two hours of a journal; until was bound to b only at their end."""
    created = {"creationTimestamp": "2026-03-01T09:00:00Z"}
    web = pod("web", nodeName="a")
    web["metadata"] |= created
    until = pod("until", nodeName="b")
    until["metadata"] |= {"creationTimestamp": "2026-03-01T14:00:00Z"}
    load(tmp_path, "shop", [node("a", "north"), node("b", "south"), web, until])
    cluster = Cluster.objects.get(name="shop")
    cluster.departures_since = NOON
    cluster.save()
    return cluster


def test_a_decision_of_the_journal_becomes_a_lesson_of_its_moment(trainer: Client, journal: Cluster) -> None:
    made = a_decision(
        journal, "web", kind=Decision.Kind.BOUND, node_name="a", heard_at=NOON.replace(minute=30),
        last_heard_at=NOON.replace(minute=30),
    )  # fmt: skip
    address = f"/lessons/_take/decision/shop/{made.pk}/"
    assert address in trainer.get(f"/clusters/shop/journal/{made.pk}/").text

    response = trainer.post(address, follow=True)

    assert response.redirect_chain[-1][0] == "/lessons/situation-1/where/"
    assert "in a cluster of 2 nodes" in text(response)
    # The pod that came later is not there.
    assert "until" not in response.text
    assert StoredLesson.objects.get().files["cluster.yaml"].count("kind: Pod\n") == 1


def test_a_decision_about_a_pod_of_which_nothing_is_kept_says_so(trainer: Client, journal: Cluster) -> None:
    made = a_decision(
        journal, "gone", kind=Decision.Kind.UNSCHEDULABLE, message="0/2 nodes are available.",
        heard_at=NOON.replace(minute=40), last_heard_at=NOON.replace(minute=40),
    )  # fmt: skip

    shown = text(trainer.get(f"/lessons/_take/decision/shop/{made.pk}/"))

    assert "was deleted before it had a node" in shown


def test_a_moment_of_the_map_leads_to_a_lesson_of_what_was_decided(trainer: Client, journal: Cluster) -> None:
    made = a_decision(
        journal, "web", kind=Decision.Kind.BOUND, node_name="a", heard_at=NOON.replace(minute=30),
        last_heard_at=NOON.replace(minute=30),
    )  # fmt: skip

    page = trainer.get("/clusters/shop/nodes/?at=2026-03-01T12:45:00Z")

    assert f"/lessons/_take/decision/shop/{made.pk}/" in page.text


def test_a_pod_shown_as_of_its_decision_leads_to_a_lesson_of_that_decision(trainer: Client, journal: Cluster) -> None:
    document = decision_document(explanation_of(a_pod(requests={"cpu": "1"}), a_node("a")), "a")
    made = a_decision(
        journal, "web", kind=Decision.Kind.BOUND, node_name="a", pod_uid="shop-web", explanation=document,
        heard_at=NOON.replace(minute=30), last_heard_at=NOON.replace(minute=30),
    )  # fmt: skip

    then, now = (trainer.get(f"/clusters/shop/pods/shop/web/?at={at}").text for at in ("decision", "now"))

    assert f"/lessons/_take/decision/shop/{made.pk}/" in then
    assert "/lessons/_take/pod/shop/shop/web/" not in then
    assert "/lessons/_take/pod/shop/shop/web/" in now

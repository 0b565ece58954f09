from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clusters.documents.stored_problems import encoded
from clusters.engine.problems import Quoted
from clusters.models import Cluster, Ingest, PodDisruptionBudget
from tests.dashboard.rows import a_cluster, a_gap, a_node, a_pod, allow_changes
from tests.support.mirrored import text

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from pytest_django import Settings

pytestmark = pytest.mark.django_db

CHANGES = ["/upload/", "/clusters/prod/upload/", "/clusters/prod/delete/"]


def dump(content: bytes = b'{"kind": "List"}') -> SimpleUploadedFile:
    return SimpleUploadedFile("cluster.json", content)


def test_lessons_are_offered_while_there_is_no_cluster(signed_in_client: Client, user: User) -> None:
    link = '<a href="/lessons/">Start with a lesson</a>'
    assert link in signed_in_client.get("/clusters/").text
    assert link in signed_in_client.get("/clusters/").text

    a_cluster()
    assert link not in signed_in_client.get("/clusters/").text


def test_clusters_show_counts_and_gaps(signed_in_client: Client) -> None:
    cluster = a_cluster(gaps=[a_gap("Node"), a_gap("CSINode", felt=False)])
    a_node(cluster, "n1")
    a_pod(cluster, "web")

    html = signed_in_client.get("/clusters/").text

    assert "1 kind missing" in html
    assert "Missing node" not in html
    assert "v1.34.1" in html
    assert "/clusters/prod/pending/" in html


def test_clusters_name_gaps_that_are_no_kind(signed_in_client: Client) -> None:
    a_cluster(gaps=[a_gap(kind) for kind in ("Service", "PriorityClass", "missing-node")])

    html = signed_in_client.get("/clusters/").text

    assert "2 kinds missing" in html
    assert "Missing node" in html


def test_viewer_may_change_nothing(signed_in_client: Client) -> None:
    a_cluster()

    for address in CHANGES:
        answer = signed_in_client.post(address, {"name": "new", "file": dump()})
        assert answer.status_code == 403
        assert "Ask an administrator of this Berth" in answer.text
        assert Cluster.objects.count() == 1
        assert not Ingest.objects.exists()


def test_staff_may_change_without_the_permission(user: User, signed_in_client: Client) -> None:
    user.is_staff = True
    user.save()

    assert signed_in_client.get("/upload/").status_code == 200


def test_delete_asks_before_it_acts(operator_client: Client) -> None:
    a_node(a_cluster(), "n1")

    asked = operator_client.get("/clusters/prod/delete/")
    still_there = Cluster.objects.exists()
    done = operator_client.post("/clusters/prod/delete/", follow=True)

    assert "Delete prod?" in asked.text
    assert still_there
    assert "prod is deleted." in done.text
    assert not Cluster.objects.exists()


def test_form_without_a_token_is_refused_with_advice(user: User) -> None:
    allow_changes(user)
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(user)
    a_cluster()

    answer = careful.post("/clusters/prod/delete/")

    assert answer.status_code == 403
    assert "This form is too old" in answer.text
    assert Cluster.objects.exists()


def test_upload_adds_the_cluster_and_keeps_the_file(operator_client: Client) -> None:
    answer = operator_client.post("/upload/", {"name": "fresh", "file": dump()})
    run = Ingest.objects.get()
    script = operator_client.post("/upload/", {"name": "other", "file": dump()}, headers={"Accept": "application/json"})

    assert answer.headers["Location"] == f"/clusters/fresh/ingests/{run.pk}/"
    assert run.cluster_name == "fresh"
    assert Path(run.upload).read_bytes() == b'{"kind": "List"}'
    assert script.status_code == 201
    assert script.json() == {"location": f"/clusters/other/ingests/{Ingest.objects.latest('pk').pk}/"}


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"name": "Not A Name", "file": b"{}"}, "lower-case letters"),
        ({"name": "prod", "file": b"{}"}, " exists. Take another name"),
        ({"name": "", "file": b"{}"}, "Give the cluster a name."),
        ({"name": "fresh"}, "Choose a file first."),
        ({"name": "fresh", "file": b""}, "The file is empty"),
        ({"name": "fresh", "file": b"x" * 2000}, "exceeds 1000 B"),
    ],
)
def test_upload_says_what_is_wrong(
    operator_client: Client, settings: Settings, form: dict[str, Any], problem: str
) -> None:
    settings.BERTH_UPLOAD_LIMIT_BYTES = 1000
    a_cluster()

    for accepted in ("text/html", "application/json"):
        sent = {key: dump(value) if key == "file" else value for key, value in form.items()}
        answer = operator_client.post("/upload/", sent, headers={"Accept": accepted})
        assert answer.status_code == 400
        assert problem in (answer.text if accepted == "text/html" else answer.json()["error"])
    assert not Ingest.objects.exists()


def test_failed_run_says_where_and_what_to_do(signed_in_client: Client) -> None:
    run = Ingest.objects.create(
        cluster=a_cluster(),
        file_name="dump.json",
        state=Ingest.State.FAILED,
        error={
            "file": "dump.json",
            "document": 2,
            "field": "items[3]",
            "problem": encoded(Quoted("No kind.", "Add one.")),
        },
    )

    html = signed_in_client.get(f"/clusters/prod/ingests/{run.pk}/progress/").text

    assert "dump.json, document 2, items[3]" in html
    assert "No kind." in html
    assert "Add one." in html
    assert "data-over" in html


def test_running_run_shows_what_is_skipped_and_why(signed_in_client: Client) -> None:
    run = Ingest.objects.create(
        cluster=a_cluster(),
        file_name="dump.json",
        state=Ingest.State.READING,
        bytes_total=200,
        bytes_read=50,
        skipped=[{"why": encoded(Quoted("not for us")), "count": 1234}],
    )

    html = signed_in_client.get(f"/clusters/prod/ingests/{run.pk}/progress/").text

    assert 'value="25"' in html
    assert "not for us" in html
    assert "data-over" not in html


def test_failed_first_upload_has_a_page_and_leaves_its_name_free(operator_client: Client) -> None:
    run = Ingest.objects.create(intended_name="fresh", file_name="broken.json", state=Ingest.State.FAILED, error={})

    html = operator_client.get(f"/clusters/fresh/ingests/{run.pk}/").text
    assert "broken.json could not be read. No cluster fresh was added." in html
    assert 'href="/upload/"' in html
    assert ">fresh<" not in operator_client.get("/clusters/").text

    assert operator_client.post("/upload/", {"name": "fresh", "file": dump()}).status_code == 302
    assert "being read" in operator_client.get("/clusters/").text


def test_ingest_is_cancelled_on_its_page(operator_client: Client) -> None:
    run = Ingest.objects.create(cluster=a_cluster(), file_name="d.json", state=Ingest.State.READING)
    page = f"/clusters/prod/ingests/{run.pk}/"
    assert f'action="{page}cancel/"' in operator_client.get(page).text

    answer = operator_client.post(f"{page}cancel/", follow=True)

    assert "Reading d.json was cancelled. The cluster is as it was before." in answer.text
    assert f'action="{page}cancel/"' not in answer.text


def test_ingest_that_is_written_is_not_cancelled(operator_client: Client) -> None:
    run = Ingest.objects.create(cluster=a_cluster(), file_name="d.json", state=Ingest.State.WRITING)

    answer = operator_client.post(f"/clusters/prod/ingests/{run.pk}/cancel/", follow=True)

    assert "not cancelled" in answer.text
    assert Ingest.objects.get().state == Ingest.State.WRITING


def test_who_may_not_change_clusters_cancels_no_ingest(signed_in_client: Client) -> None:
    run = Ingest.objects.create(cluster=a_cluster(), file_name="d.json", state=Ingest.State.READING)
    page = f"/clusters/prod/ingests/{run.pk}/"

    assert "cancel/" not in signed_in_client.get(page).text
    assert signed_in_client.post(f"{page}cancel/").status_code == 403
    assert Ingest.objects.get().state == Ingest.State.READING


def test_name_is_not_free_while_its_first_dump_is_being_read(operator_client: Client) -> None:
    Ingest.objects.create(cluster=a_cluster("fresh", last_sync=None, revision=0), file_name="first.json")

    answer = operator_client.post("/upload/", {"name": "fresh", "file": dump()})

    assert answer.status_code == 400
    assert "is being read" in answer.text
    assert Ingest.objects.count() == 1


def test_run_of_another_cluster_is_not_here(signed_in_client: Client) -> None:
    run = Ingest.objects.create(cluster=a_cluster(), file_name="dump.json")
    a_cluster("other")

    assert signed_in_client.get(f"/clusters/other/ingests/{run.pk}/").status_code == 404


def test_home_of_all_clusters_tells_how_each_one_is(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_node(cluster, "n1", zone="b")
    a_node(cluster, "n2")
    a_node(cluster, "n3", ready=False)
    a_node(cluster, "n4", ready=None)
    a_node(cluster, "n5", unschedulable=True)
    a_pod(cluster, "web")
    for name, allowed, expected in (("full", 0, 3), ("loose", 1, 3), ("empty", 0, 0)):
        PodDisruptionBudget.objects.create(
            cluster=cluster, namespace="shop", name=name, uid=name, disruptions_allowed=allowed, expected_pods=expected,
            object={},
        )  # fmt: skip
    a_cluster("new", last_sync=None, revision=0)

    said = text(signed_in_client, "/clusters/")

    # Numbers before what they are of, as they stand above it.
    assert "Pending pods 1 : prod Budgets reporting 0 1 : prod" in said
    assert "1 NotReady 1 readiness not known 1 cordoned 2 schedulable 1 pod" in said
    assert said.count("schedulable") == 1

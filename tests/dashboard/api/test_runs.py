"""Simulations, headroom and reviews as a pipeline asks for them."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver

from clusters.models import Cluster, Ingest, Report, SimulationRun, StudyPart
from clusters.services import reports, runs
from clusters.services.studies.asking import work_on_part
from dashboard.api.fits import WAITING
from dashboard.limits.computing import MOST_WAITING
from tests.clusters.runs.test_spec import CATS
from tests.dashboard.rows import allow_changes
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client, RequestFactory

pytestmark = pytest.mark.django_db

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: web, resources: {requests: {cpu: 100m}}}]
"""
HUGE = WEB.replace("100m", "900").replace("web}", "huge}")


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return decision_cluster(tmp_path)


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def manifests(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("web.yaml", text.encode())


def posted(client: Client, path: str, data: Any, status: int = 201) -> dict[str, Any]:
    response = client.post(f"/api/v1{path}", data, content_type="application/json")
    assert response.status_code == status, response.content
    found: dict[str, Any] = response.json()
    return found


def read(client: Client, path: str, status: int = 200) -> dict[str, Any]:
    response = client.get(f"/api/v1{path}")
    assert response.status_code == status, response.content
    found: dict[str, Any] = response.json()
    return found


def ran(client: Client, text: str) -> dict[str, Any]:
    """A run with manifests that a worker has worked on."""
    response = client.post("/api/v1/clusters/shop/runs/manifests", {"manifests": manifests(text)})
    assert response.status_code == 201, response.content
    runs.work(response.json()["id"])
    return read(client, f"/runs/{response.json()['id']}")


def test_a_pipeline_learns_in_one_line_whether_its_manifests_fit(signed_in_client: Client, cluster: Cluster) -> None:
    asked = {"manifests": manifests(WEB), "wait": "0"}
    early = signed_in_client.post("/api/v1/clusters/shop/fits", asked)
    number = early.json()["run"]

    assert (early.status_code, early.json()["fits"]) == (202, None)
    runs.work(number)
    verdict = read(signed_in_client, f"/runs/{number}/fits")
    assert (verdict["fits"], verdict["pending"], "\n" in verdict["reason"]) == (True, [], False)
    refused = read(signed_in_client, f"/runs/{ran(signed_in_client, HUGE)['id']}/fits")
    assert refused["fits"] is False
    assert refused["reason"].startswith("Does not fit. Added pods: 0 of 2 placed, 2 pending. ")
    assert "Insufficient cpu" in refused["reason"]
    assert len(refused["pending"]) == 2
    misspelt = {"manifests": manifests(WEB.replace("Deployment", "Deploymnt"))}
    slip = signed_in_client.post("/api/v1/clusters/shop/fits", misspelt)
    assert (slip.status_code, slip.json()["error"]["remedy"]) == (400, "Write Deployment.")


def test_manifests_of_devices_are_simulated_with_their_classes(signed_in_client: Client, cluster: Cluster) -> None:
    run = ran(signed_in_client, CATS)
    verdict = read(signed_in_client, f"/runs/{run['id']}/fits")

    # The cluster has no device, which is said of the claim that is made from the manifest's own template.
    assert verdict["fits"] is False
    assert "cannot allocate all claims" in verdict["reason"]


def test_a_run_from_order_to_deletion(signed_in_client: Client, cluster: Cluster) -> None:
    change = {"change": "add-workload", "text": WEB}
    spec = {"base": {"kind": "cluster"}, "changes": [change], "scheduler": {"kind": "batch"}}
    made = posted(signed_in_client, "/runs/", {"cluster": "shop", "title": "More web", "spec": spec})
    runs.work(made["id"])
    address = f"/runs/{made['id']}"

    run = read(signed_in_client, address)
    steps = read(signed_in_client, f"{address}/steps?limit=1")
    pods = read(signed_in_client, f"{address}/pods?outcome=placed")
    end = read(signed_in_client, f"{address}/states/{run['steps']}")

    assert (run["state"], run["title"], run["summary"]["version"]) == ("done", "More web", 2)
    assert [step["number"] for step in steps["steps"]] == [0]
    assert steps["next"] == (1 if run["steps"] > 1 else None)
    assert {pod["outcome"] for pod in pods["pods"]} == {"placed"}
    assert (end["step"], end["nodes"]) == (run["steps"], 6)
    placed = pods["pods"][0]
    decision = read(signed_in_client, f"{address}/decisions/{placed['step']}")
    assert list(decision["explanation"]["nodes"]) == [placed["node"]]
    read(signed_in_client, f"{address}/states/{run['steps'] + 1}", 404)
    assert [each["id"] for each in read(signed_in_client, "/runs/?cluster=shop&state=done")["runs"]] == [made["id"]]
    assert signed_in_client.delete(f"/api/v1{address}").status_code == 204
    read(signed_in_client, address, 404)


def test_two_runs_are_compared_once_both_are_done(signed_in_client: Client, cluster: Cluster) -> None:
    left = ran(signed_in_client, WEB)
    waiting = SimulationRun.objects.create(cluster=cluster, title="waits", spec={})

    read(signed_in_client, f"/runs/{left['id']}/compare/{waiting.pk}", 409)
    right = ran(signed_in_client, HUGE)
    found = read(signed_in_client, f"/runs/{left['id']}/compare/{right['id']}")

    assert (found["left"], found["right"]) == (left["id"], right["id"])
    assert found["comparison"]["placements"]


def test_only_who_ordered_a_run_ends_it(signed_in_client: Client, user: User, cluster: Cluster) -> None:
    run = SimulationRun.objects.create(cluster=cluster, title="another's", spec={})

    assert signed_in_client.delete(f"/api/v1/runs/{run.pk}").status_code == 403
    assert signed_in_client.post(f"/api/v1/runs/{run.pk}/cancel").status_code == 403
    allow_changes(user)
    assert posted(signed_in_client, f"/runs/{run.pk}/cancel", {}, 200)["state"] == "cancelled"


def test_a_posted_pod_is_explained_and_not_kept(signed_in_client: Client, cluster: Cluster) -> None:
    container = {"name": "web", "image": "web", "resources": {"requests": {"cpu": "900"}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "new"}, "spec": {"containers": [container]}}

    found = posted(signed_in_client, "/clusters/shop/explanation", {"pod": pod}, 200)

    assert (found["explanation"]["pod"], found["page"], found["explanation"]["fits"]) == ("default/new", None, False)
    assert "Insufficient cpu" in found["explanation"]["message"]
    wrong = posted(signed_in_client, "/clusters/shop/explanation", {"pod": {**pod, "kind": "Service"}}, 400)
    assert wrong["error"]["where"] == "pod.kind"
    container["resources"] = {"requests": {"cpu": "much"}}
    wrong = posted(signed_in_client, "/clusters/shop/explanation", {"pod": pod}, 400)
    assert wrong["error"]["where"].startswith("spec.containers[0].resources")


def test_headroom_of_shapes(signed_in_client: Client, cluster: Cluster) -> None:
    shapes = [{"mix": [{"text": WEB}], "label": "web"}]
    asked = posted(signed_in_client, "/clusters/shop/headroom", {"shapes": shapes})
    for part in StudyPart.objects.all():
        work_on_part(part.pk)

    found = read(signed_in_client, f"/studies/{asked['id']}")

    assert (found["kind"], found["done"]) == ("headroom", 1)
    assert found["parts"][0]["result"]["count"] > 0
    assert signed_in_client.delete(f"/api/v1/studies/{asked['id']}").status_code == 204


def test_a_review_in_every_form(signed_in_client: Client, cluster: Cluster) -> None:
    made = posted(signed_in_client, "/reports/", {"cluster": "shop", "title": "July", "sections": ["utilisation"]})
    read(signed_in_client, f"/reports/{made['id']}/pdf", 409)
    reports.write(made["id"])

    review = read(signed_in_client, f"/reports/{made['id']}")
    starts = {"html": b"<!", "pdf": b"%PDF", "markdown": b"#", "csv": b"PK", "json": b"{"}

    assert review["state"] == Report.State.DONE
    assert set(review["formats"]) == set(starts)
    for form, address in review["formats"].items():
        assert signed_in_client.get(address).content.lower().startswith(starts[form].lower()), form
    read(signed_in_client, f"/reports/{made['id']}/docx", 404)
    assert signed_in_client.delete(f"/api/v1/reports/{made['id']}").status_code == 204


def test_a_dump_is_taken_into_a_new_cluster(
    signed_in_client: Client, user: User, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    allow_changes(user)
    file = SimpleUploadedFile("dump.yaml", b"apiVersion: v1\nkind: Node\nmetadata: {name: n}\n")

    response = signed_in_client.post("/api/v1/clusters/fresh/dumps/", {"file": file})

    sent = response.json()
    assert (response.status_code, sent["state"], Ingest.objects.get().pk) == (202, "queued", sent["id"])
    assert read(signed_in_client, f"/clusters/fresh/dumps/{sent['id']}")["cluster"] == "fresh"

    cancelled = signed_in_client.post(f"/api/v1/clusters/fresh/dumps/{sent['id']}/cancel").json()

    assert (cancelled["state"], cancelled["cluster"]) == ("cancelled", "fresh")
    assert read(signed_in_client, f"/clusters/fresh/dumps/{sent['id']}") == cancelled


@pytest.mark.parametrize(
    ("path", "data", "where"),
    [
        ("/runs/", {"cluster": "shop", "spec": {"base": {"kind": "moon"}}}, "base.kind"),
        ("/runs/", {"cluster": "shop"}, "spec"),
        ("/runs/", {"cluster": "none-such", "spec": {"base": {"kind": "cluster"}}}, "cluster"),
        ("/clusters/shop/headroom", {"shapes": []}, "shapes"),
        ("/reports/", {"cluster": "shop", "colour": "red"}, "colour"),
        ("/reports/", {"cluster": "shop", "notes": "a\0b"}, "body"),
        ("/clusters/shop/headroom", {"shapes": [{"mix": [{"text": WEB}], "label": "\0"}]}, "body"),
        ("/clusters/shop/headroom", {"shapes": [{"mix": [{"text": WEB}], "label": "\ud800"}]}, "body"),
        ("/clusters/shop/headroom", {"shapes": [], "chnages": []}, "chnages"),
        ("/reports/", {"cluster": "\ud800"}, "body"),
        ("/reports/", {"cluster": "shop", "shapes": [{"name": "a", "cpu": nested(300)}]}, "body"),
        ("/runs/", {"cluster": "shop", "spec": {"base": {"kind": "cluster"}, "seed": float("inf")}}, "body"),
        ("/clusters/shop/explanation", {"pod": {}, "Top": 1}, "Top"),
    ],
)
def test_errors_name_the_field(
    signed_in_client: Client, cluster: Cluster, path: str, data: dict[str, Any], where: str
) -> None:
    response = signed_in_client.post(f"/api/v1{path}", data, content_type="application/json")

    assert response.status_code in (400, 404)
    assert where in response.json()["error"]["where"]


def test_a_body_is_looked_through_whatever_it_calls_itself(signed_in_client: Client, cluster: Cluster) -> None:
    body = '{"cluster": "shop", "spec": {"base": {"kind": "cluster"}, "notes": ["\\u0000"]}}'

    response = signed_in_client.post("/api/v1/runs/", body, content_type="text/plain")

    assert (response.status_code, response.json()["error"]["what"]) == (400, "A text contains a NUL character.")


def test_a_queue_of_one_user_has_an_end(signed_in_client: Client, user: User, cluster: Cluster) -> None:
    wanted = [SimulationRun(cluster=cluster, title="many", spec={}, created_by=user) for _ in range(MOST_WAITING)]
    many = SimulationRun.objects.bulk_create(wanted)
    orders: list[tuple[str, dict[str, Any]]] = [
        ("/runs/", {"cluster": "shop", "spec": {"base": {"kind": "cluster"}}}),
        ("/clusters/shop/headroom", {"shapes": [{"mix": [{"text": WEB}]}]}),
        ("/reports/", {"cluster": "shop"}),
    ]

    for path, order in orders:
        posted(signed_in_client, path, order, 429)
    runs.cancel(many[0])
    asked = {"manifests": manifests(WEB), "wait": "0"}
    assert signed_in_client.post("/api/v1/clusters/shop/fits", asked).status_code == 202
    assert signed_in_client.post("/api/v1/clusters/shop/fits", asked).status_code == 429


def test_where_enough_wait_nobody_else_does(signed_in_client: Client, cluster: Cluster) -> None:
    taken = 0
    while WAITING.acquire(blocking=False):
        taken += 1
    begun = monotonic()
    response = signed_in_client.post("/api/v1/clusters/shop/fits", {"manifests": manifests(WEB), "wait": "60"})
    WAITING.release(taken)

    assert (response.status_code, monotonic() - begun < 30) == (202, True)


def test_a_misspelt_option_is_not_passed_over(signed_in_client: Client, cluster: Cluster) -> None:
    asked = {"manifests": manifests(WEB), "wait": "0", "replica": "5"}

    response = signed_in_client.post("/api/v1/clusters/shop/fits", asked)

    assert (response.status_code, response.json()["error"]["where"]) == (400, "replica")
    assert not SimulationRun.objects.exists()


def test_a_failure_of_our_own_has_the_form_of_errors(rf: RequestFactory) -> None:
    failed: Any = get_resolver().resolve_error_handler(500)

    program, person = failed(rf.get("/api/v1/runs/")), failed(rf.get("/simulations/"))

    assert (program.status_code, person.status_code) == (500, 500)
    assert set(orjson.loads(program.content)["error"]) == {"code", "what", "where", "remedy"}
    assert person.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    "text", ["", "kind: [", "\0", "a: &a [*a]", "kind: Deployment\napiVersion: apps/v1\n", "x" * 3_000_000, "\ud800"]
)
def test_hostile_manifests_are_refused_in_words(signed_in_client: Client, cluster: Cluster, text: str) -> None:
    file = SimpleUploadedFile("web.yaml", text.encode("utf-8", "surrogatepass"))

    response = signed_in_client.post("/api/v1/clusters/shop/fits", {"manifests": file, "wait": "0"})

    assert response.status_code in (400, 413)
    assert response.json()["error"]["remedy"].endswith(".")
    assert not SimulationRun.objects.exists()


def test_every_operation_is_in_the_handbook(signed_in_client: Client) -> None:
    reference = (Path(django_settings.BASE_DIR) / "docs" / "api.md").read_text(encoding="utf-8")
    document = orjson.loads(signed_in_client.get("/api/v1/openapi.json").content)

    missing = [path for path in document["paths"] if path.removeprefix("/api/v1") not in reference]
    assert missing == []

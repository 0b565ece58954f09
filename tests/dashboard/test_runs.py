"""Simulations on the web: put together, run, looked at step by step, compared, and ended."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.contrib.auth.models import User
from django.test import Client

from clusters.adapters import flow
from clusters.models import RunPod, SimulationRun
from clusters.services.runs.asked import outcome_of_run
from clusters.services.runs.working import work
from clusters.wording.runs.building import NEEDS_SOLVER
from dashboard.forms.runs.settings import packed
from dashboard.views import run as views_run
from tests.support.mirrored import text, words_of

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NEW = "/clusters/shop/simulations/new"
MORE = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "web", "by": 40}
LOST = {"change": "lose-zone", "zone": "b", "how": "gone"}


def ordered(client: Client, *changes: dict[str, Any], **more: Any) -> SimulationRun:
    """Order a run from the form."""
    response = client.post(NEW, {"changes": packed(list(changes)), "seed": "0", "start": "1", **more})
    assert response.status_code == 302, response.text
    run = SimulationRun.objects.latest("pk")
    assert response["Location"] == f"/simulations/{run.pk}/"
    return run


def done(client: Client, *changes: dict[str, Any], **more: Any) -> SimulationRun:
    """Order a run from the form and work on it."""
    run = ordered(client, *changes, **more)
    work(run.pk)
    run.refresh_from_db()
    assert run.state == SimulationRun.State.DONE, run.error
    return run


def test_page_says_what_the_batch_scheduler_needs(
    shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert str(NEEDS_SOLVER) not in text(signed_in_client, NEW)
    monkeypatch.setattr(flow, "find_spec", lambda _name: None)

    assert str(NEEDS_SOLVER) in text(signed_in_client, NEW)
    refused = signed_in_client.post(NEW, {"changes": packed([MORE]), "seed": "0", "start": "1", "scheduler": "batch"})
    assert "Install requirements-batch.lock" in refused.text
    assert not SimulationRun.objects.exists()


# -- what came of it ---------------------------------------------------------------------------------------------------


def test_a_run_is_told_and_its_files_hold_the_same(shop: Cluster, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    page = f"/simulations/{run.pk}/"

    said = text(signed_in_client, page)

    # Four nodes of four CPUs hold 32 pods of half a CPU, and two are there.
    assert "30 of 40 pods placed. 10 newly pending." in said
    assert "10 pods pending: insufficient CPU" in said
    assert "Began with shop at revision 1" in said
    rows = list(csv.DictReader(io.StringIO(b"".join(_streamed(signed_in_client, f"{page}pods.csv")).decode())))
    assert len(rows) == RunPod.objects.filter(run=run).count() == 40
    left = _streamed(signed_in_client, f"{page}pods.csv?outcome=unschedulable")
    assert len(list(csv.DictReader(io.StringIO(b"".join(left).decode())))) == 10
    document = orjson.loads(signed_in_client.get(f"{page}run.json").content)
    assert document["spec"]["changes"] == [MORE]
    assert document["summary"]["pods"]["unschedulable"] == 10


def test_a_run_opens_with_the_map_of_what_it_comes_to(
    shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drained = done(signed_in_client, {"change": "drain-nodes", "nodes": ["a1"]})
    page, part = f"/simulations/{drained.pk}/", f"/simulations/{drained.pk}/map/"

    first = words_of(signed_in_client.get(page).text)

    # Both pods leave a1, which is empty then, for one or two nodes that were.
    _, found = outcome_of_run(drained)
    filled = len({move.target for move in found.moves})
    assert f"pods move 2 newly pending 0 empty nodes {['±0', '−1'][filled - 1]}" in first
    of_node = signed_in_client.get(f"{page}nodes/?node=a1", headers=HTMX)
    assert all(f"{move.pod} goes from a1 to {move.target}." in words_of(of_node.text) for move in found.moves)
    assert signed_in_client.get(f"{page}nodes/?node=a1")["Location"] == f"{page}?node=a1#pods"
    zone = signed_in_client.get(f"{part}?zone=b", headers={**HTMX, "HX-Target": "map-part"})
    assert ("b1" in zone.text, "a1" in zone.text) == (True, False)
    assert signed_in_client.get(f"{part}?zone=b")["Location"] == f"{page}?zone=b"
    assert signed_in_client.get(f"{part}?zone=z", headers=HTMX).status_code == 404

    # A large one is gone through again once its page stands, or at once where no script asks for it.
    monkeypatch.setattr(views_run, "_MOST_AT_ONCE", 1)
    asks = f'hx-get="{part}"'
    assert [asks in signed_in_client.get(f"{page}{query}").text for query in ("", "?now=1")] == [True, False]
    assert "pods move 2" in words_of(signed_in_client.get(part, headers=HTMX).text)


def test_a_loss_begins_with_what_it_does_to_workloads_and_has_one_number_of_newly_pending_pods(
    shop: Cluster, signed_in_client: Client
) -> None:
    run = done(signed_in_client, {"change": "remove-nodes", "nodes": ["a1", "a2", "b1", "c1"]})

    said = text(signed_in_client, f"/simulations/{run.pk}/")

    assert "2 pods are newly pending. 1 of 1 affected workload runs fewer pods." in said
    assert "No pod left of Deployment shop/web." in said
    assert "2 newly pending, 0 as before" in said
    summary = run.summary or {}
    assert summary["affected"]["pending"] == summary["affected"]["first"][0]["pending"] == 2


def _streamed(client: Client, address: str) -> list[bytes]:
    response: Any = client.get(address)
    return list(response.streaming_content)


def test_a_decision_of_a_run_has_the_map_and_what_it_opens(shop: Cluster, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    stuck = RunPod.objects.filter(run=run, outcome="unschedulable").order_by("step")[0]
    placed = RunPod.objects.filter(run=run, outcome="placed", step__gt=0).order_by("step")[0]
    base = f"/simulations/{run.pk}/decisions"

    page = signed_in_client.get(f"{base}/{placed.step}/")
    assert page.context["map"].found.marks[0].label == f"Placed on {placed.node_name}"
    assert page.context["map"].data["node"] == f"{base}/{placed.step}/why-not/?node="
    nowhere = signed_in_client.get(f"{base}/{stuck.step}/").context["map"].found
    assert {key.source: key.nodes for key in nowhere.keys if key.nodes} == {"NodeResourcesFit": 4}
    assert not nowhere.marks

    lines = signed_in_client.get(f"{base}/{stuck.step}/map/lines/?first=2").json()["lines"]
    assert len(lines) == 2
    assert "cpu" in lines[0].lower()
    assert "Insufficient cpu" in text(signed_in_client, f"{base}/{stuck.step}/why-not/?node=a1")
    assert f'href="/simulations/{run.pk}/nodes/a1/"' in signed_in_client.get(f"{base}/{stuck.step}/nodes/a1/").text
    for address in (f"{base}/{stuck.step}/nodes/none/", f"{base}/{run.steps}/map/", f"{base}/{stuck.step}/scores/"):
        assert signed_in_client.get(address).status_code == 404


def test_nodes_keep_their_place_in_the_picture_at_every_step(shop: Cluster, signed_in_client: Client) -> None:
    run = done(signed_in_client, {**LOST, "how": "unreachable"}, MORE)
    pages = [signed_in_client.get(f"/simulations/{run.pk}/steps/{number}/?shade=state") for number in range(run.steps)]
    maps = [page.context["map"].found for page in pages]

    assert len({each.key_of for each in maps}) > 1, "a zone gets lost meanwhile"
    assert {each.names for each in maps} == {("a1", "a2", "b1", "c1")}
    assert {tuple(pool.nodes for pool in each.pools) for each in maps} == {(2, 1, 1)}


def test_every_step_can_be_looked_at_and_every_decision(shop: Cluster, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    base = f"/simulations/{run.pk}"
    stuck = RunPod.objects.filter(run=run, outcome="unschedulable").order_by("step")[0]
    placed = RunPod.objects.filter(run=run, outcome="placed").order_by("step")[0]

    first = text(signed_in_client, f"{base}/steps/0/")
    assert f"{placed.namespace}/{placed.name} is placed on {placed.node_name}" in first
    assert "Pods request 1.5 CPU of 16 CPU" in first
    at_last = text(signed_in_client, f"{base}/steps/{run.steps - 1}/")
    assert "10 pending pods" in at_last
    assert "Pods request 16 CPU of 16 CPU" in at_last
    assert f"{base}/steps/{stuck.step}/" in signed_in_client.get(f"{base}/steps/0/").text, "the next failure"
    assert signed_in_client.get(f"{base}/steps/?step=3")["Location"] == f"{base}/steps/2/"
    assert signed_in_client.get(f"{base}/steps/{run.steps}/").status_code == 404
    shown = signed_in_client.get(f"{base}/steps/0/?shade=memory&zone=a").context
    assert shown["map"].found.sentence.startswith("Memory requested")
    assert shown["map"].found.names == ("a1", "a2")
    assert shown["scrubber"].next == f"{base}/steps/1/?shade=memory&zone=a"
    assert signed_in_client.get(f"{base}/steps/0/?zone=none").status_code == 404
    found = signed_in_client.get(f"{base}/steps/0/").context["map"].found
    assert [found.names[mark.node] for mark in found.marks] == [placed.node_name]
    assert sum(len(load.pods) for load in found.loads) == 3
    assert not signed_in_client.get(f"{base}/steps/{stuck.step}/").context["map"].found.marks

    assert signed_in_client.get(f"{base}/pods/{stuck.namespace}/{stuck.name}/")["Location"] == (
        f"{base}/decisions/{stuck.step}/"
    )


def test_two_runs_are_compared(shop: Cluster, signed_in_client: Client) -> None:
    left, right = done(signed_in_client, MORE), done(signed_in_client, MORE, LOST)
    ticked = signed_in_client.get(f"/simulations/compare/?run={left.pk}&run={right.pk}")

    assert ticked["Location"] == f"/simulations/compare/?left={left.pk}&right={right.pk}"
    said = text(signed_in_client, ticked["Location"])
    assert "Change – Lose zone b: nodes removed" in said
    assert "Right: there is no node b1." in said
    query = f"left={left.pk}&right={right.pk}"
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"/simulations/compare.csv?{query}").text)))
    assert {row["left"] for row in rows} >= {"b1"}
    document = orjson.loads(signed_in_client.get(f"/simulations/compare.json?{query}").content)
    assert len(document["placements"]) == len(rows)


# -- the list, and who may do what -------------------------------------------------------------------------------------


def test_lists_say_what_was_asked_and_what_filters_hide(shop: Cluster, signed_in_client: Client) -> None:
    done(signed_in_client, MORE)
    ordered(signed_in_client, LOST)

    said = text(signed_in_client, "/simulations/?state=done")

    assert "1 of 2 simulations shown. 1 hidden by: State: Done; Made for: People." in said
    assert "30 of 40 pods placed. 10 newly pending." in said
    assert "It waits for a worker." in text(signed_in_client, "/clusters/shop/simulations/?q=Lose")
    assert "The filters hide every simulation." in text(signed_in_client, "/simulations/?q=nothing")


def test_a_run_that_waits_is_followed_and_cancelled(shop: Cluster, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE)
    page = f"/simulations/{run.pk}/"

    assert "It waits for a worker." in text(signed_in_client, page)
    assert f'data-socket="/ws/simulations/{run.pk}/"' in signed_in_client.get(page).text
    assert "It waits for a worker." in text(signed_in_client, f"{page}progress/")
    assert signed_in_client.get(f"{page}steps/0/").status_code == 404
    signed_in_client.post(f"{page}cancel/")
    assert signed_in_client.get(f"{page}progress/")["HX-Refresh"] == "true"
    assert "Cancelled before it began." in text(signed_in_client, page)
    signed_in_client.post(f"{page}go-on/")
    run.refresh_from_db()
    assert run.state == SimulationRun.State.QUEUED


def test_only_who_ordered_it_or_changes_clusters_may_end_it(shop: Cluster, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE)
    other, staff = Client(), Client()
    other.force_login(User.objects.create_user("other"))
    staff.force_login(User.objects.create_user("chief", is_staff=True))
    page = f"/simulations/{run.pk}/"

    assert other.get(page).status_code == 200
    assert {other.post(f"{page}{what}/").status_code for what in ("cancel", "delete", "go-on")} == {403}
    assert "Cancel</button>" not in other.get(page).text
    assert other.post(f"{page}again/", {"seed": "5"}).status_code == 302, "everybody may simulate"
    assert SimulationRun.objects.latest("pk").spec["seed"] == 5
    assert staff.post(f"{page}delete/").status_code == 302
    assert not SimulationRun.objects.filter(pk=run.pk).exists()
    assert Client().get("/simulations/").status_code == 302, "strangers sign in first"


def test_the_list_says_when_a_user_has_nearly_all_that_is_kept(
    signed_in_client: Client, user: User, settings: Settings
) -> None:
    settings.BERTH_RUN_PODS_PER_USER = 1_000
    run = SimulationRun.objects.create(title="", spec={}, state="done", pods_done=799, created_by=user)
    assert "pods that are kept" not in signed_in_client.get("/simulations/").content.decode()

    SimulationRun.objects.filter(pk=run.pk).update(pods_done=800)

    assert "Your simulations have 800 of the 1\u202f000 pods" in signed_in_client.get("/simulations/").content.decode()

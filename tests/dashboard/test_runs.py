"""Simulations on the web: put together, run, looked at step by step, compared, and ended."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
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
from dashboard.views import run as views_run, runs
from tests.clusters.test_workloads import deployed, zones
from tests.support.mirrored import load, text, words_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NEW = "/clusters/shop/simulations/new"
MORE = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "web", "by": 40}
LOST = {"change": "lose-zone", "zone": "b", "how": "gone"}


@pytest.fixture
def shop(tmp_path: Path) -> None:
    """Four nodes of 4 CPUs in three zones, and a Deployment of which two pods of half a CPU run."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])


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
    shop: None, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert str(NEEDS_SOLVER) not in text(signed_in_client, NEW)
    monkeypatch.setattr(flow, "find_spec", lambda _name: None)

    assert str(NEEDS_SOLVER) in text(signed_in_client, NEW)
    refused = signed_in_client.post(NEW, {"changes": packed([MORE]), "seed": "0", "start": "1", "scheduler": "batch"})
    assert "Install requirements-batch.lock" in refused.text
    assert not SimulationRun.objects.exists()


# -- what came of it ---------------------------------------------------------------------------------------------------


def test_a_run_is_told_and_its_files_hold_the_same(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    page = f"/simulations/{run.pk}/"

    said = text(signed_in_client, page)

    # Four nodes of four CPUs hold 32 pods of half a CPU, and two are there.
    assert "30 of 40 pods placed. 10 newly pending." in said
    assert "10 pods pending: insufficient CPU" in said
    assert "Began with shop at revision 1" in said
    assert "Newly pending pods 0 10 +10" in said
    rows = list(csv.DictReader(io.StringIO(b"".join(_streamed(signed_in_client, f"{page}pods.csv")).decode())))
    assert len(rows) == RunPod.objects.filter(run=run).count() == 40
    left = _streamed(signed_in_client, f"{page}pods.csv?outcome=unschedulable")
    assert len(list(csv.DictReader(io.StringIO(b"".join(left).decode())))) == 10
    document = orjson.loads(signed_in_client.get(f"{page}run.json").content)
    assert document["spec"]["changes"] == [MORE]
    assert document["summary"]["pods"]["unschedulable"] == 10
    filtered = text(signed_in_client, f"{page}?outcome=unschedulable")
    assert "10 of 40 pods shown. 30 hidden by: Outcome: Unschedulable." in filtered


def test_a_run_opens_with_the_map_of_what_it_comes_to(
    shop: None, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drained = done(signed_in_client, {"change": "drain-nodes", "nodes": ["a1"]})
    page, part = f"/simulations/{drained.pk}/", f"/simulations/{drained.pk}/map/"

    first = words_of(signed_in_client.get(page).text)

    # Both pods leave a1, which is empty then, for one or two nodes that were.
    _, found = outcome_of_run(drained)
    filled = len({move.target for move in found.moves})
    assert f"pods move 2 newly pending 0 empty nodes {['±0', '−1'][filled - 1]}" in first
    # Where nothing was refused there is nothing to count.
    assert "not evicted" not in first
    assert first.index("pods move") < first.index("Before and after")
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
    shop: None, signed_in_client: Client
) -> None:
    run = done(signed_in_client, {"change": "remove-nodes", "nodes": ["a1", "a2", "b1", "c1"]})

    said = text(signed_in_client, f"/simulations/{run.pk}/")
    page = signed_in_client.get(f"/simulations/{run.pk}/").text

    assert "2 pods are newly pending. 1 of 1 affected workload runs fewer pods." in said
    assert "No pod left of Deployment shop/web." in said
    assert "2 newly pending, 0 as before" in said
    assert "Newly pending pods 0 2 +2" in said
    assert page.index('id="affected"') < page.index('id="pending-causes"')
    assert 'href="/clusters/shop/workloads/Deployment/shop/web/"' in page
    assert f"/simulations/{run.pk}/?namespace=shop&amp;workload=Deployment%2Fweb#pods" in page
    summary = run.summary or {}
    assert summary["affected"]["pending"] == summary["affected"]["first"][0]["pending"] == 2


def test_pods_workloads_and_nodes_of_a_run_are_links_where_the_cluster_has_them(
    shop: None, signed_in_client: Client
) -> None:
    added = {"change": "add-nodes", "count": 1, "like": "a1", "prefix": "new"}
    run = done(signed_in_client, added, MORE)
    placed = RunPod.objects.filter(run=run, outcome="placed")
    on_added = placed.filter(node_name__startswith="new")[0]

    page = signed_in_client.get(f"/simulations/{run.pk}/?node={on_added.node_name}").text
    known = signed_in_client.get(f"/simulations/{run.pk}/?node=a1").text

    assert f'/simulations/{run.pk}/decisions/{on_added.step}/"' in page
    assert f'/nodes/{on_added.node_name}/"' not in page
    assert '<a href="/clusters/shop/workloads/Deployment/shop/web/">Deployment/web</a>' in known
    assert '<a href="/clusters/shop/nodes/a1/">a1</a>' in known


def _streamed(client: Client, address: str) -> list[bytes]:
    response: Any = client.get(address)
    return list(response.streaming_content)


def test_a_decision_of_a_run_has_the_map_and_what_it_opens(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    stuck = RunPod.objects.filter(run=run, outcome="unschedulable").order_by("step")[0]
    placed = RunPod.objects.filter(run=run, outcome="placed", step__gt=0).order_by("step")[0]
    base = f"/simulations/{run.pk}/decisions"

    page = signed_in_client.get(f"{base}/{placed.step}/")
    assert page.context["map"].found.marks[0].label == f"Placed on {placed.node_name}"
    assert page.context["map"].data["node"] == f"{base}/{placed.step}/why-not/?node="
    assert page.text.count("data-verdict-map") == 1
    nowhere = signed_in_client.get(f"{base}/{stuck.step}/").context["map"].found
    assert {key.source: key.nodes for key in nowhere.keys if key.nodes} == {"NodeResourcesFit": 4}
    assert not nowhere.marks

    lines = signed_in_client.get(f"{base}/{stuck.step}/map/lines/?first=2").json()["lines"]
    assert len(lines) == 2
    assert "cpu" in lines[0].lower()
    assert "Insufficient cpu" in text(signed_in_client, f"{base}/{stuck.step}/why-not/?node=a1")
    assert f'href="/simulations/{run.pk}/nodes/a1/"' in signed_in_client.get(f"{base}/{stuck.step}/nodes/a1/").text
    assert "b1" in text(signed_in_client, f"{base}/{placed.step}/nodes/?node=b")
    assert "Rank" in text(signed_in_client, f"{base}/{placed.step}/scores/")
    assert "Every node" in text(signed_in_client, f"{base}/{placed.step}/map/")
    for address in (f"{base}/{stuck.step}/nodes/none/", f"{base}/{run.steps}/map/", f"{base}/{stuck.step}/scores/"):
        assert signed_in_client.get(address).status_code == 404


def test_nodes_keep_their_place_in_the_picture_at_every_step(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, {**LOST, "how": "unreachable"}, MORE)
    pages = [signed_in_client.get(f"/simulations/{run.pk}/steps/{number}/?shade=state") for number in range(run.steps)]
    maps = [page.context["map"].found for page in pages]

    assert len({each.key_of for each in maps}) > 1, "a zone gets lost meanwhile"
    assert {each.names for each in maps} == {("a1", "a2", "b1", "c1")}
    assert {tuple(pool.nodes for pool in each.pools) for each in maps} == {(2, 1, 1)}


def test_every_step_can_be_looked_at_and_every_decision(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    base = f"/simulations/{run.pk}"
    stuck = RunPod.objects.filter(run=run, outcome="unschedulable").order_by("step")[0]
    placed = RunPod.objects.filter(run=run, outcome="placed").order_by("step")[0]

    first = text(signed_in_client, f"{base}/steps/0/")
    assert f"{placed.namespace}/{placed.name} is placed on {placed.node_name}" in first
    assert "Pods request 1.5 CPU of 16 CPU" in first
    assert "No pod is pending" in first
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
    of_step = signed_in_client.get(f"{base}/steps/?step=3&shade=memory&zone=a")
    assert of_step["Location"] == f"{base}/steps/2/?shade=memory&zone=a"
    assert signed_in_client.get(f"{base}/steps/0/?zone=none").status_code == 404
    found = signed_in_client.get(f"{base}/steps/0/").context["map"].found
    assert [found.names[mark.node] for mark in found.marks] == [placed.node_name]
    assert sum(len(load.pods) for load in found.loads) == 3
    assert not signed_in_client.get(f"{base}/steps/{stuck.step}/").context["map"].found.marks

    why = text(signed_in_client, f"{base}/decisions/{stuck.step}/")
    assert "0/4 nodes are available: 4 Insufficient cpu." in why
    score = text(signed_in_client, f"{base}/decisions/0/nodes/{placed.node_name}/scores/NodeResourcesFit/")
    assert f"NodeResourcesFit on {placed.node_name}:" in score
    assert signed_in_client.get(f"{base}/pods/{stuck.namespace}/{stuck.name}/")["Location"] == (
        f"{base}/decisions/{stuck.step}/"
    )


def test_two_runs_are_compared(shop: None, signed_in_client: Client) -> None:
    left, right = done(signed_in_client, MORE), done(signed_in_client, MORE, LOST)
    ticked = signed_in_client.get(f"/simulations/compare/?run={left.pk}&run={right.pk}")

    assert ticked["Location"] == f"/simulations/compare/?left={left.pk}&right={right.pk}"
    said = text(signed_in_client, ticked["Location"])
    assert "Newly pending: " in said
    assert "Change – Lose zone b: nodes removed" in said
    assert "Right: there is no node b1." in said
    query = f"left={left.pk}&right={right.pk}"
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"/simulations/compare.csv?{query}").text)))
    assert {row["left"] for row in rows} >= {"b1"}
    document = orjson.loads(signed_in_client.get(f"/simulations/compare.json?{query}").content)
    assert len(document["placements"]) == len(rows)
    assert "Choose two" in text(signed_in_client, f"/simulations/compare/?left={left.pk}")


def test_the_last_causes_and_many_pools_are_folded_away(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    summary = run.summary or {}
    summary["pending_causes"] *= 7
    measured = summary["after"]["cluster"]
    measured["pools"] = [{**measured["pools"][0], "name": f"pool-{number}"} for number in range(6)]
    run.save()

    said = text(signed_in_client, f"/simulations/{run.pk}/")

    assert said.count("10 pods pending: insufficient CPU") == 7
    assert "2 more causes, 20 pods" in said
    assert re.search("All [67] pools", said)


def test_resources_stand_in_one_order_whatever_the_database_makes_of_it(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    page = f"/simulations/{run.pk}/"
    # Days ago, so that its age is the same in both answers.
    run.created_at -= timedelta(days=2, hours=12)
    run.save()
    before = text(signed_in_client, page)
    run.summary = turned(run.summary)
    run.save()

    assert text(signed_in_client, page) == before


def turned(value: Any) -> Any:
    """Return a document with the keys of all maps in another order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(each) for each in value] if isinstance(value, list) else value


# -- the list, and who may do what -------------------------------------------------------------------------------------


def test_lists_say_what_was_asked_and_what_filters_hide(shop: None, signed_in_client: Client) -> None:
    done(signed_in_client, MORE)
    ordered(signed_in_client, LOST)

    said = text(signed_in_client, "/simulations/?state=done")

    assert "1 of 2 simulations shown. 1 hidden by: State: Done; Made for: People." in said
    assert "30 of 40 pods placed. 10 newly pending." in said
    assert "It waits for a worker." in text(signed_in_client, "/clusters/shop/simulations/?q=Lose")
    assert "The filters hide every simulation." in text(signed_in_client, "/simulations/?q=nothing")


def test_a_list_reads_no_long_order(shop: None, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ordered(signed_in_client, MORE, title="Mine", seed="41")
    short = text(signed_in_client, "/simulations/")
    monkeypatch.setattr(runs, "_LONGEST_SPEC", 100)
    long = text(signed_in_client, "/simulations/")

    asked = "Add 40 replicas to Deployment shop/web"
    assert (asked in short, asked in long) == (True, False)
    assert "seed 41" in short
    assert "seed 41" in long


def test_a_run_that_waits_is_followed_and_cancelled(shop: None, signed_in_client: Client) -> None:
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


def test_only_who_ordered_it_or_changes_clusters_may_end_it(shop: None, signed_in_client: Client) -> None:
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

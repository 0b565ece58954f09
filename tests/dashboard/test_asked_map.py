"""Changes that are asked on the map of a cluster: what the page says and draws of them, and where it leads."""

from __future__ import annotations

from collections import Counter
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import orjson
import pytest
from django.http import QueryDict

from clusters.models import Cluster, SimulationRun
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.runs.asked import AskedOutcome, outcome_of
from clusters.wording.drains import COUNTS_ALONE
from clusters.wording.lists import first_of
from dashboard.views.asking import asked_of
from tests.clusters.dumps import node as a_node
from tests.clusters.runs.test_question import CLAIMS, adding, manifest
from tests.support.mirrored import load, text, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Entry = dict[str, Any]

HTMX = {"HX-Request": "true", "HX-Target": "map-card"}
PAGE, PART = "/clusters/demo/", "/clusters/demo/map/"
DRAIN: Entry = {"change": "drain-nodes", "nodes": ["general-a-01"]}
COPY: Entry = {"change": "add-nodes", "like": "general-a-01", "count": 1}
ZONE: Entry = {"change": "lose-zone", "zone": "eu-central-1b", "how": "gone"}


def query(*changes: Entry, **others: str) -> str:
    return urlencode([*others.items(), *(("change", orjson.dumps(each).decode()) for each in changes)])


def changes_of(address: str) -> list[Entry]:
    return [orjson.loads(each) for each in parse_qs(urlsplit(address).query).get("change", [])]


def test_the_map_shows_what_becomes_of_every_node(demo: Cluster) -> None:
    found = outcome_of(cluster=demo, changes=[COPY, DRAIN, ZONE])
    assert isinstance(found, AskedOutcome)

    view = asked_of(demo, QueryDict(query(COPY, DRAIN, ZONE))).outcome
    assert view is not None
    shown = view.map.found

    labels = {name: shown.keys[key].label for name, key in zip(shown.names, shown.key_of, strict=True)}
    assert set(labels) == {*snapshot_of(demo).nodes.names, "new-node-1"}
    assert {name for name, label in labels.items() if label == "gone"} == found.gone
    assert labels["general-a-01"] == "drain blocked"
    assert labels["new-node-1"] == "new"
    arrived = {move.target for move in found.moves if move.target}
    assert {name for name, label in labels.items() if label == "receiving pods"} <= arrived
    assert not {name for name, label in labels.items() if label == "as before"} & arrived
    # The arrows are all pods that go from one node to another.
    assert sum(move.pods for move in shown.moves) == sum(bool(move.source and move.target) for move in found.moves)
    assert {move.turn for move in shown.moves} <= set(range(1, len(shown.steps)))


def test_the_page_without_scripts_has_the_answer_and_the_ways_on(demo: Cluster, signed_in_client: Client) -> None:
    page = text(signed_in_client, f"{PAGE}?{query(DRAIN, COPY, lens='drain')}")

    view = asked_of(demo, QueryDict(query(DRAIN, COPY, lens="drain")))
    assert view.outcome is not None
    assert view.outcome.said in page
    # What kubectl does that is not simulated.
    assert view.notes
    assert all(note in page for note in view.notes)
    assert [sentence for sentence, _ in view.changes] == ["Drain nodes: general-a-01", "Add 1 node like general-a-01"]
    assert changes_of(f"?{view.undo}") == [DRAIN]
    assert [changes_of(f"?{without}") for _, without in view.changes] == [[COPY], [DRAIN]]
    assert "lens=drain" in view.undo
    assert view.outcome.moves.rows[0].pod in page


def test_a_drain_names_who_stays_and_puts_other_pods_apart(demo: Cluster, signed_in_client: Client) -> None:
    page = words_of(signed_in_client.get(f"{PART}?{query(DRAIN)}", headers=HTMX).text)

    view = asked_of(demo, QueryDict(query(DRAIN))).outcome
    assert view is not None
    (kept,) = view.kept.rows
    assert f"{kept.pod} {kept.message}" in page
    assert "The disruption budget image-resizer" in kept.message
    assert {move.source for move in view.moves.rows} == {"general-a-01"}
    assert view.moved == view.moves.total == 3
    assert sum(move.pods for move in view.map.found.moves) == 3
    assert view.others.total > 0
    planned = text(signed_in_client, "/clusters/demo/drain/?node=general-a-01")
    assert str(COUNTS_ALONE) in planned
    assert view.preempted
    assert str(COUNTS_ALONE) in page


def test_pods_without_a_node_lead_to_their_pages_with_the_commonest_reason(
    demo: Cluster, signed_in_client: Client
) -> None:
    answer = signed_in_client.get(f"{PART}?{query(ZONE)}", headers=HTMX)

    view = asked_of(demo, QueryDict(query(ZONE))).outcome
    assert view is not None
    left = view.left
    assert left.total == view.pending > len(left.rows)
    page = words_of(answer.text)
    assert f"{left.more} more pods" in page
    # Who gave way to others is told apart from who ran in the zone.
    found = outcome_of(cluster=demo, changes=[ZONE])
    assert isinstance(found, AskedOutcome)
    of_zone = found.ends["origins"]["displaced"]["pending"]
    assert 0 < view.preempted == view.pending - of_zone
    assert f"newly pending {view.pending} of them preempted {view.preempted}" in page


def test_parts_have_the_address_of_their_page(demo: Cluster, signed_in_client: Client) -> None:
    answer = signed_in_client.get(f"{PART}?{query(DRAIN)}", headers=HTMX)
    plain = signed_in_client.get(f"{PART}?{query(DRAIN)}")

    assert changes_of(answer.headers["HX-Push-Url"]) == [DRAIN]
    assert urlsplit(answer.headers["HX-Push-Url"]).path == PAGE
    # What is asked is not drawn anew by what happens to the cluster.
    assert "data-live" not in answer.text
    assert changes_of(plain.headers["Location"]) == [DRAIN]


def test_keeping_it_orders_the_same_changes(demo: Cluster, signed_in_client: Client) -> None:
    view = asked_of(demo, QueryDict(query(DRAIN, COPY)))
    sent = {"changes": view.packed, "base": "cluster", "place": "pending", "scheduler": "pods", "start": "1"}

    answer = signed_in_client.post("/clusters/demo/simulations/new", sent)

    run = SimulationRun.objects.get()
    assert answer.headers["Location"] == f"/simulations/{run.pk}/"
    assert run.spec["changes"] == [DRAIN, COPY]


def test_what_is_not_computed_is_said_beside_the_numbers(tmp_path: Path, signed_in_client: Client) -> None:
    """Claims for devices are not computed without their kinds: no pod with one fits for certain."""
    load(tmp_path, "shop", [a_node("n1")])
    asked = query(adding(manifest("new", "1", resourceClaims=CLAIMS)))

    view = asked_of(Cluster.objects.get(name="shop"), QueryDict(asked))
    page = text(signed_in_client, f"/clusters/shop/?{asked}")

    assert view.outcome is not None
    assert view.outcome.uncertain == 1
    assert "uncertain 1" in page


def test_more_replicas_are_asked_by_a_form(demo: Cluster, signed_in_client: Client) -> None:
    sent = urlencode({"workload": "shop/checkout", "by": "5"})
    answer = signed_in_client.get(f"{PART}?{sent}&{query(DRAIN)}", headers=HTMX)

    scale = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "checkout", "by": 5}
    assert changes_of(answer.headers["HX-Push-Url"]) == [DRAIN, scale]
    assert "Add 5 replicas to Deployment shop/checkout" in answer.text


def test_added_pods_are_answered_first_with_where_they_go(demo: Cluster, signed_in_client: Client) -> None:
    scale = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "checkout", "by": 5}
    view = asked_of(demo, QueryDict(query(scale)))
    page = text(signed_in_client, f"{PAGE}?{query(scale)}")

    assert view.outcome is not None
    targets = Counter(move.target for move in view.outcome.moves.rows if move.target)
    assert (view.outcome.added, view.outcome.placed, view.outcome.moved) == (5, 5, 0)
    assert len(targets) > 1
    most = first_of([name for name, _ in targets.most_common()])
    assert view.outcome.said.startswith(f"Added pods: 5 of 5 placed. On {most}.")
    assert "of 5 added pods placed 5" in page


def test_what_is_wrong_with_more_replicas_stands_at_the_field(demo: Cluster, signed_in_client: Client) -> None:
    for sent, problem in [
        ({"workload": "shop/chekout", "by": "5"}, "Write Deployment shop/checkout."),
        ({"workload": "shop/checkout", "by": "0"}, "Write 1 or more."),
        ({"workload": ""}, "is not like shop/web."),
    ]:
        address = f"{PART}?{urlencode({'lens': 'health'} | sent)}"
        fragment = signed_in_client.get(address, headers=HTMX)
        page = signed_in_client.get(address, follow=True)
        for answer in (fragment, page):
            assert answer.status_code == 200
            form = answer.text.partition('<form class="tray-more"')[2].partition("</form>")[0]
            assert problem in unescape(form)
            assert f'value="{sent["workload"]}"' in form or not sent["workload"]
            assert 'name="lens" value="health"' in form


def test_what_cannot_be_asked_says_why_and_leads_back(demo: Cluster, signed_in_client: Client) -> None:
    for asked, said in [
        (query({"change": "drain-nodes", "nodes": ["nope"]}), "nope"),
        (query({"change": "melt"}), "melt"),
        ("change=not-json", "damaged"),
    ]:
        answer = signed_in_client.get(f"{PAGE}?{asked}")
        assert answer.status_code == 200
        assert said in answer.text
        assert "data-map-undo" in answer.text

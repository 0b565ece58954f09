"""The map of a decision as the journal keeps it, against the map of the explanation that it was written from."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from clusters.documents.writing import Bounds, explanation_document
from clusters.models import Cluster, Decision, Pod
from clusters.services.decisions.explain import explain_pod
from clusters.services.journal.timeline import USUAL, decision_document
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.decisions.maps import verdict_map
from dashboard.presenters.decisions.page import strip
from dashboard.presenters.journal.verdict_map import kept_attempt, kept_map
from tests.clusters.journal.decisions import a_decision
from tests.support.answers import known
from tests.support.decision_cluster import text

if TYPE_CHECKING:
    from django.test import Client

    from clusters.documents.explanation import ExplanationDocument
    from clusters.engine import Explanation
    from dashboard.pictures.verdict_map.spec import MapPool, VerdictMap

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PODS = ("plain", "huge", "web-2")
# What a document holds of a large cluster, and of one of very many zones.
COUNTED, OF_MANY_ZONES = replace(USUAL, pools=0), replace(USUAL, pools=None)


def explained(cluster: Cluster, name: str) -> Explanation:
    return explain_pod(cluster=cluster, namespace="shop", name=name)


def kept(document: ExplanationDocument, own: str = "") -> VerdictMap:
    return known(kept_map(document, kept_attempt(document), own))


def looks(found: VerdictMap) -> dict[str, tuple[Any, ...]]:
    """Return by node its key in words, who says so, its colour and sign, and its shade where that counts."""
    keys = [found.keys[number] for number in found.key_of]
    return {
        name: (key.label, key.source, key.colour, key.mark, shade if key.is_shaded else 0)
        for name, key, shade in zip(found.names, keys, found.shade_of, strict=True)
    }


def sources(found: VerdictMap, pool: MapPool) -> Counter[str]:
    """Count the nodes of a pool by who rejects them."""
    return Counter(found.keys[number].source for number in found.key_of[pool.places.start : pool.places.stop])


@pytest.mark.parametrize("name", PODS)
def test_named_nodes_look_as_they_did_when_it_was_decided(cluster: Cluster, name: str) -> None:
    explanation = explained(cluster, name)

    then = kept(decision_document(explanation, None))
    now = verdict_map(explanation, strip(explanation))

    assert looks(then) == looks(now)
    assert then.pools == now.pools
    filters = [(step.name, step.words, step.fill) for step in now.steps if step.point == "Filter"]
    assert [(step.name, step.words, step.fill) for step in then.steps if step.point == "Filter"] == filters


@pytest.mark.parametrize("name", PODS)
def test_counted_nodes_are_bars_of_the_same_pools(cluster: Cluster, name: str) -> None:
    explanation = explained(cluster, name)
    then, now = kept(explanation_document(explanation, COUNTED)), verdict_map(explanation, strip(explanation))

    assert DrawnMap(id="map", found=then).has_bars
    assert then.pools == now.pools
    for pool in then.pools:
        assert sources(then, pool) == sources(now, pool)
    assert not DrawnMap(id="map", found=then).openings


def test_of_very_many_zones_all_nodes_are_one_bar(cluster: Cluster) -> None:
    document = explanation_document(explained(cluster, "huge"), OF_MANY_ZONES)
    assert document.pools is UNSET

    found = kept(document)

    assert [(pool.zone, pool.name, pool.nodes) for pool in found.pools] == [("", "", 6)]
    assert sum(key.nodes for key in found.keys) == 6
    assert DrawnMap(id="map", found=found).wide


def test_what_the_api_lists_has_no_nodes_by_pool(cluster: Cluster) -> None:
    assert explanation_document(explained(cluster, "plain"), Bounds()).pools is UNSET


def test_a_node_opens_to_what_is_kept_of_it(cluster: Cluster, signed_in_client: Client) -> None:
    pod = Pod.objects.get(cluster=cluster, name="web-2")
    document = decision_document(explained(cluster, "web-2"), pod.node_name)
    decision = a_decision(
        cluster, "web-2", node_name=pod.node_name, pod_uid=pod.uid, explanation=document, kind=Decision.Kind.BOUND
    )
    address = f"/clusters/shop/journal/{decision.pk}/"

    for page in (signed_in_client.get(address), signed_in_client.get("/clusters/shop/pods/shop/web-2/")):
        assert page.context["map"].data["node"] == f"{address}node/?node="
        assert [mark.label for mark in page.context["map"].found.marks] == [f"Decided for: {pod.node_name}"]
        assert page.text.count("data-verdict-map") == 1
    chosen = text(signed_in_client.get(f"{address}node/?node={pod.node_name}"))
    assert f"{document.nodes[pod.node_name].total} points" in chosen
    assert document.pools is not UNSET
    rejected = next(
        name for pool in document.pools if pool.nodes is not UNSET for name, said in pool.nodes.items()
        if isinstance(said, str)
    )  # fmt: skip
    assert "One of " in text(signed_in_client.get(f"{address}node/?node={rejected}"))
    assert signed_in_client.get(f"{address}node/?node=none").status_code == 404


def test_names_go_before_a_document_grows_too_long(cluster: Cluster) -> None:
    whole = decision_document(explained(cluster, "huge"), None)
    assert whole.pools is not UNSET
    assert len(msgspec.json.encode(whole)) < 20_000
    assert all(pool.nodes is not UNSET and len(pool.nodes) == pool.count for pool in whole.pools)

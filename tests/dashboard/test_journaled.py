"""The page of one decision: the sentence, both messages, what was computed, and what it leads to."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from clusters.documents.explanation import StatusDocument
from clusters.engine.status import Code
from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import decision_document
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster, a_pod
from tests.engine.builders import a_node, a_pod as a_pod_object, explanation_of
from tests.support.mirrored import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason
JOURNAL = "/clusters/prod/journal/"


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster(source=Cluster.Source.LIVE)


def nodes(*cpus: str) -> list[dict[str, Any]]:
    return [a_node(f"n{number}", allocatable={"cpu": cpu}) for number, cpu in enumerate(cpus)]


def test_a_lower_score_is_explained_with_the_points_of_each_plugin(signed_in_client: Client, cluster: Cluster) -> None:
    document = decision_document(explanation_of(a_pod_object(requests={"cpu": "1"}), *nodes("4", "8")), "n0")
    decision = a_decision(
        cluster, node_name="n0", explanation=document, verdict=Verdict.DISAGREES, reason=Reason.LOWER_SCORE
    )
    best, chosen = document.ranking[0], document.nodes["n0"]
    points = {plugin: best.scores[plugin].weighted - score.weighted for plugin, score in chosen.scores.items()}

    words = text(signed_in_client, f"{JOURNAL}{decision.pk}/")

    page = signed_in_client.get(f"{JOURNAL}{decision.pk}/").text
    assert "Node<wbr>Resources<wbr>Balanced<wbr>Allocation" in page, "a column per plugin fits a window of 1280 px"
    assert f"to n0. n1 has a higher total than n0 ({best.total}, not {chosen.total}). n1 is ahead by " in words
    assert f"+{points['NodeResourcesFit']} from NodeResourcesFit" in words
    assert sum(points.values()) == best.total - (chosen.total or 0)
    assert "chosen by the scheduler" in words
    assert "Judged on the state just before." in words


def test_sentences_about_a_decision(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explanation_of(a_pod_object(requests={"cpu": "1"}), *nodes("4", "8", "500m"))

    cases: list[tuple[dict[str, Any], str]] = [
        ({"node_name": "n1"}, "The highest total is"),
        (
            {"node_name": "n2", "verdict": Verdict.DISAGREES, "reason": Reason.INFEASIBLE},
            "n2 rejects the pod: insufficient CPU. The pod fits on 2 of 3 nodes.",
        ),
        (
            {"node_name": "gone", "verdict": Verdict.DISAGREES, "reason": Reason.INFEASIBLE},
            "The state it was judged on has no node gone.",
        ),
        (
            {"kind": Kind.UNSCHEDULABLE, "node_name": "", "verdict": Verdict.DISAGREES, "reason": Reason.FITS},
            "The scheduler found no node for shop/web-1. The pod fits on 2 of 3 nodes.",
        ),
        (
            {"node_name": "n0", "verdict": Verdict.DISAGREES, "reason": Reason.EXTENDER},
            "An extender takes part; its answer cannot be known.",
        ),
        (
            {"verdict": Verdict.UNJUDGED, "reason": Reason.GAP, "basis": None},
            "Berth did not follow the cluster at that moment.",
        ),
        ({"kind": Kind.NOMINATED}, "The highest total is"),
        ({"verdict": Verdict.WAITING, "basis": None}, "Berth compares it in a moment."),
        (
            {"kind": Kind.GATED, "node_name": "", "verdict": Verdict.UNJUDGED, "reason": Reason.NO_DECISION},
            "Scheduling gates keep shop/web-1 out of the queue.",
        ),
        (
            {"basis": {"state": "nearby", "behind": 2, "ahead": 1, "milliseconds": 140}, "node_name": "n1"},
            "140 ms from the one just before, where the answer differs: 2 changes fewer, 1 more.",
        ),
    ]
    for fields, said in cases:
        node = fields.get("node_name", "n1") or None
        decision = a_decision(cluster, **fields, explanation=decision_document(explanation, node))
        assert said in text(signed_in_client, f"{JOURNAL}{decision.pk}/")


def test_messages_that_differ_stand_side_by_side_with_the_difference_marked(
    signed_in_client: Client, cluster: Cluster
) -> None:
    explanation = explanation_of(a_pod_object(requests={"cpu": "9"}), *nodes("4", "8"))
    assert explanation.message
    message = explanation.message.replace("2 Insufficient cpu", "1 Insufficient cpu, 1 node(s) were unschedulable")
    decision = a_decision(
        cluster, kind=Kind.UNSCHEDULABLE, node_name="", message=message, verdict=Verdict.DISAGREES,
        reason=Reason.OTHER_MESSAGE, explanation=decision_document(explanation, None),
    )  # fmt: skip

    html = signed_in_client.get(f"{JOURNAL}{decision.pk}/").text

    assert '<mark class="differs">1 Insufficient cpu, 1 node(s) were unschedulable. </mark>no new' in html
    assert '<mark class="differs">2 Insufficient cpu. </mark>no new' in html
    assert '<mark class="differs">0/2' not in html


def test_nomination_preemptor_and_victims_are_linked(signed_in_client: Client, cluster: Cluster) -> None:
    victim_object = a_pod_object("low", node="n0", requests={"cpu": "4"})
    explanation = explanation_of(a_pod_object(requests={"cpu": "4"}, priority=10), *nodes("4"), victim_object)
    nominated = a_decision(
        cluster, "urgent", kind=Kind.NOMINATED, node_name="n0", explanation=decision_document(explanation, "n0")
    )
    victim = a_decision(
        cluster, "low", kind=Kind.PREEMPTED, node_name="n0", preemptor_uid="uid-urgent", preemptor_namespace="shop",
        preemptor_name="urgent", verdict=Verdict.UNJUDGED, reason=Reason.NO_DECISION,
    )  # fmt: skip
    bound = a_decision(cluster, "urgent", node_name="n0", ago=timedelta(minutes=1))

    page = signed_in_client.get(f"{JOURNAL}{nominated.pk}/").text
    victims_page = signed_in_client.get(f"{JOURNAL}{victim.pk}/").text

    assert "Removing 1 pod of lower priority from n0 makes room." in page
    assert f'href="{JOURNAL}{victim.pk}/"' in page
    assert f'href="{JOURNAL}{bound.pk}/"' in page
    assert page.index("Nominated to n0") < page.index("Bound to n0")
    assert "on n0 for shop/urgent" in victims_page
    assert f'href="{JOURNAL}{bound.pk}/"' in victims_page


def test_pod_is_linked_while_it_is_the_same_one(signed_in_client: Client, cluster: Cluster) -> None:
    a_pod(cluster, "web-1", uid="uid-web-1")
    a_pod(cluster, "web-2", uid="another")
    pages = {
        name: text(signed_in_client, f"{JOURNAL}{a_decision(cluster, name).pk}/")
        for name in ("web-1", "web-2", "web-3")
    }

    assert "shop/web-1, as it is now" in pages["web-1"]
    assert "shop/web-2, deleted; another pod has its name" in pages["web-2"]
    assert "shop/web-3, deleted" in pages["web-3"]


def test_other_clusters_decision_is_not_found(signed_in_client: Client, cluster: Cluster) -> None:
    decision = a_decision(a_cluster("other"))

    assert signed_in_client.get(f"{JOURNAL}{decision.pk}/").status_code == 404


HOSTILE = "<script>alert(1)</script>\"'&"


def test_hostile_text_is_shown_as_text(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explanation_of(a_pod_object(requests={"cpu": "9"}), *nodes("4"))
    document = decision_document(explanation, HOSTILE)
    hostile = StatusDocument(code=Code.UNSCHEDULABLE, reasons=(HOSTILE,))
    group = replace(document.groups[0], filters={HOSTILE: hostile}, examples=(HOSTILE,))
    document = replace(document, message=HOSTILE, groups=(group,), unknown_plugins=(HOSTILE,))
    fields: dict[str, Any] = dict.fromkeys(
        ("name", "namespace", "pod_uid", "owner_kind", "owner_name", "scheduler_name", "node_name", "message",
         "preemptor_uid", "preemptor_namespace", "preemptor_name"), HOSTILE,
    )  # fmt: skip
    event = dict.fromkeys(("reason", "note", "component", "time"), HOSTILE)
    decisions = [
        a_decision(cluster, **fields, kind=kind, event=event, explanation=document, verdict=verdict, reason=reason)
        for kind in Kind
        for verdict, reason in ((Verdict.DISAGREES, Reason.OTHER_MESSAGE), (Verdict.AGREES, ""))
    ]

    for address in (JOURNAL, "/agreement/", *(f"{JOURNAL}{decision.pk}/" for decision in decisions)):
        html = signed_in_client.get(address).text
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)" in html


LOOKED_AT = {"first": "n005", "last": "n009", "likely": 80, "possibly": 110}


def test_the_nodes_that_were_looked_at_are_told(signed_in_client: Client, cluster: Cluster) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        (
            {"places": 200, "is_expected": True, "looked_at": LOOKED_AT},
            "Where its search began is not known: too few earlier decisions were observed.",
        ),
        (
            {"places": 12, "is_expected": True, "is_followed": False, "looked_at": LOOKED_AT},
            "is not known: earlier decisions do not prove the order of nodes.",
        ),
        (
            {"places": 12, "is_expected": True, "is_followed": True, "looked_at": LOOKED_AT},
            "n005 to n009. It most likely looked at 80 of 200 nodes, at most 110.",
        ),
        (
            {"places": 3, "is_expected": True, "is_followed": True, "looked_at": {**LOOKED_AT, "last": "n005"}},
            "Its search began at n005. It most likely looked at 80 of 200 nodes, at most 110.",
        ),
        (
            {
                "places": 3,
                "is_expected": True,
                "is_followed": True,
                "looked_at": {**LOOKED_AT, "last": "n005", "likely": 110},
            },
            "Its search began at n005. It looked at 110 of 200 nodes.",
        ),
        (
            {"places": 3, "is_expected": False, "is_followed": True, "looked_at": None},
            "in 3 of 200 places, from which this choice was not to be expected.",
        ),
    ]
    for search, said in cases:
        basis = {"state": "before", "ahead": 0, "behind": 0, "milliseconds": 0, "search": {"nodes": 200, **search}}
        decision = a_decision(cluster, basis=basis)
        assert said in text(signed_in_client, f"{JOURNAL}{decision.pk}/")


def test_agreement_by_where_the_search_began_names_the_better_node(signed_in_client: Client, cluster: Cluster) -> None:
    document = decision_document(explanation_of(a_pod_object(requests={"cpu": "1"}), *nodes("4", "8")), "n0")
    decision = a_decision(cluster, node_name="n0", explanation=document, reason=Reason.SEARCH)

    words = text(signed_in_client, f"{JOURNAL}{decision.pk}/")

    assert f"n1 has a higher total than n0 ({document.ranking[0].total}, not" in words
    assert "By where earlier searches ended, n0 is the best of the" in words
    assert "nominated" not in words
    assert "By where its search began" in text(signed_in_client, JOURNAL)


def test_a_sampled_agreement_says_what_the_search_could_not_see(signed_in_client: Client, cluster: Cluster) -> None:
    every = [a_node(f"n{number:03d}", allocatable={"cpu": "9" if number == 7 else "8"}) for number in range(120)]
    document = decision_document(explanation_of(a_pod_object(requests={"cpu": "1"}), *every), "n100")
    decision = a_decision(cluster, node_name="n100", verdict=Verdict.SAMPLED, explanation=document)

    words = text(signed_in_client, f"{JOURNAL}{decision.pk}/")

    assert "The pod fits on 120 of 120 nodes. n007 has a higher total than n100 (" in words
    assert "The search ends after 100 feasible nodes" in words

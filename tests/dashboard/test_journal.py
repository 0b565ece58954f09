"""The journal's pages: the timeline with its filters, one decision, and the file."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import Cluster, Decision
from clusters.services.journal.document import decision_document
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster, a_pod
from tests.engine.builders import a_node, explanation_of
from tests.engine.builders import a_pod as a_pod_object
from tests.support.mirrored import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason
JOURNAL = "/clusters/prod/journal/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster(source=Cluster.Source.LIVE)


def listed(html: str) -> list[str]:
    """Return the pods of a list in their order."""
    return [part.partition("</a>")[0].strip() for part in html.split("/</span>")[1:]]


def streamed(client: Client, address: str) -> list[list[str]]:
    response = client.get(address)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    content = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    return list(csv.reader(io.StringIO(content, newline="")))


# -- the timeline ------------------------------------------------------------------------------------------------------


def test_newest_decisions_come_first(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster, "old", ago=timedelta(hours=3))
    a_decision(cluster, "new")
    a_decision(a_cluster("other"), "foreign")

    html = signed_in_client.get(JOURNAL).text

    assert listed(html) == ["new", "old"]
    assert "2 decisions." in html
    assert "2 decisions in the last 24 hours: 2 agreed with." in html


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("q=eb-", ["web-1"]),
        ("q=shop/eb-", ["web-1"]),
        ("q=ops/eb-", []),
        ("q=Insufficient", ["big"]),
        ("kind=unschedulable", ["big"]),
        ("verdict=disagrees", ["odd"]),
        ("reason=lower-score", ["odd"]),
        ("namespace=ops", ["odd"]),
        ("workload=queue", ["odd"]),
        ("workload=StatefulSet/queue", ["odd"]),
        ("workload=Job/queue", []),
        ("node=n7", ["odd"]),
        ("node=n", []),
        ("since=2026-03-01T12:00&until=2026-03-01T13:00", ["past"]),
        ("until=2026-03-01T13:00", ["past"]),
        ("kind=bound&verdict=agrees&node=n1", ["web-1", "past"]),
    ],
)
def test_filter_hides_the_rest_and_says_so(
    signed_in_client: Client, cluster: Cluster, query: str, left: list[str]
) -> None:
    a_decision(cluster, "past", heard_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    a_decision(
        cluster, "odd", namespace="ops", node_name="n7", owner_kind="StatefulSet", owner_name="queue",
        verdict=Verdict.DISAGREES, reason=Reason.LOWER_SCORE, ago=timedelta(minutes=9),
    )  # fmt: skip
    message = "0/3 nodes are available: 3 Insufficient cpu."
    a_decision(cluster, "big", kind=Kind.UNSCHEDULABLE, node_name="", message=message, ago=timedelta(minutes=8))
    a_decision(cluster, "web-1")

    html = signed_in_client.get(f"{JOURNAL}?{query}").text

    assert listed(html) == left
    assert f"{len(left)} of 4 decisions." in html
    assert f"{4 - len(left)} decisions hidden by the filters: " in html


def test_value_that_is_not_offered_filters_nothing(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster)

    assert listed(signed_in_client.get(f"{JOURNAL}?verdict=bogus&since=yesterday&older=x&newer=9-").text) == ["web-1"]


def test_pages_stay_where_they_are_while_decisions_come(signed_in_client: Client, cluster: Cluster) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    # Many of the same moment, so that the place among them counts too.
    for number in range(120):
        a_decision(cluster, f"p{number:03d}", heard_at=moment + timedelta(minutes=number // 60))
    first = signed_in_client.get(JOURNAL)
    older = first.context["page"].older
    a_decision(cluster, "late")

    second = signed_in_client.get(f"{JOURNAL}?older={older}")
    third = signed_in_client.get(f"{JOURNAL}?older={second.context['page'].older}")
    back = signed_in_client.get(f"{JOURNAL}?newer={third.context['page'].newer}")

    pages = [listed(response.text) for response in (first, second, third)]
    assert [name for page in pages for name in page] == [f"p{number:03d}" for number in range(119, -1, -1)]
    assert listed(back.text) == pages[1]
    assert third.context["page"].older == ""
    assert first.context["page"].newer == ""
    assert back.context["page"].newer
    assert listed(signed_in_client.get(f"{JOURNAL}?newer={back.context['page'].newer}").text) == pages[0]
    assert f'href="?older={older}"' in first.text


def test_number_of_queries_does_not_grow_with_decisions(signed_in_client: Client, cluster: Cluster) -> None:
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert signed_in_client.get(address).status_code == 200
        return len(captured)

    decision = a_decision(cluster, "web-1", ago=timedelta(hours=1))
    addresses = (f"{JOURNAL}?q=w", f"{JOURNAL}{decision.pk}/", "/agreement/", "/clusters/prod/", "/clusters/")
    few = [queries(address) for address in addresses]
    for number in range(40):
        a_decision(cluster, "web-1", ago=timedelta(minutes=number))
        a_decision(cluster, f"odd-{number}", verdict=Verdict.DISAGREES, reason=Reason.FITS, pod_uid=f"odd-{number}")

    assert [queries(address) for address in addresses] == few
    assert max(few) <= 18


def test_fragment_holds_results_only(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster)

    fragment = signed_in_client.get(JOURNAL, headers=HTMX)

    assert "<html" not in fragment.text
    assert listed(fragment.text) == ["web-1"]


def test_empty_journal_says_how_to_get_decisions(signed_in_client: Client, cluster: Cluster) -> None:
    a_cluster("dumped")

    assert "No decision heard of yet" in signed_in_client.get(JOURNAL).text
    dumped = signed_in_client.get("/clusters/dumped/journal/").text
    assert "while Berth follows a live cluster" in dumped
    assert 'href="/follow/"' in dumped


def test_stretches_without_decisions_are_drawn_too(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster, heard_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    a_decision(cluster, heard_at=datetime(2026, 3, 1, 15, 0, tzinfo=UTC), verdict=Verdict.DISAGREES, reason="fits")

    figure = signed_in_client.get(f"{JOURNAL}?since=2026-03-01T12:00&until=2026-03-01T16:00").context["figure"]

    assert figure.summary == "2 decisions in the time asked for: 1 agreed with and 1 disagreed with."
    assert [trace["y"] for trace in figure.data] == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert figure.rows == [("2026-03-01 12:00", "1", "0"), ("2026-03-01 15:00", "0", "1")]


def test_a_long_time_is_drawn_by_day_across_the_change_of_clocks(
    signed_in_client: Client, cluster: Cluster, settings: Any
) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    a_decision(cluster, heard_at=datetime(2026, 3, 29, 12, tzinfo=UTC))

    figure = signed_in_client.get(f"{JOURNAL}?since=2026-03-27T00:00&until=2026-04-02T00:00").context["figure"]

    assert figure.data[0]["x"] == ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31", "2026-04-01"]
    assert figure.data[0]["y"] == [0, 0, 1, 0, 0, 0]


# -- one decision ------------------------------------------------------------------------------------------------------


def nodes(*cpus: str) -> list[dict[str, Any]]:
    return [a_node(f"n{number}", allocatable={"cpu": cpu}) for number, cpu in enumerate(cpus)]


def test_a_lower_score_is_explained_with_the_points_of_each_plugin(signed_in_client: Client, cluster: Cluster) -> None:
    document = decision_document(explanation_of(a_pod_object(requests={"cpu": "1"}), *nodes("4", "8")), "n0")
    decision = a_decision(
        cluster, node_name="n0", explanation=document, verdict=Verdict.DISAGREES, reason=Reason.LOWER_SCORE
    )
    best, chosen = document["best"], document["chosen"]
    points = {
        plugin: document["ranking"][0]["scores"][plugin][2] - score[2] for plugin, score in chosen["scores"].items()
    }

    words = text(signed_in_client, f"{JOURNAL}{decision.pk}/")

    assert f"The scheduler chose n0 (total {chosen['total']}); Berth finds n1 (total {best['total']}) better" in words
    assert f"+{points['NodeResourcesFit']} from NodeResourcesFit" in words
    assert sum(points.values()) == best["total"] - chosen["total"]
    assert "chosen by the scheduler" in words
    assert "Judged on the cluster's state just before the decision." in words


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"node_name": "n1"}, "Berth agrees: of the 2 nodes that it fits on, n1 has the highest total"),
        (
            {"node_name": "n2", "verdict": Verdict.DISAGREES, "reason": Reason.INFEASIBLE},
            "Berth finds that it does not fit on n2, which lacks CPU. It fits on 2 of 3 nodes; best is n1",
        ),
        (
            {"node_name": "gone", "verdict": Verdict.DISAGREES, "reason": Reason.INFEASIBLE},
            "Berth does not know gone: the state that it judged by has no such node.",
        ),
        (
            {"kind": Kind.UNSCHEDULABLE, "node_name": "", "verdict": Verdict.DISAGREES, "reason": Reason.FITS},
            "The scheduler found no node for shop/web-1. Berth disagrees. It fits on 2 of 3 nodes; best is n1",
        ),
        (
            {"node_name": "n0", "verdict": Verdict.DISAGREES, "reason": Reason.EXTENDER},
            "An extender has a say in it, and what it answers cannot be known.",
        ),
        (
            {"verdict": Verdict.UNJUDGED, "reason": Reason.GAP, "basis": None},
            "Berth does not judge it: Berth did not see the state just before",
        ),
        ({"verdict": Verdict.WAITING, "basis": None}, "Berth has not compared it with its own answer yet"),
        (
            {"kind": Kind.GATED, "node_name": "", "verdict": Verdict.UNJUDGED, "reason": Reason.NO_DECISION},
            "Scheduling gates hold shop/web-1 back",
        ),
        (
            {"basis": {"state": "nearby", "behind": 2, "ahead": 1, "milliseconds": 140}, "node_name": "n1"},
            "without the last 2 changes before the decision and with 1 change from after it, 140 ms away",
        ),
    ],
)
def test_sentences_about_a_decision(
    signed_in_client: Client, cluster: Cluster, fields: dict[str, Any], said: str
) -> None:
    explanation = explanation_of(a_pod_object(requests={"cpu": "1"}), *nodes("4", "8", "500m"))
    node = fields.get("node_name", "n1") or None
    decision = a_decision(cluster, **fields, explanation=decision_document(explanation, node))

    assert said in text(signed_in_client, f"{JOURNAL}{decision.pk}/")


def test_a_sampled_agreement_says_what_the_search_could_not_see(signed_in_client: Client, cluster: Cluster) -> None:
    every = [a_node(f"n{number:03d}", allocatable={"cpu": "9" if number == 7 else "8"}) for number in range(120)]
    document = decision_document(explanation_of(a_pod_object(requests={"cpu": "1"}), *every), "n100")
    decision = a_decision(cluster, node_name="n100", verdict=Verdict.SAMPLED, explanation=document)

    words = text(signed_in_client, f"{JOURNAL}{decision.pk}/")

    assert "Of the 120 nodes that it fits on, n007 (total" in words
    assert "But the scheduler stops looking after 100 of them" in words


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


def test_same_message_is_shown_once(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explanation_of(a_pod_object(requests={"cpu": "9"}), *nodes("4", "8"))
    assert explanation.message
    decision = a_decision(
        cluster, kind=Kind.UNSCHEDULABLE, node_name="", message=explanation.message,
        explanation=decision_document(explanation, None), attempts=3,
    )  # fmt: skip

    words = text(signed_in_client, f"{JOURNAL}{decision.pk}/")

    assert words.count(explanation.message) == 1
    assert "The scheduler found no node for shop/web-1, 3 times in a row." in words
    assert "for the same reasons, letter for letter" in words


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
    assert page.index("Nominated for n0") < page.index("Placed on n0")
    assert "to make room for shop/urgent" in victims_page
    assert f'href="{JOURNAL}{bound.pk}/"' in victims_page


def test_pod_is_linked_while_it_is_the_same_one(signed_in_client: Client, cluster: Cluster) -> None:
    a_pod(cluster, "web-1", uid="uid-web-1")
    a_pod(cluster, "web-2", uid="another")
    pages = {
        name: text(signed_in_client, f"{JOURNAL}{a_decision(cluster, name).pk}/")
        for name in ("web-1", "web-2", "web-3")
    }

    assert "shop/web-1 , as it is now" in pages["web-1"]
    assert "shop/web-2, which is gone; another pod has its name now" in pages["web-2"]
    assert "shop/web-3, which is gone" in pages["web-3"]


def test_event_is_kept(signed_in_client: Client, cluster: Cluster) -> None:
    event = {
        "reason": "Scheduled", "note": "Successfully assigned shop/web-1 to n1", "component": "default-scheduler",
        "time": "2026-03-01T12:00:00+00:00",
    }  # fmt: skip
    decision = a_decision(cluster, event=event)

    assert "Scheduled by default-scheduler 2026-03-01T12:00:00+00:00 Successfully assigned shop/web-1 to n1" in text(
        signed_in_client, f"{JOURNAL}{decision.pk}/"
    )


def test_other_clusters_decision_is_not_found(signed_in_client: Client, cluster: Cluster) -> None:
    decision = a_decision(a_cluster("other"))

    assert signed_in_client.get(f"{JOURNAL}{decision.pk}/").status_code == 404


HOSTILE = "<script>alert(1)</script>\"'&"


def test_hostile_text_is_shown_as_text(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explanation_of(a_pod_object(requests={"cpu": "9"}), *nodes("4"))
    document = decision_document(explanation, HOSTILE)
    document["message"] = HOSTILE
    document["groups"][0]["filters"] = {HOSTILE: [HOSTILE]}
    document["groups"][0]["examples"] = [HOSTILE]
    document["unknownPlugins"] = [HOSTILE]
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


# -- the file ----------------------------------------------------------------------------------------------------------


def test_file_holds_every_decision_that_the_filter_lets_through(signed_in_client: Client, cluster: Cluster) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    rows = [a_decision(cluster, f"p{number}", heard_at=moment) for number in range(3)]
    Decision.objects.bulk_create(
        Decision(cluster=cluster, kind=Kind.BOUND, pod_uid=str(number), namespace="many", name="x", heard_at=moment,
                 last_heard_at=moment, resource_version=str(number))
        for number in range(2_500)
    )  # fmt: skip

    header, *found = streamed(signed_in_client, f"{JOURNAL}decisions.csv?namespace=shop")

    assert [row[header.index("pod")] for row in found] == ["p2", "p1", "p0"]
    assert [int(row[0]) for row in found] == [row.pk for row in reversed(rows)]
    assert found[0][header.index("heard at")] == "2026-03-01T12:00:00+00:00"
    assert found[0][header.index("judged on")] == "before"
    everything = streamed(signed_in_client, f"{JOURNAL}decisions.csv")
    assert len({row[0] for row in everything[1:]}) == len(everything) - 1 == 2_503


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_file_is_a_formula(signed_in_client: Client, cluster: Cluster, start: str) -> None:
    a_decision(cluster, f"{start}1", message=f"{start}cmd|' /C calc'!A0", kind=Kind.UNSCHEDULABLE)

    header, row = streamed(signed_in_client, f"{JOURNAL}decisions.csv")

    assert row[header.index("pod")] == f"'{start}1"
    assert row[header.index("message")].startswith(f"'{start}")

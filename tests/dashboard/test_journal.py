"""The journal's pages: the timeline with its filters, one decision, and the file."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient

from clusters.models import Cluster, Decision
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = pytest.mark.django_db

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason
JOURNAL = "/clusters/prod/journal/"


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
    assert re.search(r"2 decisions in the 24 hours before [\d:]{8} UTC: 2 agreed with\.", html)


def test_filter_hides_the_rest_and_says_so(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster, "past", heard_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    a_decision(
        cluster, "odd", namespace="ops", node_name="n7", owner_kind="StatefulSet", owner_name="queue",
        verdict=Verdict.DISAGREES, reason=Reason.LOWER_SCORE, ago=timedelta(minutes=9),
    )  # fmt: skip
    message = "0/3 nodes are available: 3 Insufficient cpu."
    a_decision(cluster, "big", kind=Kind.UNSCHEDULABLE, node_name="", message=message, ago=timedelta(minutes=8))
    a_decision(cluster, "web-1")

    for query, left in [
        ("q=eb-", ["web-1"]),
        ("q=shop/eb-", ["web-1"]),
        ("q=ops/eb-", []),
        ("q=Insufficient", ["big"]),
        ("kind=unschedulable", ["big"]),
        ("verdict=disagrees", ["odd"]),
        ("reason=lower-score", ["odd"]),
        ("workload=queue", ["odd"]),
        ("workload=StatefulSet/queue", ["odd"]),
        ("workload=Job/queue", []),
        ("node=n7", ["odd"]),
        ("node=n", []),
        ("since=2026-03-01T12:00&until=2026-03-01T13:00", ["past"]),
        ("until=2026-03-01T13:00", ["past"]),
        ("kind=bound&verdict=agrees&node=n1", ["web-1", "past"]),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=ops", ["odd"]),
    ]:
        html = signed_in_client.get(f"{JOURNAL}?{query}").text
        assert listed(html) == left
        assert f"{len(left)} of 4 decisions shown." in html
        assert f"{4 - len(left)} hidden by: " in html


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


def test_stretches_without_decisions_are_drawn_too(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster, heard_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    a_decision(cluster, heard_at=datetime(2026, 3, 1, 15, 0, tzinfo=UTC), verdict=Verdict.DISAGREES, reason="fits")

    figure = signed_in_client.get(f"{JOURNAL}?since=2026-03-01T12:00&until=2026-03-01T16:00").context["figure"]

    assert figure.summary == "2 decisions: 1 agreed with and 1 disagreed with."
    assert figure.spec.values == ((1, 0, 0, 0), (0, 0, 0, 1))
    chart = signed_in_client.get(figure.address).json()
    assert [trace["y"] for trace in chart["data"]] == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert chart["data"][0]["x"][0] == "2026-03-01 12:00"
    assert figure.rows == [("2026-03-01 12:00", "1", "0"), ("2026-03-01 15:00", "0", "1")]


def test_a_long_time_is_drawn_by_day_across_the_change_of_clocks(
    signed_in_client: Client, cluster: Cluster, settings: Any
) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    a_decision(cluster, heard_at=datetime(2026, 3, 29, 12, tzinfo=UTC))

    figure = signed_in_client.get(f"{JOURNAL}?since=2026-03-27T00:00&until=2026-04-02T00:00").context["figure"]

    assert figure.spec.starts == ("2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31", "2026-04-01")
    assert figure.spec.values == ((0, 0, 1, 0, 0, 0),)


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
    assert found[0][header.index("observed at")] == "2026-03-01T12:00:00Z"
    assert found[0][header.index("judged on")] == "before"
    everything = streamed(signed_in_client, f"{JOURNAL}decisions.csv")
    assert len({row[0] for row in everything[1:]}) == len(everything) - 1 == 2_503


def test_no_cell_of_the_file_is_a_formula(signed_in_client: Client, cluster: Cluster) -> None:
    for start in ["=", "+", "-", "@", "\t", "\r"]:
        a_decision(cluster, f"{start}1", message=f"{start}cmd|' /C calc'!A0", kind=Kind.UNSCHEDULABLE)
        header, row, *_ = streamed(signed_in_client, f"{JOURNAL}decisions.csv")
        assert row[header.index("pod")] == f"'{start}1"
        assert row[header.index("message")].startswith(f"'{start}")


@pytest.mark.django_db(transaction=True)
async def test_file_is_streamed_where_pages_are_served_asynchronously(user: User) -> None:
    def prepare() -> None:
        cluster = a_cluster(source=Cluster.Source.LIVE)
        Decision.objects.bulk_create(
            Decision(cluster=cluster, kind=Kind.BOUND, pod_uid=str(number), namespace="many", name="x",
                     heard_at=datetime(2026, 3, 1, 12, tzinfo=UTC), last_heard_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
            for number in range(2_100)
        )  # fmt: skip

    await sync_to_async(prepare)()
    client = AsyncClient()
    await client.aforce_login(user)

    response: Any = await client.get(f"{JOURNAL}decisions.csv")

    assert response.is_async
    pieces = [piece async for piece in response]
    # The thread in which they were read outlives the test, and its connection would hold the database.
    await sync_to_async(connections.close_all)()
    # The head, and a thousand rows at a time.
    assert len(pieces) == 4
    assert b"".join(pieces).count(b"\n") == 2_101

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster
from dashboard.views import pods
from tests.dashboard.rows import a_cluster, a_node, a_pod
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

PODS, NODES = "/clusters/prod/pods/", "/clusters/prod/nodes/"
NODE_COLUMNS = ("name", "zone", "type", "state", "cpu", "memory", "pods")


@pytest.fixture(autouse=True)
def _cluster() -> None:
    cluster = a_cluster()
    a_node(cluster, "n1", zone="a")
    a_pod(cluster, "web-0", on="n1")


def heads(html: str) -> list[str]:
    return [re.sub("<[^>]*>|[▲▼]", "", head).strip() for head in re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", html)]


def columns_of_cells(html: str) -> set[str]:
    rows = html[html.index("<tbody>") : html.index("</tbody>")]
    return set(re.findall(r'<td[^>]*data-column="([^"]*)"', rows))


def test_columns_are_those_of_the_address_in_the_order_of_the_table(signed_in_client: Client) -> None:
    for address, shown in [
        (f"{PODS}?columns=node,cpu", ["Pod", "Node", "CPU request"]),
        (f"{PODS}?columns=cpu,name,node", ["Pod", "Node", "CPU request"]),
        (f"{NODES}?columns=pods", ["Node", "Pods"]),
    ]:
        html = signed_in_client.get(address).text
        assert heads(html) == shown
        assert columns_of_cells(html) == set(shown[1:])


def test_columns_of_workloads_are_chosen_too(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "shop", [node("n1", "a"), pod("web-1")])

    html = signed_in_client.get("/clusters/shop/workloads/?columns=memory,zones").text

    assert heads(html) == ["Workload", "By zone", "Memory"]
    assert columns_of_cells(html) == {"By zone", "Memory"}


def test_without_a_known_column_all_are_shown(signed_in_client: Client) -> None:
    for address in [PODS, f"{PODS}?columns=", f"{PODS}?columns=bogus"]:
        assert len(heads(signed_in_client.get(address).text)) == 8


def test_unknown_columns_are_named_with_those_that_there_are(signed_in_client: Client) -> None:
    html = signed_in_client.get(f"{NODES}?columns=zone,<b>,colour").text

    assert "This table has no columns &lt;b&gt; and colour. It has: name, zone, type, state, cpu, memory, pods." in html
    assert heads(html) == ["Node", "Zone"]


def test_sorting_pages_and_filters_keep_the_choice(signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pods, "ROWS_PER_PAGE", 1)
    a_pod(Cluster.objects.get(), "web-1", on="n1")
    html = signed_in_client.get(f"{PODS}?columns=node,cpu&sort=-cpu").text

    assert "?columns=node%2Ccpu&amp;sort=cpu" in html
    assert "?columns=node%2Ccpu&amp;sort=-cpu&amp;page=2" in html
    assert '<input type="hidden" form="filters" name="columns" value="name,node,cpu">' in html


def test_the_form_leads_to_the_address_of_its_choice(signed_in_client: Client) -> None:
    html = signed_in_client.get(f"{PODS}?q=web&sort=-cpu&page=2&columns=cpu").text
    form = html[html.index('<details class="menu columns-menu">') :]
    assert re.findall('type="hidden" name="([a-z]+)" value="([^"]*)"', form)[:3] == [
        ("q", "web"),
        ("sort", "-cpu"),
        ("column", "name"),
    ]

    some = signed_in_client.get(f"{PODS}?q=web&column=name&column=cpu&column=node")
    every = signed_in_client.get(f"{NODES}?" + "&".join(f"column={name}" for name in NODE_COLUMNS))

    assert some["Location"] == f"{PODS}?q=web&columns=name,node,cpu"
    assert every["Location"] == f"{NODES}?"

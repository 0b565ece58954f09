from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.urls import resolve

from clusters.models import KubeObject
from clusters.wording.filters import NOTHING_FOUND
from dashboard.presenters.runs.listing import asked_url
from dashboard.presenters.search import VERBS
from tests.dashboard.rows import a_cluster, a_node, a_pod

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

ADDRESS = "/clusters/prod/search/"


def test_page_leads_to_what_is_found_and_keeps_what_was_typed(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_pod(cluster, "web-1")
    a_node(cluster, "web-node")

    html = signed_in_client.get(f"{ADDRESS}?q=web").text

    assert 'href="/clusters/prod/pods/shop/web-1/"' in html
    assert 'href="/clusters/prod/nodes/web-node/"' in html
    assert 'value="web"' in html
    assert "2 results." in html


def test_fragment_is_a_short_list_that_leads_to_the_page(signed_in_client: Client) -> None:
    cluster = a_cluster()
    for number in range(8):
        a_pod(cluster, f"web-{number}")

    html = signed_in_client.get(f"{ADDRESS}?q=web", headers={"HX-Request": "true"}).text

    assert "<html" not in html
    assert html.count('role="option"') == 6
    assert "3 more" in html
    assert f'href="{ADDRESS}?q=web"' in html


def test_what_is_typed_stays_text(signed_in_client: Client) -> None:
    a_cluster()

    assert "<b>" not in signed_in_client.get(ADDRESS, {"q": "<b>"}).text


def test_name_that_no_address_holds_breaks_nothing(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "we/b")

    assert signed_in_client.get(ADDRESS, {"q": "we"}).status_code == 200


def test_palette_gets_options_for_its_own_list(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "web-1")

    answer = signed_in_client.get(f"{ADDRESS}?q=web", headers={"HX-Request": "true", "HX-Target": "palette-found"})

    assert 'id="palette-pods-1"' in answer.text
    assert 'role="listbox"' not in answer.text
    assert "HX-Target" in answer["Vary"]


def said(client: Client, text: str) -> dict[str, str]:
    """Return what the palette lists for a text: the address of each option by its words."""
    headers = {"HX-Request": "true", "HX-Target": "palette-found"}
    html = client.get(ADDRESS, {"q": text}, headers=headers).text
    found = re.findall(r'<a role="option"[^>]* href="([^"]*)"><span>(.*?)</span>(?: |</a>)', html)
    return {re.sub(r"<[^>]+>", "", words): unescape(url) for url, words in found}


def test_verbs_lead_to_the_pages_that_answer(signed_in_client: Client) -> None:
    cluster = a_cluster()
    for name in ("a-1", "a-2"):
        a_node(cluster, name, zone=f"eu-central-1{name[0]}")
    a_node(cluster, "b-1", zone="eu-central-1b")
    a_pod(cluster, "ledger-0", namespace="payments")
    for kind, name in (("Deployment", "web"), ("DaemonSet", "logs")):
        KubeObject.objects.create(
            cluster=cluster, kind=kind, api_version="apps/v1", namespace="shop", name=name, uid=name, object={}
        )

    def asked(change: str, **fields: object) -> str:
        return asked_url("prod", {"change": change, **fields})

    web = {"kind": "Deployment", "namespace": "shop", "name": "web"}

    for text, options in {
        "why payments/led": {"why payments/ledger-0": "/clusters/prod/pods/payments/ledger-0/"},
        ": Why pod ledger": {"why payments/ledger-0": "/clusters/prod/pods/payments/ledger-0/"},
        "drain a-2": {"drain a-2": asked("drain-nodes", nodes=["a-2"])},
        "drain a-2 b": {"drain a-2 b-1": asked("drain-nodes", nodes=["a-2", "b-1"])},
        "lose zone b": {"lose eu-central-1b": asked("lose-zone", zone="eu-central-1b", how="gone")},
        "fits web": {"fits shop/web": "/clusters/prod/workloads/Deployment/shop/web/#more"},
        "more shop/web 10": {"more shop/web 10": asked("scale", **web, by=10)},
        "more web": {"more shop/web": asked("scale", **web, by=1)},
        "more logs 10": {"more shop/logs 10": "/clusters/prod/workloads/DaemonSet/shop/logs/#more"},
        f"more web {'9' * 30}": {},
    }.items():
        assert said(signed_in_client, text) == options, text
        for url in options.values():
            resolve(url.partition("?")[0].partition("#")[0])
    assert list(said(signed_in_client, "drain ")) == ["drain a-1", "drain a-2", "drain b-1"]


def test_a_zone_that_ends_with_what_was_said_comes_first(signed_in_client: Client) -> None:
    cluster = a_cluster()
    for zone in ("bar-1", "foo-b", ""):
        a_node(cluster, f"n-{zone}", zone=zone)

    assert list(said(signed_in_client, "lose b")) == ["lose foo-b", "lose bar-1"]


def test_a_verb_alone_is_also_a_name_but_after_a_colon(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_pod(cluster, "drain-daemon")

    assert list(said(signed_in_client, "drain")) == ["shop/drain-daemon", "drain"]
    assert list(said(signed_in_client, "Dra")) == ["shop/drain-daemon", "drain"]
    assert list(said(signed_in_client, "los")) == list(said(signed_in_client, "zone")) == ["lose"]
    assert "1 result." in signed_in_client.get(ADDRESS, {"q": "los"}).text
    assert said(signed_in_client, "") == {}
    assert said(signed_in_client, ":dr") == {"drain": f"{ADDRESS}?q=%3Adrain+"}
    assert list(said(signed_in_client, ":")) == list(VERBS)
    for nothing in (":shut down", ":drain nothing-like-this"):
        assert said(signed_in_client, nothing) == {}
        assert str(NOTHING_FOUND) in signed_in_client.get(ADDRESS, {"q": nothing}).text

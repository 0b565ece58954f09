from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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


@pytest.mark.parametrize(
    ("text", "said"), [("nothing-like-this", "No name matches"), ("", "What are you looking for?")]
)
def test_empty_page_says_what_to_type(signed_in_client: Client, text: str, said: str) -> None:
    a_cluster()

    assert said in signed_in_client.get(ADDRESS, {"q": text}).text


def test_what_is_typed_stays_text(signed_in_client: Client) -> None:
    a_cluster()

    assert "<b>" not in signed_in_client.get(ADDRESS, {"q": "<b>"}).text


def test_name_that_no_address_holds_breaks_nothing(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "we/b")

    assert signed_in_client.get(ADDRESS, {"q": "we"}).status_code == 200


def test_every_page_of_a_cluster_has_the_field_and_no_other_page(signed_in_client: Client) -> None:
    a_cluster()

    assert f'action="{ADDRESS}"' in signed_in_client.get("/clusters/prod/nodes/").text
    assert "site-search" not in signed_in_client.get("/clusters/").text


def test_palette_gets_options_for_its_own_list(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "web-1")

    answer = signed_in_client.get(f"{ADDRESS}?q=web", headers={"HX-Request": "true", "HX-Target": "palette-found"})

    assert 'id="palette-pods-1"' in answer.text
    assert 'role="listbox"' not in answer.text
    assert "HX-Target" in answer["Vary"]

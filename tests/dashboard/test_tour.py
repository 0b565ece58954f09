"""The tour of the demo: offered once, five steps, each on a page that answers its question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.rows import a_cluster

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OFFER = '<aside class="tour'


@pytest.mark.usefixtures("demo_of_day")
def test_the_tour_leads_through_five_pages_that_show_what_it_tells_of(signed_in_client: Client) -> None:
    page = signed_in_client.get("/clusters/demo/").text
    shown, back = [], []
    while found := re.search(r'class="btn btn-primary" href="(/tour/\d/)"', page):
        page = signed_in_client.get(found[1], follow=True).text
        shown.append(re.search(r"<strong>(\d)/5</strong>", page)[1])  # type: ignore[index]
        back += re.findall(r'class="btn" href="/tour/(\d)/"', page)
    assert shown == ["1", "2", "3", "4", "5"]
    assert back == ["1", "2", "3", "4"]
    assert "landscape" in page

    for step, what in [
        (1, 'id="waiting"'),
        (2, "data-map-cause"),
        (3, "asked-numbers"),
        (4, 'id="past"'),
        (5, "data-landscape"),
    ]:
        assert what in signed_in_client.get(f"/tour/{step}/", follow=True).text


@pytest.mark.usefixtures("demo")
def test_the_tour_is_not_offered_to_somebody_who_has_seen_enough(signed_in_client: Client) -> None:
    assert OFFER in signed_in_client.get("/clusters/demo/").text

    ended = signed_in_client.post("/tour/end/")

    assert ended.headers["Location"] == "/clusters/demo/"
    assert OFFER not in signed_in_client.get("/clusters/demo/").text
    assert OFFER in signed_in_client.get("/tour/1/", follow=True).text


def test_the_tour_is_of_the_demo_alone(signed_in_client: Client) -> None:
    a_cluster()

    assert OFFER not in signed_in_client.get("/clusters/prod/?tour=1").text
    assert signed_in_client.get("/tour/1/").status_code == 404
    assert signed_in_client.get("/tour/6/").status_code == 404
    assert signed_in_client.get("/tour/end/").status_code == 405

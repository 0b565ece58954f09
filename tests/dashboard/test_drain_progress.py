"""A plan of a drain that a worker makes: its page follows it, by websocket or by asking again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusters.services import disruption as drains
from clusters.services.disruption import QUESTION, DrainChoice
from clusters.services.evaluation import Progress, end, tell
from tests.dashboard.test_drain import PAGE, get

if TYPE_CHECKING:
    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def test_a_long_plan_is_followed_and_its_page_loaded_anew_when_nobody_makes_it_any_more(
    demo: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    key = QUESTION.key(demo, DrainChoice(pool="general").text)
    plan = key.rpartition(":")[2]
    tell(key, Progress(3, 27))

    page = get(signed_in_client, f"{PAGE}?pool=general")
    part = signed_in_client.get(f"{PAGE}progress/?plan={plan}")
    swapped = signed_in_client.get(f"{PAGE}?pool=general", headers={"HX-Request": "true"})
    end(key)
    over = signed_in_client.get(f"{PAGE}progress/?plan={plan}")

    assert "3 of 27 nodes" in page
    assert f'data-socket="/ws/drains/{demo.pk}/{plan}/"' in page
    assert f'data-fragment="{PAGE}progress/?plan={plan}"' in page
    assert "hx-trigger" not in re.search('<div id="plan".*?<noscript>', page, re.DOTALL)[0]  # type: ignore[index]
    assert "3 of 27 nodes" in part.text
    assert "<html" not in part.text
    assert "HX-Refresh" not in part.headers
    assert swapped.headers["HX-Refresh"] == over.headers["HX-Refresh"] == "true"


def test_a_plan_that_is_asked_for_again_is_asked_for_once(
    demo: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    key = QUESTION.key(demo, DrainChoice(pool="general").text)
    tell(key, Progress(3, 27))

    response = signed_in_client.get(f"{PAGE}?pool=general&again=1")
    end(key)

    # The page is loaded anew when the plan is there.
    assert (response.status_code, response["Location"]) == (302, f"{PAGE}?pool=general")

"""One message translated in a catalogue is translated on the page, in the terminal and in the API's answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.template import Context, Template

from clusters.engine.versions import RELEASES
from tests.support.catalogue import write_catalogue
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings

TEXTS = {
    "This cluster runs Kubernetes %(minor)s. Berth answers as kube-scheduler %(answered_as)s does: "
    "verdicts, scores and messages may differ.": "Berth antwortet wie %(answered_as)s, der Cluster ist %(minor)s."
}
TRANSLATED = f"Berth antwortet wie {list(RELEASES.values())[-1].compared}, der Cluster ist 1.40."


def objects() -> list[dict[str, Any]]:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1", "uid": "n1"},
        "status": {"allocatable": {"cpu": "4", "pods": "10"}, "nodeInfo": {"kubeletVersion": "v1.40.2"}},
    }
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "shop", "name": "web", "uid": "web"},
        "spec": {"containers": [{"name": "main", "image": "web:1"}], "schedulerName": "default-scheduler"},
        "status": {"phase": "Pending"},
    }
    return [node, pod]


@pytest.fixture
def german(tmp_path: Path, settings: Settings) -> None:
    write_catalogue(tmp_path / "locale", "de", TEXTS)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LANGUAGES = [("de", "German")]
    settings.LANGUAGE_CODE = "de"


@pytest.mark.django_db
@pytest.mark.usefixtures("german")
def test_pages_and_the_api_speak_the_language(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", objects())

    page = signed_in_client.get("/clusters/shop/pods/shop/web/").text
    assert TRANSLATED in page
    assert '<html lang="de" ' in page
    answer = signed_in_client.get("/api/v1/clusters/shop/pods/shop/web/explanation").json()
    assert answer["cluster"]["releaseNotice"] == TRANSLATED


def test_dates_and_numbers_are_written_as_in_english() -> None:
    moment = datetime(2026, 1, 31, 15, 4, 5, tzinfo=UTC)
    page = Template("{% load humanize %}{{ moment }}|{{ moment|date }}|{{ count }}|{{ count|intcomma }}|{{ share }}")

    said = page.render(Context({"moment": moment, "count": 1234567, "share": 1234.5}))

    assert said == "31 Jan 2026, 3:04 p.m.|31 Jan 2026|1234567|1,234,567|1234.5"

"""What the web process, workers and beat leave alone until somebody needs it."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import pytest
from django.conf import settings

# Each is loaded where it is used: by a worker, or by the pages and operations that need it.
LATER = (
    "clusters.services.reports",
    "clusters.services.runs",
    "dashboard.api.site",
    "dashboard.classrooms.rooms",
    "dashboard.lessons.page",
    "dashboard.views.decisions",
    "httpx2",
    "lightkube",
    "markdown_it",
    "ninja",
    "ortools",
    "pandas",
    "plotly",
    "prometheus_client",
    "pydantic",
    "re2",
    "segno",
    "typst",
)


OF_PAGES = (
    "dashboard.api.site",
    "dashboard.urls",
    "dashboard.views",
    "ninja",
    "ortools",
    "plotly",
    "pydantic",
    "typst",
)

# All addresses and template tags belong to what the web process starts with, all tasks to what a worker does.
WEB = """
import dashboard.asgi
from django.template import engines
from django.urls import reverse
engines.all()[0].engine
reverse("sign-in")
"""
WORKER = """
from dashboard.celery import app
app.loader.init_worker()
app.finalize()
"""


REFERENCE = """
import dashboard.asgi
import json
from dashboard.api.reference import api
print(json.dumps(list(api.get_openapi_schema(path_prefix="/api/v1/")["paths"])))
"""


def printed(program: str) -> list[str]:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    texts: list[str] = json.loads(done.stdout)
    return texts


@cache
def loaded(start: str) -> frozenset[str]:
    """Everything that is loaded then."""
    return frozenset(printed(f"{start}import json, sys\nprint(json.dumps(sorted(sys.modules)))"))


def test_addresses_tags_and_tasks_are_loaded() -> None:
    assert {"dashboard.urls", "dashboard.templatetags.runs"} <= loaded(WEB)
    assert {"dashboard.tasks", "clusters.services.workers"} <= loaded(WORKER)


@pytest.mark.parametrize("name", LATER)
def test_is_not_loaded_by_the_web_process_at_its_start(name: str) -> None:
    assert name not in loaded(WEB)


@pytest.mark.parametrize("name", OF_PAGES)
def test_is_not_loaded_by_a_worker_at_its_start(name: str) -> None:
    assert name not in loaded(WORKER)


def test_the_reference_of_the_api_is_whole_where_it_is_asked_for_first() -> None:
    assert "/api/v1/clusters/" in printed(REFERENCE)

"""What the web process leaves alone until somebody needs it."""

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
    "clusters.wording.problems",
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


@cache
def loaded() -> frozenset[str]:
    """Everything that is loaded when the application is, with all addresses and template tags."""
    told = (
        "import json, sys; import dashboard.asgi;"
        "from django.template import engines; from django.urls import reverse;"
        "engines.all()[0].engine; reverse('sign-in'); print(json.dumps(sorted(sys.modules)))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", told], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    ).stdout
    return frozenset(json.loads(printed))


def test_addresses_are_loaded() -> None:
    assert {"dashboard.urls.pages", "dashboard.templatetags.runs"} <= loaded()


@pytest.mark.parametrize("name", LATER)
def test_is_not_loaded_at_the_start(name: str) -> None:
    assert name not in loaded()

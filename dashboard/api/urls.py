"""Addresses of the API's operations, below /api/v1/."""

from __future__ import annotations

from importlib import import_module

from django.urls import URLPattern

from dashboard.api.answering import speaks_json
from dashboard.api.site import api

# Modules that declare operations, in the order of the reference.
for _name in (
    "clusters",
    "quotas",
    "pod_groups",
    "usage",
    "upgrades",
    "explaining",
    "removal",
    "decisions",
    "dumps",
    "runs",
    "run_parts",
    "fits",
    "studies",
    "reviews",
):
    import_module(f"dashboard.api.{_name}")


def _operations() -> list[URLPattern]:
    patterns = [each for each in api.urls[0] if isinstance(each, URLPattern)]
    for pattern in patterns:
        pattern.callback = speaks_json(pattern.callback)
    return patterns


app_name = "api-v1"
urlpatterns = _operations()

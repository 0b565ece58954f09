"""Addresses that begin a simulation elsewhere: the form, with changes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.urls import reverse
from django.utils.http import urlencode

from dashboard.forms.what_if import LONGEST

if TYPE_CHECKING:
    from collections.abc import Mapping


def simulate_url(cluster: str, *changes: dict[str, Any]) -> str:
    """Return the address of the form with these changes in it; empty where it would be longer than browsers send."""
    query = urlencode([("change", orjson.dumps(change).decode()) for change in changes])
    return f"{reverse('run-new', kwargs={'cluster': cluster})}?{query}" if len(query) <= LONGEST else ""


def like_pod(document: Mapping[str, Any], suffix: str = "what-if") -> dict[str, Any]:
    """Return a pod like another one, under a name of its own, that no node has yet."""
    metadata = document.get("metadata") or {}
    kept = {key: metadata[key] for key in ("namespace", "labels", "annotations") if metadata.get(key)}
    spec = {key: value for key, value in (document.get("spec") or {}).items() if key != "nodeName"}
    name = f"{metadata.get('name', 'pod')}-{suffix}"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {**kept, "name": name}, "spec": spec}

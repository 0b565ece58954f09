"""Clusters mirrored from objects, and pages as a reader sees them."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import orjson

from clusters.models import Cluster
from clusters.services.ingest.ingest import ingest_path

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client


def load(folder: Path, name: str, objects: list[dict[str, Any]]) -> Cluster:
    """Mirror a cluster that holds these objects and nothing else."""
    path = folder / f"{name}.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    cluster, _ = Cluster.objects.get_or_create(name=name)
    ingest_path(cluster=cluster, path=path)
    return cluster


def text(client: Client, address: str) -> str:
    """Return the words of a page."""
    response = client.get(address)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", response.text)))

"""Clusters mirrored from objects, and pages as a reader sees them."""

from __future__ import annotations

import re
from html import unescape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import orjson
from django.apps import apps
from django.db import transaction

from clusters.demo import demo_objects
from clusters.demo.usage import demo_usage
from clusters.models import Cluster, UsageHour
from clusters.services.ingest.ingest import ingest_path
from clusters.services.usage.keeping import keep_usage

if TYPE_CHECKING:
    from pathlib import Path

    from django.db.models import Model
    from django.test import Client

# The rows that reading the demo cluster left, the cluster first: kept for a process, as reading takes seconds.
_demo: list[Model] = []


def load(folder: Path, name: str, objects: list[dict[str, Any]]) -> Cluster:
    """Mirror a cluster that holds these objects and nothing else."""
    path = folder / f"{name}.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    cluster, _ = Cluster.objects.get_or_create(name=name)
    ingest_path(cluster=cluster, path=path)
    return cluster


def load_demo(folder: Path, name: str = "demo", key: int | None = None) -> Cluster:
    """Mirror the demo cluster with its usage: read once in a process, and then written as it was read.

    Without a `key` it gets a new one, so that nobody takes what they knew of an earlier test's for it.
    """
    if not _demo:
        _read_demo(folder)
    return _write_demo(name, key)


@transaction.atomic
def _read_demo(folder: Path) -> None:
    objects = list(demo_objects())
    cluster = load(folder, "demo", objects)
    keep_usage(cluster=cluster, found=demo_usage(objects), source=UsageHour.Source.METRICS)
    _demo.append(Cluster.objects.get(pk=cluster.pk))
    for model in apps.get_app_config("clusters").get_models():
        if any(field.name == "cluster" for field in model._meta.get_fields()):
            _demo.extend(model._default_manager.filter(cluster=cluster))
    Cluster.objects.filter(pk=cluster.pk).delete()


@transaction.atomic
def _write_demo(name: str, key: int | None) -> Cluster:
    kept, *rows = _demo
    values = {field.attname: getattr(kept, field.attname) for field in kept._meta.concrete_fields}
    cluster = Cluster.objects.create(**{**values, "id": key, "name": name})
    for _, alike in groupby(rows, type):
        batch = list(alike)
        for row in batch:
            row.pk = None
            row.cluster = cluster  # type: ignore[attr-defined]
        batch[0]._meta.default_manager.bulk_create(batch, batch_size=500)  # type: ignore[union-attr]
    return cluster


def text(client: Client, address: str) -> str:
    """Return the words of a page."""
    response = client.get(address)
    assert response.status_code == 200
    return words_of(response.text)


def words_of(html: str) -> str:
    """Return the words of a page, or of a part of it."""
    return re.sub(r"\s+", " ", unescape(without_tags(html)))


def without_tags(html: str) -> str:
    """Return the words of a page with blanks for its tags, but for links that punctuation follows in a sentence."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"</a>(?=[.,;:)])", "", re.sub(r"(?<=\()<a\b[^>]*>", "", html)))

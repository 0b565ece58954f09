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
from clusters.services.ingest.demo import keep_day
from clusters.services.ingest.ingest import ingest_path
from clusters.services.usage.keeping import keep_usage

if TYPE_CHECKING:
    from pathlib import Path

    from django.db.models import Model
    from django.test import Client

# Keys of the demo, without its day and with it, for tests that only look at it: it is the same cluster in all of them,
# and the process goes on with what it found out of it. Apart, as SQLite gives others the keys that come next.
DEMO, DEMO_OF_DAY = 1_000_000, 2_000_000

# The rows that reading the demo cluster left, the cluster first, and those with its day: kept for a process, as reading
# takes seconds.
_demo: dict[bool, list[Model]] = {}


def load(folder: Path, name: str, objects: list[dict[str, Any]]) -> Cluster:
    """Mirror a cluster that holds these objects and nothing else."""
    path = folder / f"{name}.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    cluster, _ = Cluster.objects.get_or_create(name=name)
    ingest_path(cluster=cluster, path=path)
    return cluster


def load_demo(folder: Path, name: str = "demo", key: int | None = None, *, with_day: bool = False) -> Cluster:
    """Mirror the demo cluster with its usage: read once in a process, and then written as it was read.

    Without a `key` it gets a new one, so that nobody takes what they knew of an earlier test's for it.
    """
    if with_day not in _demo:
        _demo[with_day] = _read_demo(folder, with_day=with_day)
    return _write_demo(_demo[with_day], name, key)


@transaction.atomic
def _read_demo(folder: Path, *, with_day: bool) -> list[Model]:
    objects = list(demo_objects())
    cluster = load(folder, "demo", objects)
    keep_usage(cluster=cluster, found=demo_usage(objects), source=UsageHour.Source.METRICS)
    if with_day:
        keep_day(cluster, objects)
    found: list[Model] = [Cluster.objects.get(pk=cluster.pk)]
    for model in apps.get_app_config("clusters").get_models():
        if any(field.name == "cluster" for field in model._meta.get_fields()):
            found.extend(model._default_manager.filter(cluster=cluster))
    Cluster.objects.filter(pk=cluster.pk).delete()
    return found


@transaction.atomic
def _write_demo(found: list[Model], name: str, key: int | None) -> Cluster:
    kept, *rows = found
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

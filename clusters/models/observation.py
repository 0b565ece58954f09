"""What others recorded of attempts to schedule pods."""

from __future__ import annotations

import zlib
from typing import Any

import orjson
from django.db import models

from clusters.models.cluster import Cluster


class Observation(models.Model):
    """One attempt to schedule one pod as a simulator or a scheduler's log recorded it.

    It outlives the pod: what was recorded of pods that the mirror does not hold is kept as well.
    """

    class Source(models.TextChoices):
        SIMULATOR = "simulator", "kube-scheduler-simulator"
        LOG = "log", "kube-scheduler's log"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="observations", db_index=False)
    namespace = models.CharField(max_length=63)
    name = models.CharField(max_length=253)
    # Empty where the source names the pod only.
    pod_uid = models.CharField(max_length=128, blank=True)
    source = models.CharField(max_length=16, choices=Source.choices)
    # Tells an attempt from the pod's others, the same on every reading: its number, or the time of day it began.
    key = models.CharField(max_length=40)
    # The file's name as its sender called it.
    origin = models.CharField(max_length=255)
    # From 1, where the source numbers attempts.
    attempt = models.PositiveIntegerField(null=True)
    # By the source's clock; null where it does not say.
    observed_at = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField(auto_now_add=True)
    # How much was recorded: of two readings of an attempt the fuller one is kept.
    cells = models.PositiveIntegerField()
    # The normal form of clusters.adapters.observed, compressed: nobody searches in it.
    packed_document = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["cluster", "namespace", "name", "source", "pod_uid", "key"], name="observation_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name} {self.key}"

    @property
    def document(self) -> dict[str, Any]:
        """What was recorded, in the normal form of clusters.adapters.observed."""
        return unpacked(self.packed_document)


def packed(document: dict[str, Any]) -> bytes:
    """Return a document compressed, the same bytes for the same content."""
    return zlib.compress(orjson.dumps(document, option=orjson.OPT_SORT_KEYS))


def unpacked(content: bytes | memoryview) -> dict[str, Any]:
    """Return the document that was packed."""
    document: dict[str, Any] = orjson.loads(zlib.decompress(content))
    return document

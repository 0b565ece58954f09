"""Nodes and pods that are gone from a cluster, as they were last seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from clusters.models.cluster import Cluster
from clusters.models.packed import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping


class Departure(models.Model):
    """A node that was removed, or a pod that was deleted from the node that it was on; kept as decisions are."""

    class Kind(models.TextChoices):
        NODE = "Node"
        POD = "Pod"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="departures", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    uid = models.TextField()
    namespace = models.TextField(blank=True)
    name = models.TextField()
    node_name = models.TextField(blank=True)
    # By Berth's clock.
    heard_at = models.DateTimeField()
    # A list of all objects lacked it: it may have gone at any time since the one before.
    is_late = models.BooleanField(default=False)
    packed_object = models.BinaryField()

    class Meta:
        indexes = (models.Index(fields=["cluster", "-heard_at", "-id"], name="departure_latest"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def document(self) -> dict[str, Any]:
        """The object as it was last seen, pruned as the mirror's."""
        found: dict[str, Any] = unpacked(self.packed_object)
        return found

    @document.setter
    def document(self, document: Mapping[str, Any]) -> None:
        self.packed_object = packed(document)

"""What became of a cluster's nodes."""

from __future__ import annotations

from django.db import models

from clusters.models.cluster import Cluster


class NodeChange(models.Model):
    """One change of a node that decides which pods it takes, kept as decisions are."""

    class Kind(models.TextChoices):
        ADDED = "added"
        REMOVED = "removed"
        CORDONED = "cordoned"
        UNCORDONED = "uncordoned"
        NOT_READY = "not-ready"
        READY = "ready"
        PRESSURE = "pressure"
        RELIEVED = "relieved"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="node_changes", db_index=False)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    node_name = models.TextField()
    # By Berth's clock.
    heard_at = models.DateTimeField()
    # The condition of a pressure, as in MemoryPressure.
    condition = models.TextField(blank=True)

    class Meta:
        indexes = (models.Index(fields=["cluster", "-heard_at", "-id"], name="node_change_latest"),)

    def __str__(self) -> str:
        return f"{self.node_name} {self.kind}"

"""What pods and nodes use, hour by hour, and what they have on disks."""

from __future__ import annotations

from typing import Any

from django.db import models

from clusters.models.cluster import Cluster, packed, unpacked


class UsageHour(models.Model):
    """What was used in one hour, by workload and by node; the newest one with pods also knows it of each."""

    class Source(models.TextChoices):
        METRICS = "metrics"
        PROMETHEUS = "prometheus"
        FILE = "file"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="usage_hours", db_index=False)
    # The full hour that it stands for, and the moment in it that was told last.
    at = models.DateTimeField()
    sampled_at = models.DateTimeField()
    source = models.CharField(max_length=16, choices=Source.choices)
    # Grows when an hour is written again, so that whoever keeps what follows from it can tell.
    version = models.PositiveIntegerField(default=0)
    packed_content = models.BinaryField()
    packed_pods = models.BinaryField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "at"], name="usage_hour_once"),)
        ordering = ("cluster", "at")

    def __str__(self) -> str:
        return f"{self.cluster} at {self.at:%Y-%m-%d %H:%M}"

    @property
    def content(self) -> dict[str, Any]:
        """The sample, as clusters.services.usage.keeping makes it."""
        document: dict[str, Any] = unpacked(self.packed_content)
        return document

    @content.setter
    def content(self, document: dict[str, Any]) -> None:
        self.packed_content = packed(document)

    @property
    def pods(self) -> list[list[Any]]:
        """Namespace, name and UID of each pod with what its containers use; empty but for the newest hour with pods."""
        found: list[list[Any]] = [] if self.packed_pods is None else unpacked(self.packed_pods)
        return found

    @pods.setter
    def pods(self, found: list[list[Any]]) -> None:
        self.packed_pods = packed(found)


class NodeDiskUse(models.Model):
    """What a node's kubelet said last of disks: its file systems, and what each pod there has on them."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="disk_uses", db_index=False)
    node = models.TextField()
    sampled_at = models.DateTimeField()
    packed_content = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "node"], name="disk_use_of_node"),)

    def __str__(self) -> str:
        return f"{self.node} of {self.cluster} at {self.sampled_at:%Y-%m-%d %H:%M}"

    @property
    def content(self) -> dict[str, Any]:
        """The report, as clusters.engine.usage writes it."""
        document: dict[str, Any] = unpacked(self.packed_content)
        return document

    @content.setter
    def content(self, document: dict[str, Any]) -> None:
        self.packed_content = packed(document)


class UsageReading(models.Model):
    """How the last attempt to read a cluster's usage by itself ended."""

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, primary_key=True, related_name="usage_reading")
    tried_at = models.DateTimeField()
    source = models.CharField(max_length=16, choices=UsageHour.Source.choices)
    # Why nothing was read, as `text_of_problem` encodes it; empty when it was.
    problem = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.cluster} at {self.tried_at:%Y-%m-%d %H:%M}"

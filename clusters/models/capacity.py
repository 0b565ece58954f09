"""How full a cluster was, hour by hour."""

from __future__ import annotations

from typing import Any

from django.db import models

from clusters.models.cluster import Cluster
from clusters.models.packed import packed, unpacked


class CapacitySample(models.Model):
    """What a cluster had and what was asked of it at one hour, in a few hundred bytes."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="capacity_samples")
    # The full hour that it stands for.
    at = models.DateTimeField()
    packed_amounts = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "at"], name="capacity_sample_once"),)
        ordering = ("cluster", "at")

    def __str__(self) -> str:
        return f"{self.cluster} at {self.at:%Y-%m-%d %H:%M}"

    @property
    def amounts(self) -> dict[str, Any]:
        """The sample, as clusters.services.reports.capacity_samples makes it."""
        document: dict[str, Any] = unpacked(self.packed_amounts)
        return document

    @amounts.setter
    def amounts(self, document: dict[str, Any]) -> None:
        self.packed_amounts = packed(document)

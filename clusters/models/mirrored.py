"""What every row of the mirror shares."""

from __future__ import annotations

from django.db import models

from clusters.models.cluster import Cluster
from clusters.models.fields import ObjectField


class Mirrored(models.Model):
    """An object of a cluster, pruned to what scheduling, disruption and the pages read."""

    # Every unique constraint leads with the cluster already, so the foreign key needs no index of its own.
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="%(class)ss", db_index=False)
    # `name:Kind/namespace/name` where the dump gives no UID.
    uid = models.CharField(max_length=400)
    name = models.CharField(max_length=253)
    # Of the pruned object: an ingest leaves a row alone whose digest is unchanged.
    digest = models.CharField(max_length=32, editable=False)
    object = ObjectField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Namespaced(Mirrored):
    """A mirrored object that lives in a namespace."""

    namespace = models.CharField(max_length=63)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"

"""Nodes."""

from __future__ import annotations

from django.db import models

from clusters.models.mirrored import Mirrored


class Node(Mirrored):
    """A node; amounts are what it has allocatable."""

    zone = models.TextField(blank=True)
    region = models.TextField(blank=True)
    instance_type = models.TextField(blank=True)
    # Null where the dump has no Ready condition; one that is Unknown counts as not ready, as kubectl shows it.
    ready = models.BooleanField(null=True)
    unschedulable = models.BooleanField()
    cpu_milli = models.BigIntegerField()
    memory_bytes = models.BigIntegerField()
    pods_allocatable = models.BigIntegerField()
    taint_count = models.PositiveIntegerField()
    kubelet_version = models.TextField(blank=True)
    created_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["cluster", "uid"], name="node_uid"),
            models.UniqueConstraint(fields=["cluster", "name"], name="node_name"),
        )
        # What is summed up zone by zone.
        indexes = (models.Index(fields=["cluster", "zone", "name", "cpu_milli"], name="node_by_zone"),)

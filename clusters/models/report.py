"""Capacity reviews, their schedules, and the samples that their trends are drawn from."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from clusters.models.cluster import Cluster, packed, unpacked
from clusters.models.run import Lane, SimulationRun


class ReportSchedule(models.Model):
    """When reviews of a cluster are made by themselves."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="report_schedules")
    title = models.CharField(max_length=200)
    # The order of a review, as clusters.services.reports.order reads it.
    order = models.JSONField()
    # 0 is Monday; the hour is of the site's time zone.
    weekday = models.PositiveSmallIntegerField()
    hour = models.PositiveSmallIntegerField()
    keep_days = models.PositiveIntegerField(default=365)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    next_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("cluster", "title", "pk")

    def __str__(self) -> str:
        return self.title


class Report(models.Model):
    """A capacity review of a cluster or of a run, as it stood when it was made."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="reports")
    run = models.ForeignKey(SimulationRun, on_delete=models.SET_NULL, related_name="reports", null=True)
    schedule = models.ForeignKey(ReportSchedule, on_delete=models.SET_NULL, related_name="reports", null=True)
    title = models.CharField(max_length=200)
    order = models.JSONField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    # How many of the ordered sections are written, while it is being written.
    sections_done = models.PositiveSmallIntegerField(default=0)
    # The review as data, in the form that its schema version says; null until it is done.
    packed_document = models.BinaryField(null=True)
    error = models.JSONField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # The line in which it waits for a worker; empty for what is worked on where it is asked for.
    lane = models.CharField(max_length=16, choices=Lane.choices, blank=True, default="")
    # As of a run: how many workers have begun it, which of them has it, and its last sign of life.
    begun = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=32, blank=True, editable=False)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # When it is removed; null for one that is kept.
    expires_at = models.DateTimeField(null=True, db_index=True)

    class Meta:
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return self.title

    @property
    def document(self) -> dict[str, Any] | None:
        """The review as data."""
        return None if self.packed_document is None else unpacked(self.packed_document)

    @document.setter
    def document(self, document: dict[str, Any] | None) -> None:
        self.packed_document = None if document is None else packed(document)


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

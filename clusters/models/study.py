"""Studies: one question asked in many variants, each worked on by whichever worker is free."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from clusters.models.cluster import Cluster
from clusters.models.lane import Lane


class Study(models.Model):
    """A question with several parts: a run under several configurations, or room for several shapes of pods."""

    class Kind(models.TextChoices):
        SWEEP = "sweep"
        HEADROOM = "headroom"
        NODES_NEEDED = "nodes-needed"
        REMOVABLE = "removable"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="studies", null=True)
    # What its parts begin with; runs have their own. Null for a sweep, and for what begins with an empty cluster.
    base = models.ForeignKey("clusters.RunBase", on_delete=models.RESTRICT, related_name="studies", null=True)
    title = models.CharField(max_length=200)
    # What is common to all parts.
    spec = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title


class StudyPart(models.Model):
    """One part of a study that is no run of its own, and its answer."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=200)
    spec = models.JSONField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    result = models.JSONField(null=True)
    error = models.JSONField(null=True)
    # The line in which it waits for a worker; empty for what is worked on where it is asked for.
    lane = models.CharField(max_length=16, choices=Lane.choices, blank=True, default="")
    # As of a run: how many workers have begun it, which of them has it, and its last sign of life.
    begun = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=32, blank=True, editable=False)
    heartbeat_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "number"], name="study_part_once"),)
        ordering = ("study", "number")

    def __str__(self) -> str:
        return self.label

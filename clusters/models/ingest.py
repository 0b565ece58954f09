"""Ingest runs."""

from __future__ import annotations

from django.db import models

from clusters.models.cluster import Cluster


class Ingest(models.Model):
    """One run of reading a source into the mirror: how far it is, what it skipped and why, how it ended."""

    class State(models.TextChoices):
        QUEUED = "queued"
        READING = "reading"
        WRITING = "writing"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    class Content(models.TextChoices):
        DUMP = "dump"
        LOG = "log"
        USAGE = "usage"

    UNFINISHED = (State.QUEUED, State.READING, State.WRITING)

    # None for a first dump that was not taken: it leaves no cluster behind, only the word of what became of it, and the
    # name that the cluster would have had.
    cluster = models.ForeignKey(Cluster, null=True, on_delete=models.CASCADE, related_name="ingests")
    intended_name = models.CharField(max_length=63, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    # The file's name as its sender called it, for people to recognise; never used as a path.
    file_name = models.CharField(max_length=255)
    # A dump is the cluster's state; a log adds what was observed and leaves the state alone. Its objects are lines,
    # and what is kept of it are attempts. Usage is kept beside the state as well, by hour.
    content = models.CharField(max_length=16, choices=Content.choices, default=Content.DUMP)
    # Where the upload lies until it is read; empty for a path that the terminal named, which is not ours to remove.
    upload = models.TextField(blank=True, editable=False)
    bytes_total = models.BigIntegerField(default=0)
    # Of the source as it is on disk, compressed or not, so that the two make a fraction.
    bytes_read = models.BigIntegerField(default=0)
    objects_read = models.BigIntegerField(default=0)
    objects_kept = models.BigIntegerField(default=0)
    objects_skipped = models.BigIntegerField(default=0)
    # What was left out: `stored_skips` writes it, and `worded_skip` reads it.
    skipped = models.JSONField(default=list)
    # {kind: number of objects} of what was kept.
    kept = models.JSONField(default=dict)
    gaps = models.JSONField(default=list)
    # {"file", "document", "field", "problem", "remedy"} where the input was at fault, {"problem", "remedy"} elsewhere.
    error = models.JSONField(null=True)
    rows_added = models.BigIntegerField(default=0)
    rows_changed = models.BigIntegerField(default=0)
    rows_removed = models.BigIntegerField(default=0)
    # The cluster's revision after this run; null until it is done.
    revision = models.PositiveBigIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    # The last sign of life: a run that shows none for long has lost its worker.
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = (
            "-created_at",
            "-pk",
        )
        indexes = (models.Index(fields=["state", "heartbeat_at"], name="ingest_unfinished"),)

    def __str__(self) -> str:
        return f"{self.file_name} into {self.cluster_name}"

    @property
    def cluster_name(self) -> str:
        """The name of the cluster that it is of, or would have been of."""
        return self.cluster.name if self.cluster is not None else self.intended_name

    @property
    def is_finished(self) -> bool:
        return self.state not in self.UNFINISHED

    @property
    def fraction_read(self) -> float:
        """How much of the source has been read, from 0 to 1."""
        return min(1.0, self.bytes_read / self.bytes_total) if self.bytes_total else 0.0

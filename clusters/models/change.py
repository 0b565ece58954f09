"""What changed with one revision of a cluster."""

from __future__ import annotations

from django.db import models

from clusters.models.cluster import Cluster


class Change(models.Model):
    """The objects of one kind that one revision changed, by which a snapshot in memory is brought forward.

    Only live clusters write these, and only the newest revisions have them: a revision without any says that whoever
    holds an older state has to read everything again.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="changes", db_index=False)
    revision = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=63)
    # A list of [uid, namespace, name, is_deleted].
    touched = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "revision", "kind"], name="change"),)

    def __str__(self) -> str:
        return f"{len(self.touched)} × {self.kind} with revision {self.revision}"

"""Who may write a live cluster's mirror."""

from __future__ import annotations

from django.db import models

from clusters.models.cluster import Cluster


class WatchLease(models.Model):
    """The right to mirror one live cluster, held by one watcher at a time, and that watcher's last sign of life.

    Times are the database's own, so that the clocks of watchers' machines need not agree.
    """

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, primary_key=True, related_name="lease")
    # The machine, the process and the moment it began, for people to find it.
    holder = models.CharField(max_length=255)
    # Grows by one whenever the lease changes hands; a batch is written only under the present one.
    token = models.PositiveBigIntegerField()
    acquired_at = models.DateTimeField()
    # A holder that was not heard of until then has lost it.
    expires_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    # From the arrival of the oldest change in the last batch to its commit.
    lag_ms = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.cluster} by {self.holder}"

"""How far the mirror of one kind of a live cluster is."""

from __future__ import annotations

from django.db import models

from clusters.models.cluster import Cluster


class WatchedKind(models.Model):
    """A kind of a live cluster: whether it is followed, and if not, since when and why."""

    class State(models.TextChoices):
        OK = "ok"
        RELISTING = "relisting"
        FORBIDDEN = "forbidden"
        SILENT = "silent"
        UNSERVED = "unserved"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="watched_kinds", db_index=False)
    kind = models.CharField(max_length=63)
    # As it is served, such as resource.k8s.io/v1beta2; empty until that is known.
    api_version = models.CharField(max_length=63, blank=True)
    state = models.CharField(max_length=16, choices=State.choices)
    state_since = models.DateTimeField()
    # Why it is not followed, as `text_of_problem` encodes it; empty while all is well.
    problem = models.TextField(blank=True)
    # Of the newest change or bookmark that is in the mirror; opaque, as the API asks.
    resource_version = models.CharField(max_length=63, blank=True)
    objects_count = models.PositiveBigIntegerField(default=0)
    # When an object of the kind was last seen to change.
    last_event_at = models.DateTimeField(null=True)
    # When the API server last said anything about the kind, be it that nothing has changed.
    last_contact_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "kind"], name="watched_kind"),)

    def __str__(self) -> str:
        return f"{self.kind} of {self.cluster}"

"""Events."""

from __future__ import annotations

from django.db import models

from clusters.models.mirrored import Namespaced


class Event(Namespaced):
    """What a component reported about an object, from either of the two event APIs."""

    involved_kind = models.TextField(blank=True)
    involved_namespace = models.TextField(blank=True)
    involved_name = models.TextField(blank=True)
    involved_uid = models.TextField(blank=True)
    type = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    action = models.TextField(blank=True)
    message = models.TextField(blank=True)
    reporting_component = models.TextField(blank=True)
    count = models.BigIntegerField()
    first_seen = models.DateTimeField(null=True)
    last_seen = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "uid"], name="event_uid"),)
        indexes = (
            models.Index(
                fields=["cluster", "involved_kind", "involved_namespace", "involved_name"], name="event_by_object"
            ),
            models.Index(fields=["cluster", "-last_seen"], name="event_latest"),
        )

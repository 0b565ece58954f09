"""Disruption budgets."""

from __future__ import annotations

from django.db import models

from clusters.models.mirrored import Namespaced


class PodDisruptionBudget(Namespaced):
    """A budget; the numbers are null until the disruption controller has reported them."""

    # A number or a percentage, as written; empty where the other one is set.
    min_available = models.TextField(blank=True)
    max_unavailable = models.TextField(blank=True)
    unhealthy_pod_eviction_policy = models.TextField(blank=True)
    expected_pods = models.BigIntegerField(null=True)
    current_healthy = models.BigIntegerField(null=True)
    desired_healthy = models.BigIntegerField(null=True)
    disruptions_allowed = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["cluster", "uid"], name="budget_uid"),
            models.UniqueConstraint(fields=["cluster", "namespace", "name"], name="budget_name"),
        )

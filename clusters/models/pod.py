"""Pods."""

from __future__ import annotations

from django.db import models

from clusters.models.mirrored import Namespaced


class Pod(Namespaced):
    """A pod; amounts are its effective requests, as the scheduler counts them."""

    node_name = models.TextField(blank=True)
    phase = models.TextField(blank=True)
    # No node yet, and neither finished nor on its way out.
    is_pending = models.BooleanField()
    # Held back by scheduling gates.
    is_gated = models.BooleanField()
    priority = models.IntegerField(null=True)
    priority_class = models.TextField(blank=True)
    scheduler_name = models.TextField()
    # The controller, or the first owner where none is marked as controller.
    owner_kind = models.TextField(blank=True)
    owner_name = models.TextField(blank=True)
    # As the API server reports it; empty where the dump has no status.
    qos_class = models.TextField(blank=True)
    cpu_milli = models.BigIntegerField()
    memory_bytes = models.BigIntegerField()
    created_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)
    nominated_node_name = models.TextField(blank=True)
    # The whole text of the PodScheduled condition while it is False; events cut theirs off at 1,024 characters.
    unschedulable_message = models.TextField(blank=True)
    # What most says how it is beside its phase: that of its status, or of a container. Empty where all is well.
    status_reason = models.TextField(blank=True, default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["cluster", "uid"], name="pod_uid"),
            models.UniqueConstraint(fields=["cluster", "namespace", "name"], name="pod_name"),
        )
        indexes = (
            # Pending first is the order of the pods page, and a search by part of the name walks this index.
            models.Index(
                models.F("cluster"),
                models.F("is_pending").desc(),
                models.F("namespace"),
                models.F("name"),
                name="pod_pending_first",
            ),
            # With what is summed up node by node, so that sums read this and not the wide rows.
            models.Index(fields=["cluster", "node_name", "phase", "cpu_milli", "memory_bytes"], name="pod_by_node"),
            # Everything else that the pods page sorts and filters by, so that no order reads the wide rows of all pods.
            models.Index(
                fields=[
                    "cluster",
                    "namespace",
                    "name",
                    "is_pending",
                    "is_gated",
                    "phase",
                    "cpu_milli",
                    "memory_bytes",
                    "priority",
                    "created_at",
                ],
                name="pod_list",
            ),
            # How many pods each scheduler has, and how many of those wait.
            models.Index(fields=["cluster", "scheduler_name", "is_pending"], name="pod_by_scheduler"),
            # Pods that are not well; of those that are, the reason is empty.
            models.Index(fields=["cluster", "status_reason", "phase"], name="pod_by_reason"),
        )

    @property
    def holds_node(self) -> bool:
        """Whether the pod is on a node and has not finished there."""
        return bool(self.node_name) and self.phase not in ("Succeeded", "Failed")

"""The mirror: rows of a cluster's objects, with the fields that are searched and sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson
from django.db import models

from clusters.models.cluster import Cluster

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


class ObjectField(models.JSONField):
    """A JSON column that is read with orjson: a snapshot reads every row of a cluster."""

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        if isinstance(value, str) and expression is not None and not hasattr(expression, "key_name"):
            return orjson.loads(value)
        return super().from_db_value(value, expression, connection)


class Mirrored(models.Model):
    """An object of a cluster, pruned to what scheduling, disruption and the pages read."""

    # Every unique constraint leads with the cluster already, so the foreign key needs no index of its own.
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="%(class)ss", db_index=False)
    # `name:Kind/namespace/name` where the dump gives no UID.
    uid = models.CharField(max_length=400)
    name = models.CharField(max_length=253)
    # Of the pruned object: an ingest leaves a row alone whose digest is unchanged.
    digest = models.CharField(max_length=32, editable=False)
    object = ObjectField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Namespaced(Mirrored):
    """A mirrored object that lives in a namespace."""

    namespace = models.CharField(max_length=63)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


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


# Which pods wait. By a list of one, as SQLite finds no index by the field alone.
PENDING: Final = models.Q(is_pending__in=(True,))


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


class KubeObject(Namespaced):
    """An object of a kind that no page lists by columns; a cluster-scoped one has an empty namespace."""

    kind = models.CharField(max_length=63)
    api_version = models.CharField(max_length=63)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["cluster", "uid"], name="kube_object_uid"),
            models.UniqueConstraint(fields=["cluster", "kind", "namespace", "name"], name="kube_object_name"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

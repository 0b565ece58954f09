"""Everything else that scheduling reads."""

from __future__ import annotations

from django.db import models

from clusters.models.mirrored import Namespaced


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

"""A source of mirrored state."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models

# At most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit.
CLUSTER_NAME = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"


class Cluster(models.Model):
    """A Kubernetes cluster as the mirror last saw it."""

    class Source(models.TextChoices):
        DUMP = "dump"
        LIVE = "live"

    name = models.CharField(
        max_length=63,
        unique=True,
        # Forms say in words what the code means.
        validators=[RegexValidator(rf"\A{CLUSTER_NAME}\Z", code="cluster-name")],
    )
    source = models.CharField(max_length=16, choices=Source.choices, default=Source.DUMP)
    # Where a live cluster's credentials are: a kubeconfig's path on Berth's machine and a context in it. Both are empty
    # for the service account of the pod that Berth runs in. What is in the file is never stored.
    kubeconfig = models.TextField(blank=True)
    context = models.TextField(blank=True)
    # As in "v1.34.1": the API server's, or the newest kubelet's of a dump, which holds no better witness.
    kube_version = models.CharField(max_length=64, blank=True)
    # Grows by one with every committed change of the mirrored state; never with an ingest that found nothing new.
    revision = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    last_sync = models.DateTimeField(null=True, blank=True)
    # Since when departures of nodes and pods are recorded; null where none are.
    departures_since = models.DateTimeField(null=True, blank=True)
    # What the source lacks or may not be read: a list of {"kind", "why", "affects"}, sentences,
    # and "felt": whether a pod is concerned.
    gaps = models.JSONField(default=list, blank=True)
    # The KubeSchedulerConfiguration that the dump brought along; each dump brings its own, or none.
    scheduler_configuration = models.JSONField(null=True, blank=True)
    # The one that somebody gave here: it goes before the dump's, and stays when a newer dump is read.
    chosen_configuration = models.JSONField(null=True, blank=True)
    # Gates that its kube-scheduler is started with: by name whether each is on, null where replicas differ.
    feature_gates = models.JSONField(default=dict, blank=True)
    # Those that somebody gave here: they go before those, and stay when a newer dump is read.
    chosen_feature_gates = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def is_live(self) -> bool:
        return self.source == self.Source.LIVE

    @property
    def is_unread(self) -> bool:
        """Whether no dump of it has been taken yet."""
        return self.last_sync is None

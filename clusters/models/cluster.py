"""Clusters, and how each is read: dumps and their progress, watched kinds, who watches, what changed."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec
import orjson
from django.core.validators import RegexValidator
from django.db import models

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clusters.engine import Snapshot


def packed(document: Any) -> bytes:
    """Return a JSON document compressed, or one of msgspec's structs."""
    return zlib.compress(orjson.dumps(document, default=msgspec.to_builtins), 6)


def unpacked(text: bytes | memoryview) -> Any:
    """Return the document that `packed` compressed."""
    return orjson.loads(zlib.decompress(text))


# At most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit.
CLUSTER_NAME = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"


# A cluster's key, and the moment of its past that is asked about.
Moment: TypeAlias = "tuple[int, datetime | None]"


class PastState(NamedTuple):
    """A cluster at a moment of its past.

    ``pending``: the pods without a node, as they were then, by ``namespace/name``. ``altered``: the pods on nodes that
    the mirror does not hold as they were, each with the key of its departure, 0 of one that is still there. ``late``
    counts pods on nodes that may have gone before already.
    """

    at: datetime
    snapshot: Snapshot
    pending: Mapping[str, dict[str, Any]]
    altered: Mapping[str, int]
    late: int


class Cluster(models.Model):
    """A Kubernetes cluster as the mirror last saw it."""

    # The moment that whoever hands the cluster on asks about, never stored; None for the present.
    past: PastState | None = None
    # Whether all that is asked of this object is answered of one state, and which, once it was asked for; never stored.
    is_held = False
    held: tuple[int, Snapshot] | None = None

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
    def moment(self) -> Moment:
        """What answers about it are kept by."""
        return self.pk, None if self.past is None else self.past.at

    @property
    def is_unread(self) -> bool:
        """Whether no dump of it has been taken yet."""
        return self.last_sync is None


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


class Change(models.Model):
    """The objects of one kind that one revision changed, by which a snapshot in memory is brought forward.

    Dumps that differ in much from the ones before write none, and only the newest revisions have them: a revision
    without any says that whoever holds an older state has to read everything again.
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


class NodeChange(models.Model):
    """One change of a node that decides which pods it takes, kept as decisions are."""

    class Kind(models.TextChoices):
        ADDED = "added"
        REMOVED = "removed"
        CORDONED = "cordoned"
        UNCORDONED = "uncordoned"
        NOT_READY = "not-ready"
        READY = "ready"
        PRESSURE = "pressure"
        RELIEVED = "relieved"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="node_changes", db_index=False)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    node_name = models.TextField()
    # By Berth's clock.
    heard_at = models.DateTimeField()
    # The condition of a pressure, as in MemoryPressure.
    condition = models.TextField(blank=True)

    class Meta:
        indexes = (models.Index(fields=["cluster", "-heard_at", "-id"], name="node_change_latest"),)

    def __str__(self) -> str:
        return f"{self.node_name} {self.kind}"

"""The journal: decisions of kube-scheduler and what they are judged by."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import orjson
from django.db import models
from django.db.models.fields.json import KT

from clusters.models.cluster import Cluster, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.documents.explanation import ExplanationDocument


class Explained(models.Model):
    """A row with an explanation, compressed: nobody searches in it."""

    packed_explanation = models.BinaryField(null=True)

    class Meta:
        abstract = True

    @property
    def explanation(self) -> ExplanationDocument | None:
        """What was computed; None while there is nothing."""
        # Every process loads the models, and few read an explanation.
        from clusters.documents.writing import read_explanation

        return None if self.packed_explanation is None else read_explanation(unpacked(self.packed_explanation))

    @explanation.setter
    def explanation(self, document: ExplanationDocument | None) -> None:
        self.packed_explanation = None if document is None else packed(document)


class Decision(Explained):
    """One decision about one pod: what the cluster said, what was computed, and how the two compare.

    Facts are written with the batch that brought them; the judgement follows a moment later. A pod that stays
    unschedulable for the same reason is one decision with a growing number of attempts.
    """

    class Kind(models.TextChoices):
        BOUND = "bound"
        UNSCHEDULABLE = "unschedulable"
        GATED = "gated"
        NOMINATED = "nominated"
        PREEMPTED = "preempted"
        EVICTED = "evicted"

    class Verdict(models.TextChoices):
        WAITING = "waiting"
        AGREES = "agrees"
        SAMPLED = "sampled"
        DISAGREES = "disagrees"
        UNJUDGED = "unjudged"

    class Reason(models.TextChoices):
        """Why a decision was not agreed with, or not judged; or what it is agreed with by."""

        INFEASIBLE = "infeasible"
        LOWER_SCORE = "lower-score"
        FITS = "fits"
        OTHER_MESSAGE = "other-message"
        LAG = "snapshot-lag"
        EXTENDER = "extender"
        OTHER_SCHEDULER = "other-scheduler"
        UNKNOWN_PLUGIN = "unknown-plugin"
        OTHER_RELEASE = "other-release"
        CONFIGURATION = "configuration"
        GAP = "gap"
        ERROR = "error"
        NO_DECISION = "no-decision"
        SIMULATED = "simulated"
        # Agreed with by where the search for nodes began.
        SEARCH = "search"
        # Agreed with as one of several nodes with the highest total.
        TIE = "tie"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="decisions", db_index=False)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    pod_uid = models.TextField()
    namespace = models.TextField()
    name = models.TextField()
    owner_kind = models.TextField(blank=True)
    owner_name = models.TextField(blank=True)
    scheduler_name = models.TextField(blank=True)
    priority = models.IntegerField(null=True)
    # By Berth's clock: when it heard of the decision, and of the last attempt that ended the same way.
    heard_at = models.DateTimeField()
    last_heard_at = models.DateTimeField()
    # By the cluster's clock, from the event or the condition; null where neither says.
    reported_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=1)
    # Of the pod, in the state that shows the decision; opaque, and empty for one that a list brought.
    resource_version = models.CharField(max_length=63, blank=True)
    # Chosen, nominated, or left by a victim.
    node_name = models.TextField(blank=True)
    # The condition's message in full.
    message = models.TextField(blank=True)
    # {"reason", "note", "component", "time"} of the event that came with it, which the cluster forgets after an hour.
    event = models.JSONField(null=True)
    preemptor_uid = models.TextField(blank=True)
    preemptor_namespace = models.TextField(blank=True)
    preemptor_name = models.TextField(blank=True)

    verdict = models.CharField(max_length=16, choices=Verdict.choices, default=Verdict.WAITING)
    reason = models.CharField(max_length=24, choices=Reason.choices, blank=True)
    judged_at = models.DateTimeField(null=True)
    # {"state": "before" | "nearby", "ahead", "behind", "milliseconds"}: on which state it was judged, as
    # clusters.services.journal.states tells; with "search", what was known of a search that ended early, as
    # clusters.services.journal.judge tells.
    basis = models.JSONField(null=True)
    # The state's name by itself: counting reads it from an index instead of from every row.
    basis_state = models.GeneratedField(
        expression=KT("basis__state"), output_field=models.CharField(max_length=16, null=True), db_persist=True
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["cluster", "pod_uid", "kind", "resource_version"], name="decision_once"),
        )
        indexes = (
            models.Index(fields=["cluster", "-heard_at", "-id"], name="decision_latest"),
            models.Index(fields=["cluster", "namespace", "name"], name="decision_of_pod"),
            # What rates are counted from.
            models.Index(
                fields=["heard_at", "cluster", "kind", "verdict", "reason", "basis_state"], name="decision_rate"
            ),
            # What lists of disagreements are read from.
            models.Index(fields=["verdict", "-heard_at", "-id"], name="decision_verdict"),
        )

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name} {self.kind}"


class Departure(models.Model):
    """A node that was removed, or a pod that was deleted; kept as decisions are."""

    class Kind(models.TextChoices):
        NODE = "Node"
        POD = "Pod"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="departures", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    uid = models.TextField()
    namespace = models.TextField(blank=True)
    name = models.TextField()
    # Where the pod was; empty of one that was pending.
    node_name = models.TextField(blank=True)
    created_at = models.DateTimeField(null=True)
    # By Berth's clock.
    heard_at = models.DateTimeField()
    # A list of all objects lacked it: it may have gone at any time since the one before.
    is_late = models.BooleanField(default=False)
    packed_object = models.BinaryField()

    class Meta:
        indexes = (models.Index(fields=["cluster", "-heard_at", "-id"], name="departure_latest"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def document(self) -> dict[str, Any]:
        """The object as it was last seen, pruned as the mirror's."""
        found: dict[str, Any] = unpacked(self.packed_object)
        return found

    @document.setter
    def document(self, document: Mapping[str, Any]) -> None:
        self.packed_object = packed(document)


class FollowedSearches(models.Model):
    """Where the next search of a cluster's scheduler can begin, as the watcher that ended last left it."""

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, related_name="followed_searches")
    # The newest decision that bound a pod, and was judged. When there is another one since, nothing is known any more.
    decision = models.BigIntegerField()
    parallelism = models.PositiveIntegerField()
    packed_state = models.BinaryField()

    def __str__(self) -> str:
        return str(self.cluster)

    @property
    def state(self) -> Any:
        """What `clusters.services.journal.judge` follows on from."""
        return unpacked(self.packed_state)

    @state.setter
    def state(self, document: Any) -> None:
        self.packed_state = packed(document)


class Observation(models.Model):
    """One attempt to schedule one pod as a simulator or a scheduler's log recorded it.

    It outlives the pod: what was recorded of pods that the mirror does not hold is kept as well.
    """

    class Source(models.TextChoices):
        SIMULATOR = "simulator", "kube-scheduler-simulator"
        LOG = "log", "kube-scheduler's log"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="observations", db_index=False)
    namespace = models.CharField(max_length=63)
    name = models.CharField(max_length=253)
    # Empty where the source names the pod only.
    pod_uid = models.CharField(max_length=128, blank=True)
    source = models.CharField(max_length=16, choices=Source.choices)
    # Tells an attempt from the pod's others, the same on every reading: its number, or the time of day it began.
    key = models.CharField(max_length=40)
    # The file's name as its sender called it.
    origin = models.CharField(max_length=255)
    # From 1, where the source numbers attempts.
    attempt = models.PositiveIntegerField(null=True)
    # By the source's clock; null where it does not say.
    observed_at = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField(auto_now_add=True)
    # How much was recorded: of two readings of an attempt the fuller one is kept.
    cells = models.PositiveIntegerField()
    # The normal form of clusters.adapters.observed, compressed: nobody searches in it.
    packed_document = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["cluster", "namespace", "name", "source", "pod_uid", "key"], name="observation_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name} {self.key}"

    @property
    def document(self) -> dict[str, Any]:
        """What was recorded, in the normal form of clusters.adapters.observed."""
        return unpacked_file(self.packed_document)


def packed_file(document: dict[str, Any]) -> bytes:
    """Return a document compressed, the same bytes for the same content."""
    return zlib.compress(orjson.dumps(document, option=orjson.OPT_SORT_KEYS))


def unpacked_file(content: bytes | memoryview) -> dict[str, Any]:
    """Return the document that was packed."""
    document: dict[str, Any] = orjson.loads(zlib.decompress(content))
    return document

"""What the cluster decided about its pods, and whether Berth would have decided the same."""

from __future__ import annotations

from django.db import models
from django.db.models.fields.json import KT

from clusters.models.cluster import Cluster
from clusters.models.explained import Explained


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

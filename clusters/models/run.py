"""Simulations, their steps, and studies of several."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from clusters.models.cluster import Cluster
from clusters.models.decision import Explained
from clusters.models.mirrored import ObjectField


class Lane(models.TextChoices):
    """What waits in one keeps nothing in the other waiting; the values are the names of the broker's queues."""

    # Somebody, or a pipeline, waits for the answer.
    QUESTIONS = "questions"
    # With studies and reviews.
    SIMULATIONS = "simulations"


class Study(models.Model):
    """A question with several parts: a run under several configurations, or room for several shapes of pods."""

    class Kind(models.TextChoices):
        SWEEP = "sweep"
        HEADROOM = "headroom"
        NODES_NEEDED = "nodes-needed"
        REMOVABLE = "removable"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="studies", null=True)
    # What its parts begin with; runs have their own. Null for a sweep, and for what begins with an empty cluster.
    base = models.ForeignKey("clusters.RunBase", on_delete=models.RESTRICT, related_name="studies", null=True)
    title = models.CharField(max_length=200)
    # What is common to all parts.
    spec = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title


class StudyPart(models.Model):
    """One part of a study that is no run of its own, and its answer."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=200)
    spec = models.JSONField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    result = models.JSONField(null=True)
    error = models.JSONField(null=True)
    # The line in which it waits for a worker; empty for what is worked on where it is asked for.
    lane = models.CharField(max_length=16, choices=Lane.choices, blank=True, default="")
    # As of a run: how many workers have begun it, which of them has it, and its last sign of life.
    begun = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=32, blank=True, editable=False)
    heartbeat_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "number"], name="study_part_once"),)
        ordering = ("study", "number")

    def __str__(self) -> str:
        return self.label


class RunBase(models.Model):
    """A cluster at one revision, from which a run can be run again, bit for bit.

    It is the mirror as it is now, but for what was replaced since: of that the base keeps what was there before.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="run_bases")
    revision = models.PositiveBigIntegerField()
    # The last moment that the cluster's state was about; null for one that is followed.
    as_of = models.DateTimeField(null=True)
    # Nodes and pods.
    object_count = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["cluster", "revision"], name="run_base_once"),)

    def __str__(self) -> str:
        return f"{self.cluster}@{self.revision}"


class ReplacedObject(models.Model):
    """An object as it was when a base was the newest of its cluster, until then unchanged since; null if it came then.

    Each later change of the same object is kept with a later base, if there is one.
    """

    base = models.ForeignKey(RunBase, on_delete=models.CASCADE, related_name="replaced", db_index=False)
    kind = models.CharField(max_length=63)
    uid = models.TextField()
    namespace = models.TextField(blank=True)
    name = models.TextField()
    object = ObjectField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["base", "kind", "uid"], name="replaced_once"),)
        indexes = (models.Index(fields=["base", "kind", "namespace", "name"], name="replaced_of_name"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}"


class SimulationRun(models.Model):
    """One simulation: a base, changes to it, a scheduler and a seed; the same four always give the same run."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    UNFINISHED = (State.QUEUED, State.RUNNING)

    # Null with the base for a run that begins with an empty cluster.
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="runs", null=True)
    base = models.ForeignKey(RunBase, on_delete=models.RESTRICT, related_name="runs", null=True)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="runs", null=True)
    # One that backs a recommendation of a review: it goes with the review, and lists leave it out.
    is_of_review = models.BooleanField(default=False)
    title = models.CharField(max_length=200)
    # As clusters.services.runs.spec reads it: the changes, the configuration, the scheduler, the seed.
    spec = models.JSONField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    is_stop_wanted = models.BooleanField(default=False)
    # The line in which it waits for a worker; empty for what is worked on where it is asked for.
    lane = models.CharField(max_length=16, choices=Lane.choices, blank=True, default="")
    # How many workers have begun it; one that kills its workers is given up.
    begun = models.PositiveSmallIntegerField(default=0)
    # Which of them has it: drawn anew by each that begins, so that one taken for dead notices when it wakes up.
    worker = models.CharField(max_length=32, blank=True, editable=False)
    pods_total = models.PositiveIntegerField(default=0)
    pods_done = models.PositiveIntegerField(default=0)
    steps = models.PositiveIntegerField(default=0)
    # What came of it, as `RunResults.summary` makes it; null until it is done.
    summary = models.JSONField(null=True)
    # {"problem", "remedy"} and where it helps "field".
    error = models.JSONField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    # The last sign of life: a run that shows none for long has lost its worker, and another one goes on.
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        indexes = (
            models.Index(fields=["state", "heartbeat_at"], name="run_unfinished"),
            models.Index(fields=["cluster", "-created_at"], name="run_of_cluster"),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def is_finished(self) -> bool:
        return self.state not in self.UNFINISHED


class RunChunk(models.Model):
    """A stretch of a run's steps, written in one transaction with the run's progress: what is written is not lost."""

    run = models.ForeignKey(SimulationRun, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    first_step = models.PositiveIntegerField()
    step_count = models.PositiveIntegerField()
    packed_steps = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["run", "number"], name="run_chunk_once"),)
        ordering = ("run", "number")

    def __str__(self) -> str:
        return f"{self.run_id}/{self.first_step}+{self.step_count}"


class RunPod(Explained):
    """Where one pod of a run ended, for tables and filters."""

    class Outcome(models.TextChoices):
        PLACED = "placed"
        # By all that is computed; what is not could still keep it from its node.
        UNCERTAIN = "uncertain"
        # Its time was over, after it ran.
        COMPLETED = "completed"
        UNSCHEDULABLE = "unschedulable"
        GATED = "gated"
        # A quota refused to let it be created.
        FORBIDDEN = "forbidden"
        NOT_COMPUTED = "not-computed"
        PREEMPTED = "preempted"
        EVICTED = "evicted"
        # Its Job failed.
        DELETED = "deleted"
        # A budget refused its eviction.
        REFUSED = "refused"
        # Nothing controls it, so no drain evicts it without --force.
        HELD = "held"

    run = models.ForeignKey(SimulationRun, on_delete=models.CASCADE, related_name="pods", db_index=False)
    namespace = models.TextField()
    name = models.TextField()
    workload = models.TextField(blank=True)
    outcome = models.CharField(max_length=16, choices=Outcome.choices)
    node_name = models.TextField(blank=True)
    # The step that decided it, from 0.
    step = models.PositiveIntegerField()
    attempts = models.PositiveIntegerField(default=1)
    # Of a pending pod, as its explanation is: the scheduler's message in full, or a problem. Of an uncertain
    # one: why. `stored_messages` writes and reads it.
    message = models.TextField(blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["run", "namespace", "name"], name="run_pod_once"),)
        indexes = (models.Index(fields=["run", "outcome", "step"], name="run_pod_outcome"),)

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name} {self.outcome}"

from __future__ import annotations

import django.core.validators
import django.db.models.deletion
import django.db.models.fields.json
from django.conf import settings
from django.db import migrations, models

import clusters.models.mirrored


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Cluster",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        max_length=63,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\\Z", code="cluster-name"
                            )
                        ],
                    ),
                ),
                (
                    "source",
                    models.CharField(choices=[("dump", "Dump"), ("live", "Live")], default="dump", max_length=16),
                ),
                ("kubeconfig", models.TextField(blank=True)),
                ("context", models.TextField(blank=True)),
                ("kube_version", models.CharField(blank=True, max_length=64)),
                ("revision", models.PositiveBigIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("last_sync", models.DateTimeField(blank=True, null=True)),
                ("departures_since", models.DateTimeField(blank=True, null=True)),
                ("gaps", models.JSONField(blank=True, default=list)),
                ("scheduler_configuration", models.JSONField(blank=True, null=True)),
                ("chosen_configuration", models.JSONField(blank=True, null=True)),
                ("feature_gates", models.JSONField(blank=True, default=dict)),
                ("chosen_feature_gates", models.JSONField(blank=True, null=True)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="StoredLesson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("uploaded_by", models.CharField(max_length=150)),
                ("packed_files", models.BinaryField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="UsageReading",
            fields=[
                (
                    "cluster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="usage_reading",
                        serialize=False,
                        to="clusters.cluster",
                    ),
                ),
                ("tried_at", models.DateTimeField()),
                (
                    "source",
                    models.CharField(
                        choices=[("metrics", "Metrics"), ("prometheus", "Prometheus"), ("file", "File")], max_length=16
                    ),
                ),
                ("problem", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="WatchLease",
            fields=[
                (
                    "cluster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="lease",
                        serialize=False,
                        to="clusters.cluster",
                    ),
                ),
                ("holder", models.CharField(max_length=255)),
                ("token", models.PositiveBigIntegerField()),
                ("acquired_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("heartbeat_at", models.DateTimeField()),
                ("lag_ms", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="FollowedSearches",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("decision", models.BigIntegerField()),
                ("parallelism", models.PositiveIntegerField()),
                ("packed_state", models.BinaryField()),
                (
                    "cluster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed_searches",
                        to="clusters.cluster",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReportSchedule",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("order", models.JSONField()),
                ("weekday", models.PositiveSmallIntegerField()),
                ("hour", models.PositiveSmallIntegerField()),
                ("keep_days", models.PositiveIntegerField(default=365)),
                ("next_at", models.DateTimeField(db_index=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="report_schedules",
                        to="clusters.cluster",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("cluster", "title", "pk"),
            },
        ),
        migrations.CreateModel(
            name="RunBase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveBigIntegerField()),
                ("as_of", models.DateTimeField(null=True)),
                ("object_count", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="run_bases", to="clusters.cluster"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReplacedObject",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=63)),
                ("uid", models.TextField()),
                ("namespace", models.TextField(blank=True)),
                ("name", models.TextField()),
                ("object", clusters.models.mirrored.ObjectField(null=True)),
                (
                    "base",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replaced",
                        to="clusters.runbase",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["base", "kind", "namespace", "name"], name="replaced_of_name")],
                "constraints": [models.UniqueConstraint(fields=("base", "kind", "uid"), name="replaced_once")],
            },
        ),
        migrations.CreateModel(
            name="SimulationRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_of_review", models.BooleanField(default=False)),
                ("title", models.CharField(max_length=200)),
                ("spec", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("cancelled", "Cancelled"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("is_stop_wanted", models.BooleanField(default=False)),
                (
                    "lane",
                    models.CharField(
                        blank=True,
                        choices=[("questions", "Questions"), ("simulations", "Simulations")],
                        default="",
                        max_length=16,
                    ),
                ),
                ("begun", models.PositiveSmallIntegerField(default=0)),
                ("worker", models.CharField(blank=True, editable=False, max_length=32)),
                ("pods_total", models.PositiveIntegerField(default=0)),
                ("pods_done", models.PositiveIntegerField(default=0)),
                ("steps", models.PositiveIntegerField(default=0)),
                ("summary", models.JSONField(null=True)),
                ("error", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "base",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="runs",
                        to="clusters.runbase",
                    ),
                ),
                (
                    "cluster",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="clusters.cluster",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="RunPod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("packed_explanation", models.BinaryField(null=True)),
                ("namespace", models.TextField()),
                ("name", models.TextField()),
                ("workload", models.TextField(blank=True)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("placed", "Placed"),
                            ("uncertain", "Uncertain"),
                            ("completed", "Completed"),
                            ("unschedulable", "Unschedulable"),
                            ("gated", "Gated"),
                            ("forbidden", "Forbidden"),
                            ("not-computed", "Not Computed"),
                            ("preempted", "Preempted"),
                            ("evicted", "Evicted"),
                            ("deleted", "Deleted"),
                            ("refused", "Refused"),
                            ("held", "Held"),
                        ],
                        max_length=16,
                    ),
                ),
                ("node_name", models.TextField(blank=True)),
                ("step", models.PositiveIntegerField()),
                ("attempts", models.PositiveIntegerField(default=1)),
                ("message", models.TextField(blank=True)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pods",
                        to="clusters.simulationrun",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RunChunk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("first_step", models.PositiveIntegerField()),
                ("step_count", models.PositiveIntegerField()),
                ("packed_steps", models.BinaryField()),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chunks", to="clusters.simulationrun"
                    ),
                ),
            ],
            options={
                "ordering": ("run", "number"),
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("order", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("sections_done", models.PositiveSmallIntegerField(default=0)),
                ("packed_document", models.BinaryField(null=True)),
                ("error", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "lane",
                    models.CharField(
                        blank=True,
                        choices=[("questions", "Questions"), ("simulations", "Simulations")],
                        default="",
                        max_length=16,
                    ),
                ),
                ("begun", models.PositiveSmallIntegerField(default=0)),
                ("worker", models.CharField(blank=True, editable=False, max_length=32)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(db_index=True, null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="clusters.cluster"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="clusters.reportschedule",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="clusters.simulationrun",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sweep", "Sweep"),
                            ("headroom", "Headroom"),
                            ("nodes-needed", "Nodes Needed"),
                            ("removable", "Removable"),
                        ],
                        max_length=16,
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("spec", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "base",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="studies",
                        to="clusters.runbase",
                    ),
                ),
                (
                    "cluster",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="studies",
                        to="clusters.cluster",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "studies",
                "ordering": ("-created_at", "-pk"),
            },
        ),
        migrations.AddField(
            model_name="simulationrun",
            name="study",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="runs", to="clusters.study"
            ),
        ),
        migrations.CreateModel(
            name="StudyPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("label", models.CharField(max_length=200)),
                ("spec", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("result", models.JSONField(null=True)),
                ("error", models.JSONField(null=True)),
                (
                    "lane",
                    models.CharField(
                        blank=True,
                        choices=[("questions", "Questions"), ("simulations", "Simulations")],
                        default="",
                        max_length=16,
                    ),
                ),
                ("begun", models.PositiveSmallIntegerField(default=0)),
                ("worker", models.CharField(blank=True, editable=False, max_length=32)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="clusters.study"
                    ),
                ),
            ],
            options={
                "ordering": ("study", "number"),
            },
        ),
        migrations.CreateModel(
            name="UsageHour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("sampled_at", models.DateTimeField()),
                (
                    "source",
                    models.CharField(
                        choices=[("metrics", "Metrics"), ("prometheus", "Prometheus"), ("file", "File")], max_length=16
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("packed_content", models.BinaryField()),
                ("packed_pods", models.BinaryField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="usage_hours",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "ordering": ("cluster", "at"),
            },
        ),
        migrations.CreateModel(
            name="WatchedKind",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=63)),
                ("api_version", models.CharField(blank=True, max_length=63)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("ok", "Ok"),
                            ("relisting", "Relisting"),
                            ("forbidden", "Forbidden"),
                            ("silent", "Silent"),
                            ("unserved", "Unserved"),
                        ],
                        max_length=16,
                    ),
                ),
                ("state_since", models.DateTimeField()),
                ("problem", models.TextField(blank=True)),
                ("resource_version", models.CharField(blank=True, max_length=63)),
                ("objects_count", models.PositiveBigIntegerField(default=0)),
                ("last_event_at", models.DateTimeField(null=True)),
                ("last_contact_at", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watched_kinds",
                        to="clusters.cluster",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveBigIntegerField()),
                ("kind", models.CharField(max_length=63)),
                ("touched", models.JSONField()),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("cluster", "revision", "kind"), name="change")],
            },
        ),
        migrations.CreateModel(
            name="CapacitySample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("packed_amounts", models.BinaryField()),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="capacity_samples",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "ordering": ("cluster", "at"),
                "constraints": [models.UniqueConstraint(fields=("cluster", "at"), name="capacity_sample_once")],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("packed_explanation", models.BinaryField(null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bound", "Bound"),
                            ("unschedulable", "Unschedulable"),
                            ("gated", "Gated"),
                            ("nominated", "Nominated"),
                            ("preempted", "Preempted"),
                            ("evicted", "Evicted"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pod_uid", models.TextField()),
                ("namespace", models.TextField()),
                ("name", models.TextField()),
                ("owner_kind", models.TextField(blank=True)),
                ("owner_name", models.TextField(blank=True)),
                ("scheduler_name", models.TextField(blank=True)),
                ("priority", models.IntegerField(null=True)),
                ("heard_at", models.DateTimeField()),
                ("last_heard_at", models.DateTimeField()),
                ("reported_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveIntegerField(default=1)),
                ("resource_version", models.CharField(blank=True, max_length=63)),
                ("node_name", models.TextField(blank=True)),
                ("message", models.TextField(blank=True)),
                ("event", models.JSONField(null=True)),
                ("preemptor_uid", models.TextField(blank=True)),
                ("preemptor_namespace", models.TextField(blank=True)),
                ("preemptor_name", models.TextField(blank=True)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("agrees", "Agrees"),
                            ("sampled", "Sampled"),
                            ("disagrees", "Disagrees"),
                            ("unjudged", "Unjudged"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("infeasible", "Infeasible"),
                            ("lower-score", "Lower Score"),
                            ("fits", "Fits"),
                            ("other-message", "Other Message"),
                            ("snapshot-lag", "Lag"),
                            ("extender", "Extender"),
                            ("other-scheduler", "Other Scheduler"),
                            ("unknown-plugin", "Unknown Plugin"),
                            ("other-release", "Other Release"),
                            ("configuration", "Configuration"),
                            ("gap", "Gap"),
                            ("error", "Error"),
                            ("no-decision", "No Decision"),
                            ("simulated", "Simulated"),
                            ("search", "Search"),
                            ("tie", "Tie"),
                        ],
                        max_length=24,
                    ),
                ),
                ("judged_at", models.DateTimeField(null=True)),
                ("basis", models.JSONField(null=True)),
                (
                    "basis_state",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.fields.json.KeyTextTransform("state", "basis"),
                        output_field=models.CharField(max_length=16, null=True),
                    ),
                ),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["cluster", "-heard_at", "-id"], name="decision_latest"),
                    models.Index(fields=["cluster", "namespace", "name"], name="decision_of_pod"),
                    models.Index(
                        fields=["heard_at", "cluster", "kind", "verdict", "reason", "basis_state"], name="decision_rate"
                    ),
                    models.Index(fields=["verdict", "-heard_at", "-id"], name="decision_verdict"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("cluster", "pod_uid", "kind", "resource_version"), name="decision_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Departure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("Node", "Node"), ("Pod", "Pod")], max_length=8)),
                ("uid", models.TextField()),
                ("namespace", models.TextField(blank=True)),
                ("name", models.TextField()),
                ("node_name", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(null=True)),
                ("heard_at", models.DateTimeField()),
                ("is_late", models.BooleanField(default=False)),
                ("packed_object", models.BinaryField()),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="departures",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["cluster", "-heard_at", "-id"], name="departure_latest")],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=253)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("object", clusters.models.mirrored.ObjectField()),
                ("namespace", models.CharField(max_length=63)),
                ("involved_kind", models.TextField(blank=True)),
                ("involved_namespace", models.TextField(blank=True)),
                ("involved_name", models.TextField(blank=True)),
                ("involved_uid", models.TextField(blank=True)),
                ("type", models.TextField(blank=True)),
                ("reason", models.TextField(blank=True)),
                ("action", models.TextField(blank=True)),
                ("message", models.TextField(blank=True)),
                ("reporting_component", models.TextField(blank=True)),
                ("count", models.BigIntegerField()),
                ("first_seen", models.DateTimeField(null=True)),
                ("last_seen", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["cluster", "involved_kind", "involved_namespace", "involved_name"],
                        name="event_by_object",
                    ),
                    models.Index(fields=["cluster", "-last_seen"], name="event_latest"),
                ],
                "constraints": [models.UniqueConstraint(fields=("cluster", "uid"), name="event_uid")],
            },
        ),
        migrations.CreateModel(
            name="Ingest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("intended_name", models.CharField(blank=True, max_length=63)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("reading", "Reading"),
                            ("writing", "Writing"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("file_name", models.CharField(max_length=255)),
                (
                    "content",
                    models.CharField(
                        choices=[("dump", "Dump"), ("log", "Log"), ("usage", "Usage")], default="dump", max_length=16
                    ),
                ),
                ("upload", models.TextField(blank=True, editable=False)),
                ("bytes_total", models.BigIntegerField(default=0)),
                ("bytes_read", models.BigIntegerField(default=0)),
                ("objects_read", models.BigIntegerField(default=0)),
                ("objects_kept", models.BigIntegerField(default=0)),
                ("objects_skipped", models.BigIntegerField(default=0)),
                ("skipped", models.JSONField(default=list)),
                ("kept", models.JSONField(default=dict)),
                ("gaps", models.JSONField(default=list)),
                ("error", models.JSONField(null=True)),
                ("rows_added", models.BigIntegerField(default=0)),
                ("rows_changed", models.BigIntegerField(default=0)),
                ("rows_removed", models.BigIntegerField(default=0)),
                ("revision", models.PositiveBigIntegerField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ingests",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
                "indexes": [models.Index(fields=["state", "heartbeat_at"], name="ingest_unfinished")],
            },
        ),
        migrations.CreateModel(
            name="KubeObject",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=253)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("object", clusters.models.mirrored.ObjectField()),
                ("namespace", models.CharField(max_length=63)),
                ("kind", models.CharField(max_length=63)),
                ("api_version", models.CharField(max_length=63)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "uid"), name="kube_object_uid"),
                    models.UniqueConstraint(fields=("cluster", "kind", "namespace", "name"), name="kube_object_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Node",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=253)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("object", clusters.models.mirrored.ObjectField()),
                ("zone", models.TextField(blank=True)),
                ("region", models.TextField(blank=True)),
                ("instance_type", models.TextField(blank=True)),
                ("ready", models.BooleanField(null=True)),
                ("unschedulable", models.BooleanField()),
                ("cpu_milli", models.BigIntegerField()),
                ("memory_bytes", models.BigIntegerField()),
                ("pods_allocatable", models.BigIntegerField()),
                ("taint_count", models.PositiveIntegerField()),
                ("kubelet_version", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["cluster", "zone", "name", "cpu_milli"], name="node_by_zone")],
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "uid"), name="node_uid"),
                    models.UniqueConstraint(fields=("cluster", "name"), name="node_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="NodeChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("added", "Added"),
                            ("removed", "Removed"),
                            ("cordoned", "Cordoned"),
                            ("uncordoned", "Uncordoned"),
                            ("not-ready", "Not Ready"),
                            ("ready", "Ready"),
                            ("pressure", "Pressure"),
                            ("relieved", "Relieved"),
                        ],
                        max_length=16,
                    ),
                ),
                ("node_name", models.TextField()),
                ("heard_at", models.DateTimeField()),
                ("condition", models.TextField(blank=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="node_changes",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["cluster", "-heard_at", "-id"], name="node_change_latest")],
            },
        ),
        migrations.CreateModel(
            name="NodeDiskUse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("node", models.TextField()),
                ("sampled_at", models.DateTimeField()),
                ("packed_content", models.BinaryField()),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disk_uses",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("cluster", "node"), name="disk_use_of_node")],
            },
        ),
        migrations.CreateModel(
            name="Observation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("namespace", models.CharField(max_length=63)),
                ("name", models.CharField(max_length=253)),
                ("pod_uid", models.CharField(blank=True, max_length=128)),
                (
                    "source",
                    models.CharField(
                        choices=[("simulator", "kube-scheduler-simulator"), ("log", "kube-scheduler's log")],
                        max_length=16,
                    ),
                ),
                ("key", models.CharField(max_length=40)),
                ("origin", models.CharField(max_length=255)),
                ("attempt", models.PositiveIntegerField(null=True)),
                ("observed_at", models.DateTimeField(null=True)),
                ("recorded_at", models.DateTimeField(auto_now_add=True)),
                ("cells", models.PositiveIntegerField()),
                ("packed_document", models.BinaryField()),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="observations",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("cluster", "namespace", "name", "source", "pod_uid", "key"), name="observation_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Pod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=253)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("object", clusters.models.mirrored.ObjectField()),
                ("namespace", models.CharField(max_length=63)),
                ("node_name", models.TextField(blank=True)),
                ("phase", models.TextField(blank=True)),
                ("is_pending", models.BooleanField()),
                ("is_gated", models.BooleanField()),
                ("priority", models.IntegerField(null=True)),
                ("priority_class", models.TextField(blank=True)),
                ("scheduler_name", models.TextField()),
                ("owner_kind", models.TextField(blank=True)),
                ("owner_name", models.TextField(blank=True)),
                ("qos_class", models.TextField(blank=True)),
                ("cpu_milli", models.BigIntegerField()),
                ("memory_bytes", models.BigIntegerField()),
                ("created_at", models.DateTimeField(null=True)),
                ("deleted_at", models.DateTimeField(null=True)),
                ("nominated_node_name", models.TextField(blank=True)),
                ("unschedulable_message", models.TextField(blank=True)),
                ("status_reason", models.TextField(blank=True, default="")),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("cluster"),
                        models.OrderBy(models.F("is_pending"), descending=True),
                        models.F("namespace"),
                        models.F("name"),
                        name="pod_pending_first",
                    ),
                    models.Index(
                        fields=["cluster", "node_name", "phase", "cpu_milli", "memory_bytes"], name="pod_by_node"
                    ),
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
                    models.Index(fields=["cluster", "scheduler_name", "is_pending"], name="pod_by_scheduler"),
                    models.Index(fields=["cluster", "status_reason", "phase"], name="pod_by_reason"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "uid"), name="pod_uid"),
                    models.UniqueConstraint(fields=("cluster", "namespace", "name"), name="pod_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PodDisruptionBudget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=253)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("object", clusters.models.mirrored.ObjectField()),
                ("namespace", models.CharField(max_length=63)),
                ("min_available", models.TextField(blank=True)),
                ("max_unavailable", models.TextField(blank=True)),
                ("unhealthy_pod_eviction_policy", models.TextField(blank=True)),
                ("expected_pods", models.BigIntegerField(null=True)),
                ("current_healthy", models.BigIntegerField(null=True)),
                ("desired_healthy", models.BigIntegerField(null=True)),
                ("disruptions_allowed", models.BigIntegerField(null=True)),
                ("created_at", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "uid"), name="budget_uid"),
                    models.UniqueConstraint(fields=("cluster", "namespace", "name"), name="budget_name"),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="runbase",
            constraint=models.UniqueConstraint(fields=("cluster", "revision"), name="run_base_once"),
        ),
        migrations.AddIndex(
            model_name="runpod",
            index=models.Index(fields=["run", "outcome", "step"], name="run_pod_outcome"),
        ),
        migrations.AddConstraint(
            model_name="runpod",
            constraint=models.UniqueConstraint(fields=("run", "namespace", "name"), name="run_pod_once"),
        ),
        migrations.AddConstraint(
            model_name="runchunk",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="run_chunk_once"),
        ),
        migrations.AddIndex(
            model_name="simulationrun",
            index=models.Index(fields=["state", "heartbeat_at"], name="run_unfinished"),
        ),
        migrations.AddIndex(
            model_name="simulationrun",
            index=models.Index(fields=["cluster", "-created_at"], name="run_of_cluster"),
        ),
        migrations.AddConstraint(
            model_name="studypart",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="study_part_once"),
        ),
        migrations.AddConstraint(
            model_name="usagehour",
            constraint=models.UniqueConstraint(fields=("cluster", "at"), name="usage_hour_once"),
        ),
        migrations.AddConstraint(
            model_name="watchedkind",
            constraint=models.UniqueConstraint(fields=("cluster", "kind"), name="watched_kind"),
        ),
    ]

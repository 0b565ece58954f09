from __future__ import annotations

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import clusters.models.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = []

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
                                "\\A[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\\Z",
                                "Use at most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit.",
                            )
                        ],
                    ),
                ),
                ("source", models.CharField(choices=[("dump", "dump")], default="dump", max_length=16)),
                ("kube_version", models.CharField(blank=True, max_length=64)),
                ("revision", models.PositiveBigIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("last_sync", models.DateTimeField(blank=True, null=True)),
                ("gaps", models.JSONField(blank=True, default=list)),
                ("scheduler_configuration", models.JSONField(blank=True, null=True)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=253)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("object", clusters.models.fields.ObjectField()),
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
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting for a worker"),
                            ("reading", "reading"),
                            ("writing", "writing"),
                            ("done", "done"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("file_name", models.CharField(max_length=255)),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="ingests", to="clusters.cluster"
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
                ("object", clusters.models.fields.ObjectField()),
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
                ("object", clusters.models.fields.ObjectField()),
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
                "indexes": [models.Index(fields=["cluster", "zone", "name"], name="node_by_zone")],
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "uid"), name="node_uid"),
                    models.UniqueConstraint(fields=("cluster", "name"), name="node_name"),
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
                ("object", clusters.models.fields.ObjectField()),
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
                    models.Index(fields=["cluster", "node_name"], name="pod_by_node"),
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
                ("object", clusters.models.fields.ObjectField()),
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
    ]

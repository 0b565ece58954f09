from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0002_pod_indexes"),
    ]

    operations = [
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
        migrations.AddField(
            model_name="cluster",
            name="context",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="cluster",
            name="kubeconfig",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="cluster",
            name="source",
            field=models.CharField(choices=[("dump", "dump"), ("live", "live cluster")], default="dump", max_length=16),
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
            name="WatchedKind",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=63)),
                ("api_version", models.CharField(blank=True, max_length=63)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("ok", "followed"),
                            ("relisting", "being listed"),
                            ("forbidden", "forbidden"),
                            ("silent", "silent"),
                            ("unserved", "not served"),
                        ],
                        max_length=16,
                    ),
                ),
                ("state_since", models.DateTimeField()),
                ("problem", models.TextField(blank=True)),
                ("remedy", models.TextField(blank=True)),
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
            options={
                "constraints": [models.UniqueConstraint(fields=("cluster", "kind"), name="watched_kind")],
            },
        ),
    ]

from __future__ import annotations

from typing import TYPE_CHECKING

import django.db.models.deletion
from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def remove_empty_clusters(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Failed first uploads used to leave clusters of which nothing was ever read."""
    unread = apps.get_model("clusters", "Cluster").objects.filter(source="dump", last_sync=None)
    for cluster in unread.exclude(ingests__state__in=("queued", "reading", "writing")):
        cluster.ingests.update(cluster=None, intended_name=cluster.name)
        cluster.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0010_other_release"),
    ]

    operations = [
        migrations.AddField(
            model_name="ingest",
            name="intended_name",
            field=models.CharField(blank=True, max_length=63),
        ),
        migrations.AlterField(
            model_name="ingest",
            name="cluster",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="ingests", to="clusters.cluster"
            ),
        ),
        migrations.AlterField(
            model_name="ingest",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "waiting for a worker"),
                    ("reading", "reading"),
                    ("writing", "writing"),
                    ("done", "done"),
                    ("failed", "failed"),
                    ("cancelled", "cancelled"),
                ],
                default="queued",
                max_length=16,
            ),
        ),
        migrations.RunPython(remove_empty_clusters, migrations.RunPython.noop),
    ]

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def give_live_clusters_theirs(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A live cluster brings no configuration along: the one that it has was given here."""
    live = apps.get_model("clusters", "Cluster").objects.filter(source="live")
    live.update(chosen_configuration=models.F("scheduler_configuration"), scheduler_configuration=None)


def give_them_back(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Keep a live cluster's configuration where it used to be."""
    live = apps.get_model("clusters", "Cluster").objects.filter(source="live")
    live.update(scheduler_configuration=models.F("chosen_configuration"))


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0006_observation"),
    ]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="chosen_configuration",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="pod",
            index=models.Index(fields=["cluster", "scheduler_name", "is_pending"], name="pod_by_scheduler"),
        ),
        migrations.RunPython(give_live_clusters_theirs, give_them_back),
    ]

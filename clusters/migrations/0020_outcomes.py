from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models

import clusters.models.fields

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_NAMES = {"left": "completed", "kept": "refused"}


def rename(apps: Apps, schema: BaseDatabaseSchemaEditor) -> None:
    """Give outcomes of pods the names that steps and summaries have for them."""
    _rename(apps, schema, _NAMES)


def name_as_before(apps: Apps, schema: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, schema, {new: old for old, new in _NAMES.items()})


def _rename(apps: Apps, schema: BaseDatabaseSchemaEditor, names: dict[str, str]) -> None:
    pods = apps.get_model("clusters", "RunPod").objects.using(schema.connection.alias)
    for old, new in names.items():
        pods.filter(outcome=old).update(outcome=new)


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0019_ingest_labels"),
    ]

    operations = [
        migrations.AlterField(
            model_name="runpod",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("placed", "Placed"),
                    ("uncertain", "Uncertain"),
                    ("completed", "Completed"),
                    ("unschedulable", "Unschedulable"),
                    ("gated", "Gated"),
                    ("not-computed", "Not Computed"),
                    ("preempted", "Preempted"),
                    ("evicted", "Evicted"),
                    ("refused", "Refused"),
                    ("held", "Held"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="simulationrun",
            name="summary",
            field=clusters.models.fields.SummaryField(null=True),
        ),
        migrations.AlterField(
            model_name="studypart",
            name="result",
            field=clusters.models.fields.AnswerField(null=True),
        ),
        migrations.RunPython(rename, name_as_before),
    ]

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0001_mirror"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="node",
            name="node_by_zone",
        ),
        migrations.RemoveIndex(
            model_name="pod",
            name="pod_by_node",
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["cluster", "zone", "name", "cpu_milli"], name="node_by_zone"),
        ),
        migrations.AddIndex(
            model_name="pod",
            index=models.Index(
                fields=["cluster", "node_name", "phase", "cpu_milli", "memory_bytes"], name="pod_by_node"
            ),
        ),
        migrations.AddIndex(
            model_name="pod",
            index=models.Index(
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
        ),
    ]

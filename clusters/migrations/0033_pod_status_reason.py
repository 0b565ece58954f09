from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0032_stored_lessons"),
    ]

    operations = [
        migrations.AddField(
            model_name="pod",
            name="status_reason",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddIndex(
            model_name="pod",
            index=models.Index(fields=["cluster", "status_reason", "phase"], name="pod_by_reason"),
        ),
    ]

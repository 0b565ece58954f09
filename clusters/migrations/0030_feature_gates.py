from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0029_report_sections_done"),
    ]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="feature_gates",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="cluster",
            name="chosen_feature_gates",
            field=models.JSONField(blank=True, null=True),
        ),
    ]

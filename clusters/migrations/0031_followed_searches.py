from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0030_feature_gates"),
    ]

    operations = [
        migrations.AlterField(
            model_name="decision",
            name="reason",
            field=models.CharField(
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
                ],
                max_length=24,
            ),
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
    ]

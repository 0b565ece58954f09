from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0033_pod_status_reason"),
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
                    ("tie", "Tie"),
                ],
                max_length=24,
            ),
        ),
    ]

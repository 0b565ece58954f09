from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0028_departures"),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="sections_done",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]

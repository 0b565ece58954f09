from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dashboard", "0002_api_token"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LessonProgress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lesson", models.CharField(max_length=40)),
                ("step", models.CharField(max_length=40)),
                ("answer", models.JSONField(null=True)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("is_right", models.BooleanField(default=False)),
                ("hints", models.PositiveSmallIntegerField(default=0)),
                ("is_revealed", models.BooleanField(default=False)),
                ("edits", models.JSONField(default=list)),
                ("experiments", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-changed_at",),
                "constraints": [
                    models.UniqueConstraint(fields=("user", "lesson", "step"), name="lesson_step_once"),
                ],
            },
        ),
    ]

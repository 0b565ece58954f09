from __future__ import annotations

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Classroom",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=8, unique=True)),
                ("title", models.CharField(max_length=100)),
                ("lessons", models.JSONField()),
                ("language", models.CharField(max_length=8)),
                (
                    "pace",
                    models.CharField(
                        choices=[("free", "Everybody at their own pace"), ("led", "Led by the trainer")], max_length=4
                    ),
                ),
                ("lesson", models.CharField(max_length=40)),
                ("step", models.CharField(max_length=40)),
                ("is_revealed", models.BooleanField(default=False)),
                ("turn", models.PositiveIntegerField(default=0)),
                ("is_closed", models.BooleanField(default=False)),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "trainer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="classrooms",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-opened_at", "-pk"),
                "permissions": (("teach", "Can open classrooms"),),
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("token_digest", models.CharField(max_length=64, unique=True)),
                ("lesson", models.CharField(blank=True, max_length=40)),
                ("step", models.CharField(blank=True, max_length=40)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                ("seen_at", models.DateTimeField()),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participants",
                        to="dashboard.classroom",
                    ),
                ),
            ],
            options={
                "ordering": ("joined_at", "pk"),
            },
        ),
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
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "participant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="progress",
                        to="dashboard.participant",
                    ),
                ),
            ],
            options={
                "ordering": ("-changed_at",),
            },
        ),
        migrations.CreateModel(
            name="Sandbox",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("packed_history", models.BinaryField()),
                ("revision", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SharedSandbox",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=64, unique=True)),
                ("packed_objects", models.BinaryField()),
                ("nodes", models.PositiveIntegerField()),
                ("pods", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="SignInLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_digest", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
                ("token_digest", models.CharField(max_length=64, unique=True)),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "read"), ("write", "read and write")], default="read", max_length=8
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("last_used_on", models.DateField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("user", "name"),
                "constraints": [models.UniqueConstraint(fields=("user", "name"), name="api_token_once")],
            },
        ),
        migrations.AddConstraint(
            model_name="participant",
            constraint=models.UniqueConstraint(
                models.F("classroom"), django.db.models.functions.text.Lower("name"), name="participant_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="lessonprogress",
            constraint=models.UniqueConstraint(fields=("user", "lesson", "step"), name="lesson_step_once"),
        ),
        migrations.AddConstraint(
            model_name="lessonprogress",
            constraint=models.UniqueConstraint(fields=("participant", "lesson", "step"), name="participant_step_once"),
        ),
        migrations.AddConstraint(
            model_name="lessonprogress",
            constraint=models.CheckConstraint(
                condition=models.Q(("user__isnull", True), ("participant__isnull", True), _connector="XOR"),
                name="progress_of_one",
            ),
        ),
    ]

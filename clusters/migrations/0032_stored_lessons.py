from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0031_followed_searches"),
    ]

    operations = [
        migrations.CreateModel(
            name="StoredLesson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("uploaded_by", models.CharField(max_length=150)),
                ("packed_files", models.BinaryField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
    ]

"""Classrooms: lessons that a trainer gives to participants, who have no account."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower

from clusters.wording.lessons import classroom as words


class Classroom(models.Model):
    """One class of a trainer: its lessons in their order, and who may join it with which code until when.

    ``lesson`` and ``step`` are where a led class is, and ``is_revealed`` whether its answer is shown. ``turn`` grows
    with each change of these, so that a page knows whether it shows the latest. At ``expires_at`` the classroom is
    removed with its participants and their answers; who is in it may stay until then, also when it is closed.
    """

    class Pace(models.TextChoices):
        FREE = "free", words.FREE
        LED = "led", words.LED

    trainer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="classrooms")
    code = models.CharField(max_length=8, unique=True)
    title = models.CharField(max_length=100)
    lessons = models.JSONField()
    language = models.CharField(max_length=8)
    pace = models.CharField(max_length=4, choices=Pace.choices)
    lesson = models.CharField(max_length=40)
    step = models.CharField(max_length=40)
    is_revealed = models.BooleanField(default=False)
    turn = models.PositiveIntegerField(default=0)
    is_closed = models.BooleanField(default=False)
    opened_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("-opened_at", "-pk")
        permissions = (("teach", words.MAY_TEACH),)
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.title} of {self.trainer}"

    @classmethod
    def locked(cls, pk: int) -> Classroom | None:
        """Return a classroom to which nothing happens until the transaction ends; None for one that is gone.

        Whoever changes participants or their progress asks for it first, so that none waits for another crosswise.
        """
        return cls.objects.select_for_update().filter(pk=pk).first()

    @property
    def place(self) -> dict[str, str]:
        """Return the step where a led class is, as addresses name it."""
        return {"lesson": self.lesson, "step": self.step}

    @property
    def latest_end(self) -> datetime:
        """Return the last moment to which the end can be put off."""
        return self.opened_at + timedelta(hours=settings.BERTH_CLASSROOM_MOST_HOURS)

    @property
    def is_led(self) -> bool:
        """Whether the trainer decides which step all are at."""
        return self.pace == self.Pace.LED


class Participant(models.Model):
    """Somebody in a classroom: no user, and let in by a token of which only the SHA-256 is stored.

    ``lesson`` and ``step`` are where they were last, empty at the beginning.
    """

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="participants")
    name = models.CharField(max_length=40)
    token_digest = models.CharField(max_length=64, unique=True)
    lesson = models.CharField(max_length=40, blank=True)
    step = models.CharField(max_length=40, blank=True)
    joined_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("classroom", Lower("name"), name="participant_once"),)
        ordering = ("joined_at", "pk")

    def __str__(self) -> str:
        return f"{self.name} in {self.classroom_id}"

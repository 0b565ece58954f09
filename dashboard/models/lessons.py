"""How far learners are with lessons."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from dashboard.models.classrooms import Participant


class LessonProgress(models.Model):
    """How far one user, or one participant of a classroom, is with one step of a lesson; no row means not begun.

    ``answer`` is the latest one, as JSON, of so many ``tries``; ``edits`` are the changes of the free experiment, each
    the name of an object, or nothing for all of them, and the text in its place.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="progress", null=True)
    lesson = models.CharField(max_length=40)
    step = models.CharField(max_length=40)
    answer = models.JSONField(null=True)
    tries = models.PositiveIntegerField(default=0)
    is_right = models.BooleanField(default=False)
    hints = models.PositiveSmallIntegerField(default=0)
    is_revealed = models.BooleanField(default=False)
    edits = models.JSONField(default=list)
    experiments = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "lesson", "step"], name="lesson_step_once"),
            models.UniqueConstraint(fields=["participant", "lesson", "step"], name="participant_step_once"),
            models.CheckConstraint(
                condition=models.Q(user__isnull=True) ^ models.Q(participant__isnull=True), name="progress_of_one"
            ),
        )
        ordering = ("-changed_at",)

    def __str__(self) -> str:
        return f"{self.lesson}/{self.step} of {self.user or self.participant}"

    @property
    def is_done(self) -> bool:
        """Whether the step was answered rightly, or its answer shown."""
        return self.is_right or self.is_revealed

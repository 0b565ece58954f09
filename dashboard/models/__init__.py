"""Rows of the web ring: how people and programs are let in, how far learners are, and classrooms."""

from __future__ import annotations

from dashboard.models.access import ApiToken, SignInLink
from dashboard.models.classrooms import Classroom, Participant
from dashboard.models.lessons import LessonProgress

__all__ = ["ApiToken", "Classroom", "LessonProgress", "Participant", "SignInLink"]

"""The sandbox beside the lessons: a small cluster that a user builds, schedules, breaks and shares."""

from __future__ import annotations

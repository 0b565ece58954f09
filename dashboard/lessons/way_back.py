"""Where pages of lessons and classrooms that cannot be shown lead back to."""

from __future__ import annotations

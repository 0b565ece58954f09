"""Lessons as learners meet them: the list, the steps, what comes of an answer, and free experiments."""

from __future__ import annotations

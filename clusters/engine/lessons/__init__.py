"""Lessons: a small cluster, a question about it that the engine can judge, and what a learner answers."""

from __future__ import annotations

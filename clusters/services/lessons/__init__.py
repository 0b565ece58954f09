"""Lessons: read from folders and archives, checked, and the library of those that come with Berth."""

from __future__ import annotations

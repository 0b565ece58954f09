"""Template tags and filters."""

from __future__ import annotations

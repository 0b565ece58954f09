"""Live clusters: list and watch, and no other verb."""

from __future__ import annotations

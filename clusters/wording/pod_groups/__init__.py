"""What is said of groups of pods that are scheduled together."""

from __future__ import annotations

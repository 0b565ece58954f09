"""The scheduler's queue: the order of pending pods, and when each is tried again."""

from __future__ import annotations

"""The decision on one pod: every part of its page."""

from __future__ import annotations

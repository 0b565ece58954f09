"""Sandboxes, small clusters that somebody builds: where they begin, what bounds them, and how they are files."""

from __future__ import annotations

"""Drains: which nodes can be drained, and plans."""

from __future__ import annotations

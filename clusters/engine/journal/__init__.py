"""Decisions over time: a cluster at any moment, and whether an explanation allows what the scheduler did."""

from __future__ import annotations

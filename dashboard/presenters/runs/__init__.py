"""Simulation runs and studies."""

from __future__ import annotations

"""Decisions of clusters, simulations and the journal made into lessons."""

from __future__ import annotations

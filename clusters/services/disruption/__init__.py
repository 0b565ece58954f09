"""Disruption budgets and drains of a mirrored cluster."""

from __future__ import annotations

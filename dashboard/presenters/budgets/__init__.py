"""Disruption budgets."""

from __future__ import annotations

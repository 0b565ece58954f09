"""Sums over columns of amounts."""

from __future__ import annotations

from django.db.models import FloatField, Sum
from django.db.models.functions import Cast


def total_of(column: str) -> Sum:
    """Sum a column as a float: whole below 2**53, and above it rounded where SQLite's integers would overflow."""
    return Sum(Cast(column, FloatField()))

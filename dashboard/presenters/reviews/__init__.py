"""Capacity reviews in lists and above the review itself."""

from __future__ import annotations

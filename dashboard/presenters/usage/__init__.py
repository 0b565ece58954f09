"""Requests against what is used, for the pages that show it."""

from __future__ import annotations

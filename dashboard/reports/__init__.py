"""Capacity reviews as files: the same blocks as HTML, PDF, Markdown, and their tables as CSV."""

from __future__ import annotations

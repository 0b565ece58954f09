"""Lists: sorting, pages, sums, and files for spreadsheets."""

from __future__ import annotations

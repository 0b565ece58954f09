"""Lists: columns, sorting, pages, and files for spreadsheets."""

from __future__ import annotations

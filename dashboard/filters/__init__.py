"""Filters of the list pages: forms read from the address."""

from __future__ import annotations

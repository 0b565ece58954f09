"""The words of the API that belong to no page: its errors and its reference."""

from __future__ import annotations

"""Presenter data to figures as plain dicts; colours are token references."""

from __future__ import annotations

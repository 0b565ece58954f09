"""Signing in, and tokens of the API."""

from __future__ import annotations

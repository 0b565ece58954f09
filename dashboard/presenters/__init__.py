"""Data to words and plain values for the templates; every sentence that a user reads is made here."""

from __future__ import annotations

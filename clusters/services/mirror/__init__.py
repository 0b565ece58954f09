"""Readers: the state of a mirrored cluster, and what is computed of all of it, kept for each revision."""

from __future__ import annotations

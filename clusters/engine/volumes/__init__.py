"""Volumes, claims and storage classes: what the volume plugins compare."""

from __future__ import annotations

"""Topology spread."""

from __future__ import annotations

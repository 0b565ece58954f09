"""Clusters: the list, ingests, live state, how to take a dump."""

from __future__ import annotations

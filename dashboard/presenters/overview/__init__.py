"""The overview of a cluster."""

from __future__ import annotations

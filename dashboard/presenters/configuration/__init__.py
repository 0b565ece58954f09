"""The scheduler configuration of a cluster."""

from __future__ import annotations

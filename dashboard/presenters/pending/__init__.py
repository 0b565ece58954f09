"""Pending pods and the scheduling queue."""

from __future__ import annotations

"""Workloads: the pods that their controllers create, and what they report as failing."""

from __future__ import annotations

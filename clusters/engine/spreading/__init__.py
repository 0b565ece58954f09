"""Topology spread: constraints, domains, skew, and the groups of pods that share a constraint."""

from __future__ import annotations

"""Selectors, affinity terms, taints and labels, evaluated over many nodes and pods at once."""

from __future__ import annotations

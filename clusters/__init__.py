"""Kubernetes clusters: the pure engine, the mirror of their state, and the services that write it."""

from __future__ import annotations

"""Following a live cluster: one process a cluster, one task a kind, one writer."""

from __future__ import annotations

"""The pending pods of a cluster: their causes, their attempts, and the scheduler's queue."""

from __future__ import annotations

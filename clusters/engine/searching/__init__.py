"""Which nodes the scheduler looked at: from where its searches can have begun, by what it decided before."""

from __future__ import annotations

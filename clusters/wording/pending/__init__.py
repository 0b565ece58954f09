"""What pages and files say about pending pods and the scheduler's queue."""

from __future__ import annotations

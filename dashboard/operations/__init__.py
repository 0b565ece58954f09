"""For those who run Berth: health, metrics, logs."""

from __future__ import annotations

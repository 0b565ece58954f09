"""The decision journal and the agreement with the real scheduler."""

from __future__ import annotations

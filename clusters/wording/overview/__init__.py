"""What the overview of a cluster says."""

from __future__ import annotations

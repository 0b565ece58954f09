"""Choose the facts that a page shows, and turn them into plain values; sentences come from `clusters.wording`."""

from __future__ import annotations

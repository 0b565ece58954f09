"""How large a simulation may be."""

from __future__ import annotations

from typing import Final

MOST_CHANGES: Final = 200
MOST_NODES: Final = 20_000
MOST_REPLICAS: Final = 50_000
# Pods that are to be placed, all changes together.
MOST_WANTED: Final = 50_000

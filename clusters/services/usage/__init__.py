"""What pods use: kept hour by hour beside the mirror, and compared with what they request."""

from __future__ import annotations

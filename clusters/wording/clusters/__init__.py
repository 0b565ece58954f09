"""What pages say about clusters: the list, dumps that are read, and live status."""

from __future__ import annotations

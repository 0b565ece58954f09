"""What pages and files say about nodes."""

from __future__ import annotations

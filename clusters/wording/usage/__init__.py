"""What pages, reviews and the API say about usage."""

from __future__ import annotations

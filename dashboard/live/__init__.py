"""Live parts of pages: what they are, who renders them again, and how they reach open browsers."""

from __future__ import annotations

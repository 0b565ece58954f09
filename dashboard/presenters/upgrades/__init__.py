"""What the page about an upgrade shows."""

from __future__ import annotations

"""What the pages of those who teach show, in plain values."""

from __future__ import annotations

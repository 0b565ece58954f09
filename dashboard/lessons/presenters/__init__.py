"""What the pages of lessons show, in plain values."""

from __future__ import annotations

"""Files read straight from disk, for answers that need no database."""

from __future__ import annotations

"""Writers: dumps and uploads, read and written to the mirror."""

from __future__ import annotations

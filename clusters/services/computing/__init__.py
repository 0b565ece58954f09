"""Computing in this process: how long one question may take, and what is kept of the answers."""

from __future__ import annotations

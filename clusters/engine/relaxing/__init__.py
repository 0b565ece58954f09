"""What would make a pod fit: its requirements as edits of its manifest, lifted one by one and in pairs."""

from __future__ import annotations

"""What one user may ask of the installation: bytes, seconds of computing, requests, queued work."""

from __future__ import annotations

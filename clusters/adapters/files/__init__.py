"""Dumps on disk: one document, many, a directory or an archive of them."""

from __future__ import annotations

"""The same answers as JSON over HTTP; docs/api.md is its reference."""

from __future__ import annotations

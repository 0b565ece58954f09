"""The what-if page: an edited pod and what changes."""

from __future__ import annotations

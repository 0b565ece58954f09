"""One command that runs every process of a small installation, and stops every one of them."""

from __future__ import annotations

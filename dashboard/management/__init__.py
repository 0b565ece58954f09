"""Commands of the web ring."""

from __future__ import annotations

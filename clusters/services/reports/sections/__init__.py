"""One module for each section of a review; each gives numbers, and no sentence."""

from __future__ import annotations

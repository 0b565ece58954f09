"""What lessons say themselves: what is asked, what is wrong with an answer, and what would be right."""

from __future__ import annotations

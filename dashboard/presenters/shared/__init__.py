"""What several pages present alike: filters, failures, search, selectors, the glossary."""

from __future__ import annotations

"""Problems that adapters and services meet, as typed values: one module by noun, with its words in the wording ring."""

from __future__ import annotations

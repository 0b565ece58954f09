"""The columns of a snapshot: nodes and placed pods as arrays, with what they share stored once."""

from __future__ import annotations

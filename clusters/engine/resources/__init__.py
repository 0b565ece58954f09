"""Quantities, what pods request, what nodes have, and scores made from both."""

from __future__ import annotations

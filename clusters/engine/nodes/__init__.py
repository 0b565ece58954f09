"""Nodes by themselves: their health, and the pools they belong to."""

from __future__ import annotations

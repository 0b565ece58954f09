"""Explanations of single pods: asked for, bounded in time, exported."""

from __future__ import annotations

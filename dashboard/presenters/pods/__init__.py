"""Pods: lists, facts, links."""

from __future__ import annotations

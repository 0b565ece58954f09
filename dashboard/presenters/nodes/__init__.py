"""Nodes: lists, and every part of a node's page."""

from __future__ import annotations

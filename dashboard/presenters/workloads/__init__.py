"""Workloads: lists, growth, rollouts."""

from __future__ import annotations

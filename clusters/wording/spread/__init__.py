"""Topology spread constraints in words: groups of pods, their domains, and files of both."""

from __future__ import annotations

"""Queues of work by kind: users take turns, one worker holds each piece, and a dead worker's piece is taken over."""

from __future__ import annotations

"""Websocket consumers, one module per noun."""

from __future__ import annotations

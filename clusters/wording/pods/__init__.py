"""What pages and files say about single pods and lists of them."""

from __future__ import annotations

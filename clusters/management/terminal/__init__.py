"""What commands print: plain text that fits the terminal's width, with colour only where somebody looks on."""

from __future__ import annotations

"""Access: sign-in links, passwords, and the gate before every page, API and websocket."""

from __future__ import annotations

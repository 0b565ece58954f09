"""Forms: what people and addresses send, checked."""

from __future__ import annotations

"""What explanations mean: why a pod is pending, and what somebody can do about it."""

from __future__ import annotations

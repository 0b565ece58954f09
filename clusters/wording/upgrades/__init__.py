"""What is said of upgrades of Kubernetes."""

from __future__ import annotations

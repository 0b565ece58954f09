"""What an upgrade of Kubernetes changes in scheduling, of dumps and of mirrored clusters."""

from __future__ import annotations

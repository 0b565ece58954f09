"""What is said of workloads: how their pods are spread and guarded, more replicas, and rollouts."""

from __future__ import annotations

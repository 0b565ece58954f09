"""Usage as others report it: metrics.k8s.io objects, the text of kubectl top, Prometheus."""

from __future__ import annotations

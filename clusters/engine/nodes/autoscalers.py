"""Who adds nodes for pending pods, by the name under which it reports events."""

from __future__ import annotations

from typing import Final

# Parts of the names of cluster-autoscaler, Karpenter, and EKS' own.
_AUTOSCALERS: Final = ("autoscaler", "karpenter", "eks-auto-mode")


def is_autoscaler(component: str) -> bool:
    """Whether a component that reports an event is one that adds nodes."""
    return any(part in component.lower() for part in _AUTOSCALERS)

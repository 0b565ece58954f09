"""The scheduler's own sentences.

Upstream: ``FitError`` in ``pkg/scheduler/framework/types.go`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NO_NODES = "no nodes available to schedule pods"


def as_one(errors: Iterable[str]) -> str:
    """Several errors as one, each only once, as an ``Aggregate`` of k8s.io/apimachinery is printed."""
    texts = tuple(dict.fromkeys(errors))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def no_node_available(nodes: int, reasons: Mapping[str, int], pre_filter: str = "") -> str:
    """The FailedScheduling text: how many nodes there are, and how often each reason was given.

    Entries are sorted as text, so "10 ..." stands before "2 ...". A PreFilter's message replaces the reasons.
    """
    message = f"0/{nodes} nodes are available:"
    if pre_filter:
        return f"{message} {pre_filter}."
    entries = sorted(f"{times} {reason}" for reason, times in reasons.items() if times)
    return f"{message} {', '.join(entries)}." if entries else message

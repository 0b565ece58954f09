"""What others recorded about a pod of a dump, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.nodes import is_autoscaler
from clusters.wording.decisions.verdict import recorded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.services.files import Dump, PodEvent


def recorded_sentences(dump: Dump, key: str, scheduler: str) -> Iterator[str]:
    """Yield the PodScheduled condition of a pod, which its scheduler wrote, and its events, the latest first."""
    for each in dump.pods[key].get("status", {}).get("conditions") or ():
        if each.get("type") == "PodScheduled" and each.get("status") != "True" and each.get("message"):
            yield recorded(component=scheduler, reason=str(each.get("reason") or ""), message=str(each["message"]))
    yield from _said(dump.pod_events.get(key, ()))


def autoscaler_events(dump: Dump, key: str) -> list[str]:
    """Quote what those who add nodes recorded about a pod."""
    return _said(each for each in dump.pod_events.get(key, ()) if is_autoscaler(each.component))


def _said(events: Iterable[PodEvent]) -> list[str]:
    """Quote the latest event of each reason; events come the latest first."""
    latest: dict[tuple[str, str], str] = {}
    for each in events:
        latest.setdefault((each.component, each.reason), each.message)
    return [
        recorded(component=component, reason=reason, message=message) for (component, reason), message in latest.items()
    ]

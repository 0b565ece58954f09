"""What the demo's pods use: a day of hourly samples, made of what each requests by nothing but a rule.

Most teams of the shop request too much, some services too little, and by night there is less to do.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clusters.adapters.usage import UsageFound
from clusters.demo.identity import NOW, Document, number
from clusters.engine.objects import Pod
from clusters.engine.owners import Controller
from clusters.engine.resources import CPU, MEMORY, base_amount
from clusters.engine.usage import PodUsage, UsedAmounts

if TYPE_CHECKING:
    from collections.abc import Iterable


HOURS = 24
# Percent of its request that a workload uses in its busiest hour, by what its name makes of 100: CPU, and memory.
_SHARES = ((45, 25, 45), (75, 45, 60), (92, 80, 85), (100, 130, 108))
# Percent of its busiest hour, by the hour of the day in UTC.
_DAY = (30, 28, 26, 25, 27, 34, 48, 66, 82, 90, 94, 97, 100, 98, 96, 95, 94, 96, 98, 92, 78, 60, 46, 36)
# What Kubernetes and its nodes run beside pods, of the demo's nodes alike.
_SYSTEM = UsedAmounts(180, 900 * 1024 * 1024)
_MIB = 1024 * 1024


def demo_usage(objects: Iterable[Document]) -> UsageFound:
    """Return the samples of the demo's last day, the same ones every time."""
    found = UsageFound()
    pods = [Pod(document) for document in objects if document.get("kind") == "Pod"]
    running = [pod for pod in pods if pod.node_name and not pod.finished and not pod.starting]
    for back in reversed(range(HOURS)):
        at = NOW - timedelta(hours=back, minutes=1)
        on_nodes: dict[str, UsedAmounts] = {}
        for pod in running:
            used = _used(pod, at)
            name = str(pod.spec["containers"][0]["name"])
            found.add_pod(at, PodUsage(pod.namespace, pod.name, {name: used}))
            on_nodes[pod.node_name] = on_nodes.get(pod.node_name, _SYSTEM).plus(used)
        for name, used in on_nodes.items():
            found.add_node(at, name, used)
    return found


def _used(pod: Pod, at: datetime) -> UsedAmounts:
    """What a pod uses at one time: its workload's share of the request, its own part of that, and the hour's."""
    controller = Controller.of(pod.document)
    workload = f"{pod.namespace}/{pod.name if controller is None else controller.name}"
    drawn = number(f"usage of {workload}", 100)
    _, cpu, memory = next(row for row in _SHARES if drawn < row[0])
    own = 85 + number(f"usage of {pod.key}", 30)
    now = 95 + number(f"usage of {pod.key} at {at:%H}", 11)
    milli = pod.requests.get(CPU, 0) * cpu * own * now * _DAY[at.hour]
    # Memory is kept for most of the day: it falls by a tenth when there is least to do.
    size = pod.requests.get(MEMORY, 0) // _MIB * memory * (90 + _DAY[at.hour] // 10) * (95 + own // 12)
    limits = (pod.spec["containers"][0].get("resources") or {}).get("limits") or {}

    def limited(resource: str, number: int) -> int:
        return min(number, base_amount(resource, limits[resource])) if resource in limits else number

    return UsedAmounts(limited(CPU, milli // 100**4), limited(MEMORY, size * _MIB // 100**3))

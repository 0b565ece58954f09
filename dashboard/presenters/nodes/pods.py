"""The pods of a node as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.qos import quality_of_service
from dashboard.presenters.pods.listing import COLUMNS as POD_COLUMNS
from dashboard.presenters.pods.listing import PodRow, pod_row

if TYPE_CHECKING:
    from clusters.engine.resources import Counting
    from clusters.models import Pod

COLUMNS = (*POD_COLUMNS, "qos_class", "object")


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A pod on a node, and its QoS class; the one reported, or else the one that follows from its spec."""

    pod: PodRow
    qos_class: str


def placed_row(pod: Pod, counting: Counting) -> PlacedRow:
    """Present a pod."""
    return PlacedRow(pod_row(pod, counting), pod.qos_class or str(quality_of_service(pod.object)))

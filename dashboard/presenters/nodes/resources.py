"""How full a node is: every resource, what is free of it, and which one runs out first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet import reported
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.wording import amounts
from clusters.wording.amounts import Unit, at_least, at_most, quantity, resource_unit
from clusters.wording.nodes import resources as words
from clusters.wording.nodes.states import is_cordoned, is_not_cordoned
from clusters.wording.resources import resource_name
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters.nodes.heat_map import label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.models import Node

_FIRST = (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of a node in base units: what it has, and what its pods request."""

    name: str
    allocatable: int
    requested: int

    @property
    def free(self) -> int:
        return self.allocatable - self.requested

    @property
    def share(self) -> float:
        return self.requested / self.allocatable if self.allocatable else float(self.requested > 0)


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """A resource in words; `exact` gives what is requested to the byte where the amounts are rounded.

    `kept`: what of the `capacity` is not allocatable; either is empty where the node does not report it, or has none.
    """

    label: str
    meter: Meter
    free: str
    capacity: str
    kept: str
    exact: str
    is_tightest: bool


def resources_of(snapshot: Snapshot, name: str) -> list[Resource]:
    """Return every resource that the node has or its pods request; the usual ones first, then by name."""
    table = snapshot.nodes
    row = table.index[name]
    found = {PODS: Resource(PODS, int(table.allowed_pods[row]), int(table.pod_count[row]))}
    for number, resource in enumerate(table.resources):
        found[resource] = Resource(resource, int(table.allocatable[row, number]), int(table.requested[row, number]))
    present = {resource: each for resource, each in found.items() if each.allocatable or each.requested}
    usual = [present[resource] for resource in _FIRST if resource in present]
    return [*usual, *(present[resource] for resource in sorted(present) if resource not in _FIRST)]


def tightest(resources: Sequence[Resource]) -> Resource | None:
    """Return the resource of which the largest share is requested; None where nothing is."""
    asked = [resource for resource in resources if resource.requested]
    return max(asked, key=lambda resource: resource.share, default=None)


def rows(resources: Sequence[Resource], node: Document) -> list[ResourceRow]:
    """Present the resources of a node."""
    first = tightest(resources)
    return [
        _row(resource, reported(node, "capacity", resource.name), is_tightest=resource is first)
        for resource in resources
    ]


def _row(resource: Resource, capacity: int | None, *, is_tightest: bool) -> ResourceRow:
    label = label_of(resource.name)
    used = meter(
        words.REQUESTED_LABEL(resource=label),
        resource.requested,
        resource.allocatable,
        lambda number: quantity(resource.name, number),
    )
    exact = ""
    if resource_unit(resource.name) is Unit.BYTES:
        exact = words.EXACT(
            requested=amounts.exactly(resource.requested), allocatable=amounts.exactly(resource.allocatable)
        )
    left = (
        at_most(resource.name, resource.free)
        if resource.free >= 0
        else words.EXCEEDED_BY(amount=at_least(resource.name, -resource.free))
    )
    kept = 0 if capacity is None else capacity - resource.allocatable
    return ResourceRow(
        label,
        used,
        left,
        "" if capacity is None else quantity(resource.name, capacity),
        words.KEPT(amount=quantity(resource.name, kept)) if kept > 0 else "",
        exact,
        is_tightest,
    )


def sentence(node: Node, resources: Sequence[Resource]) -> str:
    """Say in which state the node is, how full, what is free, and what runs out first."""
    by_name = {resource.name: resource for resource in resources}
    pods = by_name.get(PODS, Resource(PODS, 0, 0))
    state = is_cordoned(node.ready) if node.unschedulable else is_not_cordoned(node.ready, node.taint_count)
    if not pods.requested:
        return " ".join([state, str(words.NO_PODS), words.free(_free(by_name))])
    shares = [
        words.SHARE_OF(
            share=amounts.percent(by_name[name].requested, by_name[name].allocatable), resource=resource_name(name)
        )
        for name in (CPU, MEMORY)
        if name in by_name
    ]
    asked = words.pods_request(pods.requested, shares)
    return " ".join([state, asked, words.free(_free(by_name)), _runs_out(resources, pods.requested)])


def _free(by_name: dict[str, Resource]) -> list[str]:
    found = []
    for name, resource in by_name.items():
        if name == EPHEMERAL_STORAGE:
            continue
        number = max(0, resource.free)
        if name == PODS:
            found.append(words.FREE_PODS(number=number))
        elif name == CPU:
            found.append(amounts.cpu(number))
        elif "/" in name:
            found.append(f"{at_most(name, number)} {name}")
        else:
            found.append(words.AMOUNT_OF(amount=at_most(name, number), resource=resource_name(name)))
    return found


def _runs_out(resources: Sequence[Resource], pods: int) -> str:
    """Say which resource is the tightest, and for how many pods like those of the node it lasts."""
    first = tightest(resources)
    if first is None:
        return str(words.NOTHING_REQUESTED)
    name, is_pods = label_of(first.name), first.name == PODS
    if first.free < 0:
        return words.OVERCOMMITTED(resource=name)
    if not first.free:
        return str(words.POD_LIMIT_REACHED) if is_pods else words.USED_UP(resource=name)
    # As many as are left for pods that request as much as those here do on average.
    more = first.free * pods // first.requested
    if is_pods:
        return words.POD_LIMIT_NEXT(pods=more)
    return words.RUNS_OUT(resource=name, pods=more) if more else words.RUNS_OUT_AT_ONCE(resource=name)

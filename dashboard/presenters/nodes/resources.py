"""How full a node is: every resource, what is left of it, and which one runs out first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit, resource_unit
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.wording import amounts
from clusters.wording.amounts import counted
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters import wording
from dashboard.presenters.decisions.evidence import amount
from dashboard.presenters.nodes.heat_map import label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Snapshot
    from clusters.models import Node

_FIRST = (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of a node in base units: what it has, and what its pods ask for."""

    name: str
    allocatable: int
    requested: int

    @property
    def left(self) -> int:
        return self.allocatable - self.requested

    @property
    def share(self) -> float:
        return self.requested / self.allocatable if self.allocatable else float(self.requested > 0)


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """A resource in words; `exact` gives what is left to the byte where the amounts are rounded."""

    label: str
    meter: Meter
    left: str
    exact: str
    is_tightest: bool


def resources_of(snapshot: Snapshot, name: str) -> list[Resource]:
    """Return every resource that the node has or its pods ask for; the usual ones first, then by name."""
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


def rows(resources: Sequence[Resource]) -> list[ResourceRow]:
    """Present the resources."""
    first = tightest(resources)
    return [_row(resource, is_tightest=resource is first) for resource in resources]


def _row(resource: Resource, *, is_tightest: bool) -> ResourceRow:
    unit = resource_unit(resource.name)
    label = label_of(resource.name)
    used = meter(f"{label} requested", resource.requested, resource.allocatable, lambda number: amount(number, unit))
    exact = ""
    if unit is Unit.BYTES:
        exact = f"{amounts.exactly(resource.requested)} of {amounts.exactly(resource.allocatable)}"
    left = amount(resource.left, unit) if resource.left >= 0 else f"{amount(-resource.left, unit)} too much"
    return ResourceRow(label, used, left, exact, is_tightest)


def sentence(node: Node, resources: Sequence[Resource]) -> str:
    """Say how the node is, how full, what is left, and what runs out first."""
    by_name = {resource.name: resource for resource in resources}
    pods = by_name.get(PODS, Resource(PODS, 0, 0))
    said = [_state(node)]
    if not pods.requested:
        said.append(f"No pod is on it: {wording.listed(_left(by_name))} are left.")
        return " ".join(said)
    shares = [
        f"{amounts.percent(by_name[name].requested, by_name[name].allocatable)} of its {wording.resource_name(name)}"
        for name in (CPU, MEMORY)
        if name in by_name
    ]
    asks = "requests" if pods.requested == 1 else "request"
    said.append(f"Its {counted(pods.requested, 'pod', 'pods')} {asks} {wording.listed(shares)}.")
    said.append(f"Left {'are' if len(_left(by_name)) > 1 else 'is'} {wording.listed(_left(by_name))}.")
    said.append(_runs_out(resources, pods.requested))
    return " ".join(part for part in said if part)


def _state(node: Node) -> str:
    ready = {True: "Ready", False: "Not ready", None: "Whether it is ready is not known"}[node.ready]
    if node.unschedulable:
        return f"{ready}{', but' if node.ready else ' and'} cordoned: no new pod comes."
    if node.ready is False:
        return f"{ready}: new pods stay away."
    if node.taint_count:
        return f"{ready}, for pods that tolerate its {'taint' if node.taint_count == 1 else 'taints'}."
    return f"{ready}, open to every pod."


def _left(by_name: dict[str, Resource]) -> list[str]:
    found = []
    for name, resource in by_name.items():
        if name == EPHEMERAL_STORAGE:
            continue
        number = max(0, resource.left)
        if name == PODS:
            found.append(counted(number, "place for a pod", "places for pods"))
        elif name == CPU:
            found.append(amounts.cpu(number))
        else:
            unit = resource_unit(name)
            what = name if "/" in name else f"of {wording.resource_name(name)}"
            found.append(f"{amount(number, unit)} {what}")
    return found


def _runs_out(resources: Sequence[Resource], pods: int) -> str:
    """Say which resource is the tightest, and for how many pods like those that are here it would do."""
    first = tightest(resources)
    if first is None:
        return "They request nothing that could run out."
    name = label_of(first.name)
    if first.left < 0:
        return f"{name} is overcommitted: more is requested than the node has."
    if not first.left:
        return f"{name} is used up."
    # As many as are left for pods that ask for as much as those here do on average.
    more = first.left * pods // first.requested
    verb = "run" if first.name == PODS else "runs"
    if not more:
        return f"{name} {verb} out first: what is left would not do for another pod like these."
    return f"{name} {verb} out first, after about {counted(more, 'more pod', 'more pods')} like these."

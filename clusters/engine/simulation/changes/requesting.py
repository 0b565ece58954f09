"""Other requests of workloads that the cluster has, such as those that follow from what they use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.objects import Pod, key_of
from clusters.engine.problems import Empty
from clusters.engine.resources.requests import CPU, MEMORY, amount
from clusters.engine.simulation.changes.change import ClusterChange, first
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import NoSuchContainer
from clusters.engine.simulation.changes.reading import ChangeFields
from clusters.engine.simulation.changes.workloads import unknown_workload
from clusters.engine.simulation.remarks import RequestsSet
from clusters.engine.usage.workload_sizing import running_containers, with_requests
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.world import ClusterDocuments

MOST_WORKLOADS = 5_000
_RESOURCES = (CPU, MEMORY)


@dataclass(frozen=True, slots=True)
class SetRequests(ClusterChange):
    """Requests for CPU and memory of containers, by workload; the pods stay on their nodes.

    ``workloads``: maps with ``kind``, ``namespace``, ``name`` and ``containers``, by name with ``cpu``, ``memory`` or
    both. No request is set above its container's limit.
    """

    workloads: tuple[Document, ...]

    change: ClassVar[str] = "set-requests"
    known: ClassVar[tuple[str, ...]] = ("workloads",)

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        entries = given.listed("workloads", MOST_WORKLOADS)
        if not entries:
            raise given.bad("workloads", Empty())
        return cls(tuple(_workload(entry, f"{given.path}.workloads[{number}]") for number, entry in enumerate(entries)))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        changed = 0
        for number, entry in enumerate(self.workloads):
            changed += _apply(world, entry, f"{path}.workloads[{number}]")
        world.remarks.append(RequestsSet(changed, len(self.workloads)))


def _workload(entry: object, path: str) -> dict[str, Any]:
    fields = ChangeFields(entry, path, ("kind", "namespace", "name", "containers"))
    given = fields.document("containers")
    if not given:
        raise fields.bad("containers", Empty())
    containers = {}
    for name in given:
        one = ChangeFields(given[name], f"{path}.containers.{name}", _RESOURCES)
        requests = {resource: one.quantity(resource) for resource in _RESOURCES if one.has(resource)}
        if not requests:
            raise fields.bad(f"containers.{name}", Empty())
        containers[str(name)] = requests
    return {
        "kind": fields.text("kind"),
        "namespace": fields.name("namespace"),
        "name": fields.name("name"),
        "containers": containers,
    }


def _apply(world: ClusterDocuments, entry: Document, path: str) -> int:
    """Give the pods of one workload their requests; return how many there are. Raises ChangeError."""
    workload = Workload(entry["namespace"], entry["kind"], entry["name"])
    pods = [pod for pod in world.pods_of(workload) if not Pod(pod).finished]
    if not pods:
        raise unknown_workload(world, workload, path)
    running = {str(each.get("name") or "") for pod in pods for each in running_containers(pod)}
    for name in entry["containers"]:
        if name not in running:
            problem = NoSuchContainer(name, first(running), len(running))
            raise ChangeError(f"{path}.containers.{name}", problem)
    requests = {
        name: {resource: amount(resource, given) for resource, given in amounts.items()}
        for name, amounts in entry["containers"].items()
    }
    for pod in pods:
        world.put_pod(key_of(pod), with_requests(pod, requests))
    return len(pods)

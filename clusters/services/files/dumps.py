"""A dump read straight from disk, for answers that need no database."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from clusters.adapters.bad_input import BadInput
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.sources import read_source, size_of
from clusters.adapters.limits import limits
from clusters.adapters.rows import OBJECT, first_moment, table_of
from clusters.adapters.state import ClusterState
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.objects import Pod, name_of
from clusters.engine.queueing.queue import order
from clusters.engine.simulation.making_room import pods_to_move
from clusters.engine.simulation.one_more import MoreNodes, NodeLikeness, node_shapes
from clusters.engine.versions import release_with, scheduling_settings
from clusters.engine.workloads.pod_template import Controller
from clusters.problems.files import UnreadableFile
from clusters.problems.ingests import NoNodesAndPods
from clusters.services.files.configurations import checked_configuration
from clusters.services.workloads.failing import failures_of_objects, last_of, reports_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from clusters.adapters.gaps import Gap
    from clusters.adapters.rows import Row
    from clusters.engine import Explanation
    from clusters.engine.analysis.advice import Tried
    from clusters.engine.versions import GateSettings, Release, ReplicaSettings
    from clusters.engine.workloads.failures import Failures
    from clusters.services.workloads.failures import CreationReport

# What happened, as against what is: of no use to the engine.
_UNREAD_KINDS = frozenset({"Event"})


class PodEvent(NamedTuple):
    """What a component reported about a pod."""

    reason: str
    message: str
    component: str
    last_seen: datetime | None


@dataclass(frozen=True)
class Dump:
    """What a dump tells: pruned objects, the scheduler configuration that it brings along, and what it lacks.

    ``feature_gates``: those that its kube-scheduler is started with; None where its replicas differ.
    ``kube_version``: of its newest kubelet, empty where it does not say.
    ``reports``: what controllers say of pods that they could not create. ``last_event``: when its last event happened.
    ``pod_events``: by ``namespace/name``, the latest first.
    """

    name: str
    objects: list[dict[str, Any]]
    configuration: dict[str, Any] | None
    feature_gates: ReplicaSettings
    gaps: list[Gap]
    kube_version: str
    reports: list[CreationReport]
    last_event: datetime | None
    pod_events: Mapping[str, Sequence[PodEvent]]

    @cached_property
    def snapshot(self) -> Snapshot:
        return Snapshot.from_objects(self.objects, self.release)

    @property
    def release(self) -> Release:
        """The release that it is answered as, with its gates."""
        return release_with(self.kube_version, self.gates)

    @property
    def gates(self) -> GateSettings:
        """The feature gates that all replicas are started with, and that decide something here."""
        return scheduling_settings(self.feature_gates)

    @cached_property
    def pods(self) -> dict[str, dict[str, Any]]:
        """Return all pods by ``namespace/name``."""
        return {
            f"{pod['metadata']['namespace']}/{pod['metadata']['name']}": pod
            for pod in self.objects
            if pod["kind"] == "Pod"
        }

    def nodes_named(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return nodes by their names, in this order."""
        nodes = {each["metadata"]["name"]: each for each in self.objects if each["kind"] == "Node"}
        return [nodes[name] for name in names if name in nodes]

    def pods_named(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Return pods by ``namespace/name``, in this order."""
        return [self.pods[key] for key in keys if key in self.pods]

    def pods_on(self, node: str) -> list[dict[str, Any]]:
        """Return the pods that are bound to a node."""
        return [pod for pod in self.pods.values() if (pod.get("spec") or {}).get("nodeName") == node]

    @cached_property
    def more_nodes(self) -> MoreNodes:
        """Return what tells which pods one more node would take."""
        daemons: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for pod in self.pods.values():
            controller = Controller.of(pod)
            if (
                controller is not None
                and controller.kind == "DaemonSet"
                and not pod["metadata"].get("deletionTimestamp")
            ):
                daemons[pod.get("spec", {}).get("nodeName", "")].append(pod)
        nodes = self.nodes_named(node_shapes(self.snapshot))
        return MoreNodes(self.snapshot, [NodeLikeness(each, tuple(daemons[name_of(each)])) for each in nodes])

    def tried(self, explanation: Explanation, configuration: SchedulerConfiguration) -> tuple[Tried, ...]:
        """Return the nodes of which one more would take a pending pod, and the pods that could make room for it."""
        more, moved = self.more_nodes.taking(explanation), pods_to_move(explanation, configuration, self.pods_named)
        return more if moved is None else (*more, moved)

    @cached_property
    def pending(self) -> dict[str, dict[str, Any]]:
        """Return the pods without a node that have neither finished nor are on their way out, in the queue's order."""
        waiting = [(key, pod) for key, pod in self.pods.items() if _is_pending(pod)]
        return dict(sorted(waiting, key=_place_in_queue))

    @cached_property
    def failures(self) -> Failures:
        """Return the workloads that fail."""
        created = (
            first_moment(each["metadata"], "creationTimestamp")
            for each in self.objects
            if each["kind"] in ("Pod", "Node")
        )
        last = max((at for at in (self.last_event, *created) if at is not None), default=None)
        return failures_of_objects(self.snapshot, self.objects, self.reports, last)

    def scheduler_configuration(self) -> SchedulerConfiguration:
        """Return the configuration that the dump brings along, or else the default one. Raises BadInput."""
        if self.configuration is None:
            return SchedulerConfiguration.default(self.release)
        return checked_configuration(self.configuration, self.name, self.release)


def read_dump(path: Path, *, default_pods: bool = False) -> Dump:
    """Read a file, a directory or an archive. Raises BadInput.

    ``default_pods``: complete pods that were written by hand as admission would.
    """
    bounds = limits()
    state = ClusterState(bounds)
    try:
        meter = Meter(bounds, bytes_total=size_of(path))
        for _ in read_source(path, state, meter, name=path.name):
            pass
    except BadInput as error:
        raise error.at(file=path.name) from None
    except OSError as error:
        raise _unreadable(path, error) from error
    if not state.rows.get("Node") and not state.rows.get("Pod"):
        raise BadInput(NoNodesAndPods(state.kinds_seen), file=path.name)
    if default_pods:
        state.default_pods()
    rows = (row for kind, by_name in state.rows.items() if kind not in _UNREAD_KINDS for row in by_name.values())
    objects = [orjson.loads(row[OBJECT]) for row in rows]
    events = list(state.rows.get("Event", {}).values())
    reports, last = reports_in(events), last_of(events)
    gates, gaps = state.feature_gates, state.gaps()
    version, pods = state.kube_version, _of_pods(events)
    return Dump(path.name, objects, state.configuration, gates, gaps, version, reports, last, pods)


def _of_pods(events: Iterable[Row]) -> dict[str, list[PodEvent]]:
    columns = table_of("Event").columns
    names = ("involved_kind", "involved_namespace", "involved_name", "reason", "message", "reporting_component")
    places = [columns.index(name) for name in (*names, "last_seen")]
    found: dict[str, list[PodEvent]] = defaultdict(list)
    for kind, namespace, name, reason, message, component, seen in (tuple(row[at] for at in places) for row in events):
        if kind == "Pod":
            found[f"{namespace}/{name}"].append(PodEvent(reason, message, component, seen))
    for each in found.values():
        each.sort(key=lambda event: (event.last_seen is not None, event.last_seen), reverse=True)
    return found


def _unreadable(path: Path, error: OSError) -> BadInput:
    reason = error.strerror or str(error)
    return BadInput(UnreadableFile(reason), file=path.name)


def _is_pending(pod: dict[str, Any]) -> bool:
    if pod.get("spec", {}).get("nodeName") or pod["metadata"].get("deletionTimestamp"):
        return False
    return pod.get("status", {}).get("phase") not in ("Succeeded", "Failed")


def _place_in_queue(entry: tuple[str, dict[str, Any]]) -> tuple[tuple[int, int], str]:
    """The order of the scheduler's queue; when a pod entered it is not told, so its creation stands for that."""
    key, document = entry
    pod = Pod(document)
    return order(pod.priority, pod.created), key

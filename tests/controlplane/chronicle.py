"""What became of every pod, written down by somebody else than Berth: from a watch of the tests' own."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import httpx2

from tests.controlplane.api import Api, ApiError, Object
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

_WATCH_SECONDS = "4"
_ENDED = {"Succeeded", "Failed"}


@dataclass(slots=True)
class Fate:
    """One pod, from its creation to what is known last."""

    uid: str
    namespace: str
    name: str
    scheduler: str
    owner: str
    # Whether it said itself where to go, and no scheduler was asked.
    is_pinned: bool
    node: str = ""
    bound_version: int = 0
    # Of the condition PodScheduled, while it was False.
    messages: list[str] = field(default_factory=list)
    was_gated: bool = False
    nominated: set[str] = field(default_factory=set)
    # Reasons of the condition DisruptionTarget.
    disruptions: set[str] = field(default_factory=set)
    is_deleted: bool = False
    is_at_rest: bool = False

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One change that can matter to a decision."""

    version: int
    second: float
    text: str

    def __str__(self) -> str:
        return f"{self.version} {self.second:8.3f}s {self.text}"


class Chronicle:
    """Follows pods and nodes from now on, each in a thread; use as a context."""

    def __init__(self, kubeconfig: Path) -> None:
        self._kubeconfig = kubeconfig
        self._stop = threading.Event()
        self._began = time.monotonic()
        self._nodes: dict[str, tuple[bool, str]] = {}
        self._changed = self._began
        self._entries: list[Entry] = []
        self.fates: dict[str, Fate] = {}
        self._threads = [
            threading.Thread(target=self._follow, args=(kind,), name=f"chronicle of {kind}s")
            for kind in ("Node", "Pod")
        ]
        self._begun = threading.Barrier(len(self._threads) + 1, timeout=30)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        self._begun.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_until_settled(self, *, seconds: float, quiet: float = 4) -> None:
        """Wait until every pod is decided and where it should be, and nothing has moved for `quiet` seconds."""
        wait_until(
            lambda: time.monotonic() - self._changed > quiet and not self.restless(),
            seconds=seconds,
            otherwise=f"the world does not come to rest: {[str(fate) for fate in self.restless()[:10]]}",
        )

    def restless(self) -> list[Fate]:
        """Return the pods of which more is to come."""
        return [
            fate
            for fate in list(self.fates.values())
            if not fate.is_deleted and (not fate.is_at_rest or (fate.node and fate.node not in self._nodes))
        ]

    def undecided(self) -> int:
        """Return how many pods wait for the scheduler's first word."""
        waiting = (fate for fate in list(self.fates.values()) if not fate.node and not fate.is_deleted)
        return sum(not fate.is_at_rest for fate in waiting)

    def placed(self) -> list[Fate]:
        """Return the pods that the scheduler has placed, also those that are gone."""
        return [fate for fate in self.fates.values() if fate.node and not fate.is_pinned]

    def around(self, version: int, *, before: int = 12, after: int = 6) -> list[Entry]:
        """Return the changes about a resource version, in the order in which the cluster made them."""
        ordered = sorted(self._entries, key=lambda entry: entry.version)
        at = sum(entry.version < version for entry in ordered)
        return ordered[max(0, at - before) : at + after]

    def _follow(self, kind: str) -> None:
        hear = self._hear_node if kind == "Node" else self._hear_pod
        with Api(self._kubeconfig) as api:
            found, since = api.snapshot("v1", kind)
            for document in found:
                hear("ADDED", document)
            self._begun.wait()
            while not self._stop.is_set():
                try:
                    for change, document in api.watch("v1", kind, since=since, timeoutSeconds=_WATCH_SECONDS):
                        since = document["metadata"]["resourceVersion"]
                        if change != "BOOKMARK":
                            hear(change, document)
                except (httpx2.TransportError, ApiError) as error:
                    # A chronicle with holes proves nothing: what is missing shows in the comparison.
                    print(f"the chronicle of {kind}s breaks: {error!r}", flush=True)
                    time.sleep(0.2)

    def _note(self, document: Object, text: str) -> None:
        self._changed = time.monotonic()
        version = int(document["metadata"]["resourceVersion"])
        self._entries.append(Entry(version, self._changed - self._began, text))

    def _hear_node(self, change: str, node: Object) -> None:
        name = node["metadata"]["name"]
        if change == "DELETED":
            self._nodes.pop(name, None)
            self._note(node, f"node {name} is gone")
            return
        spec = node["spec"]
        taints = ", ".join(f"{taint['key']}:{taint['effect']}" for taint in spec.get("taints", []))
        now = bool(spec.get("unschedulable")), taints
        if self._nodes.get(name) != now:
            self._nodes[name] = now
            self._note(node, f"node {name} {'cordoned' if now[0] else 'open'}, taints [{taints}]")

    def _hear_pod(self, change: str, pod: Object) -> None:
        fate = self.fates.get(pod["metadata"]["uid"])
        if fate is None:
            fate = self._new(pod)
        if change == "DELETED":
            fate.is_deleted = True
            self._note(pod, f"pod {fate} is gone from {fate.node or 'nowhere'}")
            return
        spec, status = pod["spec"], pod["status"]
        if not fate.node and "nodeName" in spec:
            fate.node, fate.bound_version = spec["nodeName"], int(pod["metadata"]["resourceVersion"])
            self._note(pod, f"pod {fate} bound to {fate.node}")
        nominated = status.get("nominatedNodeName")
        if nominated and nominated not in fate.nominated:
            fate.nominated.add(nominated)
            self._note(pod, f"pod {fate} nominated to {nominated}")
        for condition in status.get("conditions", []):
            self._hear_condition(fate, pod, condition)
        fate.is_at_rest = _is_at_rest(pod)

    def _new(self, pod: Object) -> Fate:
        metadata, spec = pod["metadata"], pod["spec"]
        owners = [owner["name"] for owner in metadata.get("ownerReferences", [])]
        fate = Fate(
            uid=metadata["uid"],
            namespace=metadata["namespace"],
            name=metadata["name"],
            scheduler=spec["schedulerName"],
            owner=owners[0] if owners else "",
            is_pinned="nodeName" in spec,
        )
        self.fates[fate.uid] = fate
        self._note(pod, f"pod {fate} created")
        return fate

    def _hear_condition(self, fate: Fate, pod: Object, condition: Object) -> None:
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            if condition["reason"] == "SchedulingGated":
                fate.was_gated = True
            elif condition["message"] not in fate.messages[-1:]:
                fate.messages.append(condition["message"])
                self._note(pod, f"pod {fate} unschedulable: {condition['message']}")
        elif condition["type"] == "DisruptionTarget" and condition["reason"] not in fate.disruptions:
            fate.disruptions.add(condition["reason"])
            self._note(pod, f"pod {fate} on {fate.node} disrupted: {condition['reason']}")


def _is_at_rest(pod: Object) -> bool:
    """Return whether nothing more is expected of a pod as it is."""
    if "deletionTimestamp" in pod["metadata"]:
        return False
    if "nodeName" in pod["spec"]:
        return bool(pod["status"].get("phase") in {"Running", *_ENDED})
    if pod["spec"]["schedulerName"] != "default-scheduler":
        return True
    conditions = pod["status"].get("conditions", [])
    return any(entry["type"] == "PodScheduled" and entry["status"] == "False" for entry in conditions)

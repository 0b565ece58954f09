"""What kubelets do, for all nodes of the test cluster at once and without containers.

A pod that is bound gets an address and runs; a pod that is deleted ends and goes. The annotation `STATE` on a pod says
otherwise, at any time: see `State`. Runs as a process of its own, `python -m tests.controlplane.kubelet KUBECONFIG`.
"""

from __future__ import annotations

import datetime as dt
import enum
import queue
import sys
import threading
import time
import zlib
from pathlib import Path
from typing import NoReturn

import httpx2

from tests.controlplane.api import STRATEGIC_MERGE, Api, ApiError, Object

STATE = "test.berth/state"
_BOUND = "spec.nodeName!="
_ENDED = {"Succeeded", "Failed"}
_WORKERS = 4
_PAUSE_SECONDS = 0.2


class State(enum.StrEnum):
    """What becomes of a bound pod."""

    READY = "ready"
    UNREADY = "unready"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    LINGERING = "lingering"
    """Ready; and when it is deleted, it terminates until the annotation is changed."""


class Kubelet:
    """Follows the bound pods and makes their status so. A pod's changes are made in order, by one worker."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._ending: set[str] = set()
        self._queues: list[queue.SimpleQueue[Object]] = [queue.SimpleQueue() for _ in range(_WORKERS)]

    def run(self) -> NoReturn:
        """Work until the process is ended, through any absence of the API server."""
        for mine in self._queues:
            threading.Thread(target=self._work, args=(mine,), daemon=True).start()
        while True:
            try:
                self._follow()
            except (ApiError, httpx2.TransportError) as error:
                print(f"lists again after {error!r}", flush=True)
                time.sleep(_PAUSE_SECONDS)

    def _follow(self) -> None:
        pods, version = self._api.snapshot("v1", "Pod", fieldSelector=_BOUND)
        # Whoever ended while nobody watched is not told about any more.
        self._ending &= {pod["metadata"]["uid"] for pod in pods}
        for pod in pods:
            self._notice(pod)
        for change, pod in self._api.watch("v1", "Pod", since=version, fieldSelector=_BOUND):
            if change in {"ADDED", "MODIFIED"}:
                self._notice(pod)
            elif change == "DELETED":
                self._ending.discard(pod["metadata"]["uid"])

    def _notice(self, pod: Object) -> None:
        uid = pod["metadata"]["uid"]
        if uid in self._ending:
            return
        if _is_ending(pod):
            self._ending.add(uid)
        elif not _is_late(pod):
            return
        self._queues[zlib.crc32(uid.encode()) % _WORKERS].put(pod)

    def _work(self, mine: queue.SimpleQueue[Object]) -> NoReturn:
        while True:
            pod = mine.get()
            while not self._tend(pod):
                time.sleep(_PAUSE_SECONDS)

    def _tend(self, pod: Object) -> bool:
        """Bring one pod where it should be; return whether that is settled, or to be tried again."""
        name, namespace, uid = (pod["metadata"][field] for field in ("name", "namespace", "uid"))
        status = {"metadata": {"uid": uid}, "status": status_of(pod, now())}
        try:
            self._api.patch("v1", "Pod", name, status, namespace=namespace, subresource="status", how=STRATEGIC_MERGE)
            if _is_ending(pod):
                options = {"gracePeriodSeconds": 0, "preconditions": {"uid": uid}}
                self._api.delete("v1", "Pod", name, namespace=namespace, options=options)
        except httpx2.TransportError:
            return False
        except ApiError as error:
            if error.status == httpx2.codes.TOO_MANY_REQUESTS or error.status >= httpx2.codes.INTERNAL_SERVER_ERROR:
                return False
            if error.status not in {httpx2.codes.NOT_FOUND, httpx2.codes.CONFLICT}:
                print(f"cannot tend {namespace}/{name}: {error}", flush=True)
        return True


def now() -> str:
    """Return the time as Kubernetes writes it."""
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def address(network: str, text: str) -> str:
    """Return an IPv4 address in a /16, such as 10.244, that depends on the text alone."""
    number = zlib.crc32(text.encode()) & 0xFFFF
    return f"{network}.{number >> 8}.{number & 0xFF}"


def status_of(pod: Object, time_now: str) -> Object:
    """Return the status, as a strategic merge patch, that a kubelet would write for this bound pod."""
    spec = pod["spec"]
    phase, ready = _wanted(pod)
    ended = phase in _ENDED
    started = _condition(pod, "PodScheduled").get("lastTransitionTime", time_now)
    code = 1 if phase == "Failed" else 0
    over = {"terminated": {"exitCode": code, "startedAt": started, "finishedAt": time_now, "reason": _reason(code)}}
    running = over if ended else {"running": {"startedAt": started}}
    done = {"terminated": {"exitCode": 0, "startedAt": started, "finishedAt": started, "reason": _reason(0)}}
    ip = address("10.244", pod["metadata"]["uid"])
    host = address("172.16", spec["nodeName"])
    conditions = {
        "PodReadyToStartContainers": not ended,
        "Initialized": True,
        "ContainersReady": ready,
        "Ready": ready,
    }
    status: Object = {
        "phase": phase,
        "startTime": started,
        "hostIP": host,
        "hostIPs": [{"ip": host}],
        "podIP": ip,
        "podIPs": [{"ip": ip}],
        "conditions": [_changed(pod, name, holds, time_now) for name, holds in conditions.items()],
        "containerStatuses": [_container(container, ready, running) for container in spec["containers"]],
    }
    if initial := spec.get("initContainers"):
        status["initContainerStatuses"] = [
            _container(container, not ended, running)
            if container.get("restartPolicy") == "Always"
            else _container(container, True, done)
            for container in initial
        ]
    return status


def _wanted(pod: Object) -> tuple[str, bool]:
    """Return the phase in which the pod should be, and whether it should be ready."""
    phase = pod["status"].get("phase", "Pending")
    if phase in _ENDED:
        return phase, False
    state = _state(pod)
    if state is State.FAILED:
        return "Failed", False
    if state is State.SUCCEEDED or _is_ending(pod):
        return "Succeeded", False
    return "Running", state is not State.UNREADY


def _is_late(pod: Object) -> bool:
    """Return whether the pod's status is not yet what it should be."""
    ready = _condition(pod, "Ready").get("status") == "True"
    return (pod["status"].get("phase"), ready) != _wanted(pod)


def _is_ending(pod: Object) -> bool:
    return "deletionTimestamp" in pod["metadata"] and _state(pod) is not State.LINGERING


def _state(pod: Object) -> State:
    return State(pod["metadata"].get("annotations", {}).get(STATE, State.READY))


def _condition(pod: Object, name: str) -> Object:
    found = [condition for condition in pod["status"].get("conditions", []) if condition["type"] == name]
    return found[0] if found else {}


def _changed(pod: Object, name: str, holds: bool, time_now: str) -> Object:
    """Return a condition, with the time at which it last turned."""
    old = _condition(pod, name)
    status = "True" if holds else "False"
    turned = old["lastTransitionTime"] if old.get("status") == status else time_now
    return {"type": name, "status": status, "lastTransitionTime": turned}


def _container(container: Object, ready: bool, state: Object) -> Object:
    status = {
        "name": container["name"],
        "image": container["image"],
        "imageID": f"test.berth/{container['image']}",
        "containerID": f"test://{container['name']}",
        "ready": ready,
        "started": "running" in state,
        "restartCount": 0,
        "state": state,
    }
    if resources := container.get("resources"):
        status["resources"] = resources
        status["allocatedResources"] = resources.get("requests", {})
    return status


def _reason(code: int) -> str:
    return "Error" if code else "Completed"


if __name__ == "__main__":
    Kubelet(Api(Path(sys.argv[1]))).run()

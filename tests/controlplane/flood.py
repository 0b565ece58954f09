"""Many cheap writes a second: events, over a few connections that need next to no time of their own."""

from __future__ import annotations

import http.client
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import orjson

from tests.controlplane.api import Object, tls

if TYPE_CHECKING:
    from tests.controlplane.plane import ControlPlane

CONNECTIONS = 8
EVENTS_PER_CONNECTION = 250
"""So many events take turns; what has been written once is written anew, as events that repeat themselves are."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What a flood came to: ``written`` times one of ``events`` different events."""

    events: int
    written: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.written} writes in {self.seconds:.0f} s, {self.written / self.seconds:.0f} a second"


def an_event(
    namespace: str, name: str, *, count: int = 1, at: str | None = None, about: Object | None = None
) -> Object:
    """Return an event of the core group as components write it; `at` are its times."""
    times = {"firstTimestamp": at, "lastTimestamp": at} if at else {}
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name, "namespace": namespace},
        "involvedObject": about or {"kind": "Pod", "namespace": namespace, "name": "nobody", "uid": "nobody"},
        "reason": "BackOff",
        "message": "Back-off restarting failed container",
        "source": {"component": "test"},
        "type": "Warning",
        "count": count,
        **times,
    }


def flood(plane: ControlPlane, namespace: str, *, per_second: int, seconds: float) -> Rate:
    """Write events at a rate, or as near to it as the machine comes. Raises RuntimeError for a write that failed."""
    writers = [_Writer(plane, namespace, number, per_second / CONNECTIONS, seconds) for number in range(CONNECTIONS)]
    began = time.monotonic()
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    took = time.monotonic() - began
    if failures := [writer.failure for writer in writers if writer.failure]:
        raise RuntimeError(f"the flood dried up: {failures}")
    events = sum(min(writer.written, EVENTS_PER_CONNECTION) for writer in writers)
    return Rate(events, sum(writer.written for writer in writers), took)


class _Writer(threading.Thread):
    def __init__(self, plane: ControlPlane, namespace: str, number: int, per_second: float, seconds: float) -> None:
        super().__init__(name=f"flood {number}")
        address = urlsplit(plane.url)
        self._connection = http.client.HTTPSConnection(
            str(address.hostname), address.port, context=tls(plane.admin_kubeconfig), timeout=30
        )
        self._path = f"/api/v1/namespaces/{namespace}/events"
        self._namespace = namespace
        self._name = f"flood-{number}"
        self._per_second = per_second
        self._seconds = seconds
        self.written = 0
        self.failure = ""

    def run(self) -> None:
        began = time.monotonic()
        while (passed := time.monotonic() - began) < self._seconds and not self.failure:
            if (ahead := self.written / self._per_second - passed) > 0:
                time.sleep(ahead)
            self._write()
        self._connection.close()

    def _write(self) -> None:
        round_, turn = divmod(self.written, EVENTS_PER_CONNECTION)
        name = f"{self._name}-{turn}"
        body = orjson.dumps(an_event(self._namespace, name, count=round_ + 1))
        method, path = ("PUT", f"{self._path}/{name}") if round_ else ("POST", self._path)
        try:
            self._connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = self._connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.failure = repr(error)
            return
        if answer.status not in {http.client.OK, http.client.CREATED}:
            self.failure = f"{answer.status} {said.decode(errors='replace')[:300]}"
        self.written += 1

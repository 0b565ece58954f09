"""From an act to its answer, everything included: start of the process, reading, computing, storing and the page.

In the terminal, and on a server as `make run` starts it: each size in a data directory of its own, every question once
a round. Beside the seconds stands the peak of memory that samples have found, of all processes of the command or of the
server together; what they share counts once. Ratios are to the bar of a question, and of growth to the cluster's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from bench.cluster import each_object, workload
from bench.explain import memory_of_snapshot
from bench.live_site import in_own_process
from bench.measure import Figure, figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from dashboard.serving.children import Child

SIZES = ((1_000, 10_000), (5_000, 50_000))
ROUNDS = 5
PLACED = 500
# Seconds, by question and number of nodes.
_FITS: Final = {1_000: 0.3, 5_000: 0.8, 100_000: 5.0}
_WHAT_IF: Final = {1_000: 0.3, 5_000: 1.5}
BARS: Final[Mapping[str, Mapping[int, float]]] = {
    "explain --help": dict.fromkeys((1_000, 5_000, 100_000), 0.6),
    "explain DUMP --pod": {5_000: 3.5},
    "ingest DUMP": {5_000: 6.0, 100_000: 70.0},
    "first page after a start": {5_000: 1.5},
    "fits, 50 pods": _FITS,
    "fits, 500 pods": _FITS,
    "drain of a node": _WHAT_IF,
    "loss of a zone": _WHAT_IF,
    "10 replicas more": _WHAT_IF,
}
# What may be placed in one run: with more nodes, a zone has more pods.
_MOST_NODES_OF_ZONES = 10_000
_POLL_SECONDS, _PATIENCE_SECONDS = 0.02, 300.0
_SAMPLES_PER_SECOND, _LEAST_PAUSE = 10, 10

Samples = dict[str, dict[str, list[float]]]


def run(sizes: tuple[tuple[int, int], ...] = SIZES) -> dict[str, Figure]:
    """Measure each size in a process of its own; say what grows otherwise than the cluster does."""
    found: dict[int, Samples] = {}
    figures: dict[str, Figure] = {}
    for nodes, pods in sizes:
        size = f"{nodes:,} nodes, {pods:,} pods"
        found[nodes] = in_own_process("bench.waits", str(nodes), str(pods))
        for question, samples in found[nodes].items():
            bar = BARS.get(question, {}).get(nodes)
            figures[f"{question}: {size}"] = figure(samples["s"], "s", against=bar)
            figures[f"memory of {question}: {size}"] = figure(samples["mib"], "MiB")
        figures[f"memory of a snapshot: {size}"] = figure([memory_of_snapshot(nodes, pods)], "MiB")
    for (fewer, _), (more, _) in pairwise(sizes):
        figures |= growth(found[fewer], found[more], f"{fewer:,} to {more:,} nodes", more / fewer)
    return figures


def growth(small: Samples, large: Samples, between: str, size: float) -> dict[str, Figure]:
    """How many times as long each question takes, round by round; prints which of them are linear in no round."""
    found = {}
    for question in filter(large.__contains__, small):
        rounds = zip(small[question]["s"], large[question]["s"], strict=True)
        found[question] = figure([after / before for before, after in rounds], "×", against=size)
    faster = [f"{name} × {each['median']:.1f}" for name, each in found.items() if each["min"] > size]
    slower = [f"{name} × {each['median']:.1f}" for name, each in found.items() if each["max"] < size]
    print(f"From {between} (× {size:g}), faster than linear: {'; '.join(faster) or 'nothing'}.")
    print(f"From {between} (× {size:g}), slower than linear: {'; '.join(slower) or 'nothing'}.")
    return {f"growth of {question}, {between}": each for question, each in found.items()}


def main() -> None:
    """Measure one size, nodes and pods, and print the samples of each question as JSON."""
    import django

    django.setup()
    from django.core.management import call_command

    nodes, pods = map(int, sys.argv[1:])
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    samples: Samples = {}
    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder:
        dump, manifest = Path(folder, "dump.json"), Path(folder, "more.yaml")
        _write(dump, nodes, pods)
        manifest.write_bytes(orjson.dumps(workload("more", PLACED)))
        for number in range(ROUNDS):
            _round(samples, dump, manifest, f"round-{number}", nodes)
    sys.stdout.buffer.write(orjson.dumps(samples))


def _write(dump: Path, nodes: int, pods: int) -> None:
    """One object a time: the measured memory is not to have to make room for all of them."""
    with dump.open("wb") as file:
        separator = b'{"apiVersion":"v1","kind":"List","items":['
        for each in each_object(nodes, pods, is_owned=True):
            file.write(separator + orjson.dumps(each))
            separator = b","
        file.write(b"]}")


def _round(samples: Samples, dump: Path, manifest: Path, cluster: str, nodes: int) -> None:
    """Ask each question once."""
    from clusters.models import Cluster

    commands: dict[str, list[str | Path]] = {
        "explain --help": ["explain", "--help"],
        "explain DUMP --pod": ["explain", dump, "--pod", "default/plain"],
        f"simulate --dump, {PLACED} pods": ["simulate", "--dump", dump, "--manifest", manifest],
        "ingest DUMP": ["ingest", dump, "--cluster", cluster],
    }
    for question, arguments in commands.items():
        command = [sys.executable, "manage.py", *map(str, arguments)]
        with _timed(samples, question) as begun:
            process = begun(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
            said = process.communicate()[1]
        if process.returncode:
            raise RuntimeError(f"{question} ends with {process.returncode}: {said}")
    with _server(samples) as server:
        _ask_server(samples, server, cluster, nodes)
    Cluster.objects.filter(name=cluster).delete()


class Server(NamedTuple):
    """A running Berth: where it answers, its process, and what says who asks, of the API and of pages."""

    url: str
    child: Child
    token: str
    session: str

    def get(self, path: str, body: bytes | None = None, content_type: str = "application/json") -> Any:
        """Ask for a page, or an operation of the API, whose JSON is returned."""
        is_api = path.startswith("/api/")
        headers = {"Authorization": f"Bearer {self.token}"} if is_api else {"Cookie": self.session}
        request = urllib.request.Request(self.url + path, body, {**headers, "Content-Type": content_type})  # noqa: S310
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
            text = response.read()
        return orjson.loads(text) if is_api else text


@contextmanager
def _server(samples: Samples) -> Iterator[Server]:
    """Start everything that `make run` starts; it is there once it says where."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from dashboard.access.tokens import make_token
    from dashboard.serving.children import Child
    from tests.support.live import free_port
    from tests.support.waiting import wait_until

    user = User.objects.get_or_create(username="bench")[0]
    client = Client()
    client.force_login(user)
    session = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    _, token = make_token(user=user, name=f"waits-{time.time_ns()}", may_write=True, days=None)
    port = free_port()
    environment = os.environ | {"BERTH_PORT": str(port), "BERTH_HOST": "127.0.0.1"}
    with _timed(samples, "start of everything") as begun:
        command = [sys.executable, "manage.py", "serve", "--no-demo"]
        child = Child("serve", command, env=environment, cwd=settings.BASE_DIR, echo=False)
        server = Server(f"http://127.0.0.1:{port}", begun(child), token, session)
        wait_until(lambda: _is_ready(server), seconds=_PATIENCE_SECONDS, otherwise="the server is not ready")
    try:
        yield server
    finally:
        child.stop(grace=30)


def _is_ready(server: Server) -> bool:
    server.child.check()
    try:
        return bool(server.get("/readyz"))
    except OSError:
        return False


def _ask_server(samples: Samples, server: Server, cluster: str, nodes: int) -> None:
    def timed(question: str, ask: Callable[[], object]) -> None:
        with _timed(samples, question) as begun:
            begun(server.child)
            ask()

    # In place of what it says while it reads, where it would take long.
    timed("first page after a start", lambda: server.get(f"/clusters/{cluster}/?now=1"))
    _fits(server, cluster, 1)
    for replicas in (50, 500):
        timed(f"fits, {replicas} pods", lambda: _fits(server, cluster, replicas))  # noqa: B023 - called at once
    changes: dict[str, dict[str, Any]] = {
        "drain of a node": {"change": "drain-nodes", "nodes": ["node-00001"]},
        "loss of a zone": {"change": "lose-zone", "zone": "z1", "how": "gone"},
        "10 replicas more": {
            "change": "scale",
            "kind": "Deployment",
            "namespace": "default",
            "name": "app-1",
            "by": 10,
        },
    }
    for question, change in changes.items():
        if question != "loss of a zone" or nodes <= _MOST_NODES_OF_ZONES:
            timed(question, lambda: _ran(server, cluster, change))  # noqa: B023 - called at once


def _fits(server: Server, cluster: str, replicas: int) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

    form = {"manifests": SimpleUploadedFile("more.yaml", orjson.dumps(workload("more", replicas))), "wait": 60}
    body = encode_multipart(BOUNDARY, form)
    found = server.get(f"/api/v1/clusters/{cluster}/fits", body, MULTIPART_CONTENT)
    while found["conclusion"] is None:
        time.sleep(_POLL_SECONDS)
        found = server.get(f"/api/v1/runs/{found['run']}/fits")
    if not found["fits"]:
        raise RuntimeError(f"{replicas} pods do not fit: {found['reason']}")


def _ran(server: Server, cluster: str, change: dict[str, Any]) -> None:
    """Order a run, and have its page once it is over."""
    order = {"cluster": cluster, "spec": {"base": {"kind": "cluster"}, "changes": [change]}}
    found = server.get("/api/v1/runs/", orjson.dumps(order))
    while found["state"] in ("queued", "running"):
        time.sleep(_POLL_SECONDS)
        found = server.get(f"/api/v1/runs/{found['id']}")
    if found["state"] != "done":
        raise RuntimeError(f"{change} ends as {found['state']}: {found['error']}")
    server.get(found["page"])


@contextmanager
def _timed(samples: Samples, question: str) -> Iterator[Callable[[Any], Any]]:
    """Take seconds, and the peak of memory of the process that is handed to what this yields, with its descendants."""
    of_question = samples.setdefault(question, {"s": [], "mib": []})
    over = Event()
    with ThreadPoolExecutor(1) as beside:
        watching = []

        def begun(process: Any) -> Any:
            watching.append(beside.submit(_peak_mib, getattr(process, "process", process).pid, over))
            return process

        start = time.perf_counter()
        try:
            yield begun
        finally:
            seconds = time.perf_counter() - start
            over.set()
        of_question["s"].append(seconds)
        of_question["mib"].append(watching[0].result())


def _peak_mib(pid: int, over: Event) -> float:
    """Look again and again, in a tenth of the time at most, since who is looked at waits meanwhile."""
    peak = 0.0
    while True:
        start = time.perf_counter()
        peak = max(peak, tree_mib(pid))
        took = time.perf_counter() - start
        if over.wait(max(1 / _SAMPLES_PER_SECOND, _LEAST_PAUSE * took)):
            return peak


def tree_mib(pid: int) -> float:
    """The memory of a process and its descendants that nobody else has; 0 of one that is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        threads = [(task / "children").read_text(encoding="ascii") for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return 0.0
    own = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return own / 1024 + sum(tree_mib(int(child)) for children in threads for child in children.split())


if __name__ == "__main__":
    main()

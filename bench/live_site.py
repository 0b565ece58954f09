"""A whole Berth for measurements of what is live: API server, watcher, Redis, web server, each in a process of its own.

The API server is the tests' own; it runs on a thread of the measuring process, so that a change has one clock.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dashboard.serving.children import Child
    from tests.support.fake_apiserver import FakeApiServer

NODES, PODS, WORKLOADS = 200, 3_000, 40
# Nobody may have all those pages open alone.
PEOPLE = 10
ZONE = "topology.kubernetes.io/zone"
MEASURED = "measured"
SPREAD_PAGE = f"/clusters/bench/spread/?q={MEASURED}"


class Site(NamedTuple):
    """A running Berth that follows `server`; `sessions` are cookies' values of people who are signed in."""

    url: str
    sessions: tuple[str, ...]
    cluster_id: int
    server: FakeApiServer
    web: Child


def in_own_process(module: str, *arguments: str) -> Any:
    """Run a measurement in a process whose Berth is its own, and return what it prints as JSON."""
    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder:
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environment |= {"BERTH_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
        command = [sys.executable, "-m", module, *arguments]
        output = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    return orjson.loads(output.stdout)


def bench_pod(app: str, number: int, *, node: int) -> dict[str, Any]:
    """Return a running pod of a workload that is spread over zones."""
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": app, "uid": app, "controller": True}
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": app}},
    }
    requests = {"cpu": "10m", "memory": "16Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{app}-{number}",
            "namespace": "default",
            "labels": {"app": app},
            "ownerReferences": [owner],
            "creationTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": {
            "containers": [{"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}],
            "nodeName": f"node-{node}",
            "schedulerName": "default-scheduler",
            "topologySpreadConstraints": [constraint],
        },
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def _node(number: int) -> dict[str, Any]:
    size = {"cpu": "64", "memory": "256Gi", "pods": "250"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": f"node-{number}",
            "labels": {"kubernetes.io/hostname": f"node-{number}", ZONE: f"z{number % 3}"},
        },
        "spec": {},
        "status": {"capacity": size, "allocatable": size, "conditions": [{"type": "Ready", "status": "True"}]},
    }


@contextmanager
def site() -> Iterator[Site]:
    """Start everything, with a cluster of 200 nodes and 3,000 pods of 40 workloads that is followed already."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from clusters.models import Cluster
    from dashboard import datadir
    from dashboard.serving import processes
    from dashboard.serving.children import Child
    from tests.support.fake_apiserver import FakeApiServer
    from tests.support.live import free_port
    from tests.support.waiting import wait_until
    from tests.support.watching import wait_until_followed

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    server = FakeApiServer()
    server.put(*(_node(number) for number in range(NODES)))
    server.put(*(bench_pod(f"app-{each % WORKLOADS}", each, node=each % NODES) for each in range(PODS)))
    server.put(*(bench_pod(MEASURED, each, node=each) for each in range(3)))
    # Those who watch are told a hundred times a second already.
    server.bookmark_seconds = 5.0
    server.start()
    folder = Path(settings.BERTH_DATA_DIR)
    kubeconfig = server.kubeconfig(folder / "kubeconfig")
    cluster = Cluster.objects.create(
        name="bench", source=Cluster.Source.LIVE, kubeconfig=str(kubeconfig), context="fake"
    )
    port = free_port()
    socket = datadir.redis_socket(settings.BERTH_DATA_DIR)
    datadir.private_folder(socket.parent)
    commands = {
        "redis": processes.command(processes.find(), socket=socket),
        "web": processes.web(host="127.0.0.1", port=port, log_level="WARNING"),
        "watch": processes.watch("bench"),
    }
    with ExitStack() as stack:
        stack.callback(server.close)
        children = {}
        for name, command in commands.items():
            children[name] = Child(name, command, env=os.environ, cwd=settings.BASE_DIR, echo=False)
            stack.callback(children[name].stop, grace=5)
        wait_until(lambda: _answers(port), seconds=60, otherwise="the web server does not answer")
        wait_until_followed(cluster, seconds=120)
        sessions = tuple(_session(f"bench-{number}") for number in range(PEOPLE))
        yield Site(f"http://127.0.0.1:{port}", sessions, cluster.pk, server, children["web"])


def _session(user: str) -> str:
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.create_user(user))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def change(server: FakeApiServer, *, a_second: float, seconds: float, first: int = 3) -> list[float]:
    """Change pods evenly over some time: every other change is one more measured pod. Returns when each of these came.

    Times are of time.time, in seconds; `first` numbers the first pod that comes.
    """
    put: list[float] = []
    began = time.monotonic()
    for turn in range(int(a_second * seconds)):
        time.sleep(max(0.0, began + turn / a_second - time.monotonic()))
        if turn % 2:
            number = turn % PODS
            server.put(bench_pod(f"app-{number % WORKLOADS}", number, node=(number + turn) % NODES))
        else:
            put.append(time.time())
            server.put(bench_pod(MEASURED, first + turn, node=turn % NODES))
    return put


def _answers(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

"""How quick and how large every page of a large cluster is, with the cluster's snapshot in memory.

The addresses come from the site's own table, so that no new page goes unmeasured: a page whose address has a part that
nobody gave a value here, or that does not answer with a page, ends the measurement. Run alone,
`python -m bench.pages [NAME …]` prints a table of its own; BERTH_BENCH_FOLDER keeps the database between such runs. The
processor's time tells a slow page from a busy machine.
"""

from __future__ import annotations

import gzip
import os
import statistics
import sys
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import brotli
import orjson

from bench.large_site import CLUSTER, compute, prepare, running
from bench.live_site import in_own_process
from bench.measure import Figure, figure
from bench.operated import namespace_of, waiting_pod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse
    from django.test import Client
    from django.urls import URLPattern, URLResolver

REQUESTS, SLOW_REQUESTS, SLOW_MS = 20, 5, 500.0
# Bars: a list's answer, a decision's answer and what depends on one, and what a page weighs compressed.
LIST_MS, DECISION_MS, MOST_BYTES = 150.0, 400.0, 60 * 1024
# It scores every search that finds other nodes, once somebody opens it.
_BARS = {"decision-search-order": 2500.0}
# What is no page: files, forms that change something, and what only a running upload has.
_NO_PAGES = ("csv", "upload", "delete", "rename", "ingest", "progress", "live-part")

# What this cluster has none of.
_NONE = frozenset({"device-pool", "resource-claim", "pod-group", "journaled-node"})

# Pages of what was computed of the cluster, whose addresses do not name it.
_BESIDE = ("run", "run-state", "report")
# What a page asks for by itself and leads elsewhere when it is opened.
_FRAGMENTS = frozenset({"cluster-pending-cards"})


class UnmeasuredError(Exception):
    """A page that cannot be measured, and why."""


class Page(NamedTuple):
    """An address to measure; `bar` is what its answer may take in milliseconds."""

    name: str
    address: str
    bar: float

    def get(self, client: Client) -> HttpResponse:
        """Ask for it, as a page of its own or as part of one."""
        headers = {"HX-Request": "true"} if self.name in _FRAGMENTS else {}
        return client.get(self.address, headers=headers)


class Measured(NamedTuple):
    """What a page took, by the clock and of the processor, in milliseconds; sizes in bytes."""

    page: Page
    samples: list[float]
    cpu: list[float]
    queries: int
    plain: int
    gzip: int
    brotli: int

    @property
    def p95(self) -> float:
        """The 95th percentile in milliseconds; the longest of few."""
        return statistics.quantiles(self.samples, n=20, method="inclusive")[18]


def run() -> dict[str, Figure]:
    """Measure in a process of its own; the ratio is the 95th percentile's to the bar."""
    measures: dict[str, Figure] = in_own_process("bench.pages")
    return measures


def _values() -> dict[str, dict[str, Any]]:
    """What stands in the addresses, by the page's name; "" holds what stands in several."""
    from clusters.models import Cluster, Decision, Observation, Pod, Report, SimulationRun
    from clusters.services.mirror.state import spread_of

    namespace, name = waiting_pod()
    cluster = Cluster.objects.get(name=CLUSTER)
    # Only nodes that pass the filters have scores: one that is neither tainted nor cordoned.
    running = Pod.objects.filter(cluster=cluster, namespace=namespace_of(500), name__startswith="app-500-")
    pod = running.filter(node_name__endswith="7").values("namespace", "name", "node_name")[0]
    placed = {"namespace": pod["namespace"], "name": pod["name"]}
    decision = Decision.objects.filter(cluster=cluster).values_list("pk", flat=True)[0]
    groups = iter(spread_of(cluster=cluster).groups)
    return {
        "": {
            "cluster": CLUSTER,
            "namespace": namespace,
            "name": name,
            "node": "node-00001",
            "number": 1,
            "plugin": "NodeResourcesFit",
            "kind": "Deployment",
        },
        **{name: {"name": "node-00001"} for name in _OF_NODE},
        "budget": {"namespace": namespace_of(0), "name": "app-0"},
        "workload": {"namespace": namespace_of(1), "name": "app-1"},
        **{name: {"pk": decision} for name in ("journaled", "lesson-of-decision")},
        **{name: {"pk": SimulationRun.objects.filter(cluster=cluster)[0].pk} for name in ("run", "run-state")},
        "report": {"pk": Report.objects.filter(cluster=cluster)[0].pk},
        "decision-scores": placed,
        "decision-search-order": placed,
        "decision-cell": {**placed, "node": pod["node_name"]},
        "decision-compare": placed,
        "pod-removal": placed,
        "decision-relaxation": {"kind": "single", "number": 0},
        "decision-observed": {"observation": Observation.objects.get(cluster=cluster).pk, "show": "all"},
        "spread-group": {"identity": next(groups, "none")},
    }


_OF_NODE = (
    "node",
    *(f"node-{part}" for part in ("pending", "drain", "faults", "usage", "oom", "shutdown", "pressure")),
)
_QUERIES = {
    "search": ("?q=app-77", "?q=7d9f", "?q=team-7/app", "?q=e"),
    "pods": ("", "?q=app-77", "?sort=-cpu", "?state=pending", "?page=3000"),
    "nodes": ("", "?sort=-cpu", "?q=00099"),
    "drain": ("", "?node=node-00001", "?zone=z1"),
    "drain-map-batch": ("?node=node-00001&batch=1",),
    "drain-map-node": ("?node=node-00001&of=node-00001",),
    "decision-compare": ("?a=node-00001&b=node-00002",),
    "decision-why-not": ("?node=node-00001",),
    "workload": ("", "?more=20"),
}


def pages() -> Iterator[Page]:
    """Every page of the cluster that can be opened without knowing more than is known here."""
    from django.urls import get_resolver, reverse

    values = _values()
    for name, parameters in _patterns(get_resolver().url_patterns, frozenset()):
        known = values[""] | values.get(name, {})
        is_page = name not in _NONE and not any(word in name for word in _NO_PAGES)
        if not is_page or ("cluster" not in parameters and name not in _BESIDE):
            continue
        if parameters - known.keys():
            raise UnmeasuredError(f"{name}: give {sorted(parameters - known.keys())} a value in bench.pages")
        address = reverse(name, kwargs={parameter: known[parameter] for parameter in parameters})
        bar = DECISION_MS if name.startswith("decision") or name in ("what-if", "journaled") else LIST_MS
        bar = _BARS.get(name, bar)
        for query in _QUERIES.get(name, ("",)):
            yield Page(f"{name}{query}", f"{address}{query}", bar)


def _patterns(patterns: list[URLPattern | URLResolver], above: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Names and parameters of all addresses but those in a namespace, which are the API's operations."""
    for pattern in patterns:
        if getattr(pattern, "namespace", None):
            continue
        parameters = above | frozenset(pattern.pattern.converters)
        if hasattr(pattern, "url_patterns"):
            yield from _patterns(pattern.url_patterns, parameters)
        elif pattern.name:
            yield pattern.name, parameters


def measure(client: Client, page: Page) -> Measured:
    """Ask for a page again and again. Raises UnmeasuredError for one that does not answer with a page."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    first = page.get(client)
    if first.status_code != 200:
        raise UnmeasuredError(f"{page.name} answers {first.status_code} at {page.address}")
    with CaptureQueriesContext(connection) as captured:
        content = page.get(client).content
        queries = len(captured)
    samples: list[float] = []
    cpu: list[float] = []
    while len(samples) < (SLOW_REQUESTS if samples and samples[0] > SLOW_MS else REQUESTS):
        start, worked = perf_counter(), process_time()
        page.get(client)
        cpu.append((process_time() - worked) * 1000)
        samples.append((perf_counter() - start) * 1000)
    # As the site compresses pages, and as a proxy in front of it may.
    packed = len(gzip.compress(content, 6)), len(brotli.compress(content, quality=5))
    return Measured(page, samples, cpu, queries, len(content), *packed)


def line(measured: Measured) -> str:
    """One line of the table; what misses its bar is marked."""
    page, p50, cpu = measured.page, statistics.median(measured.samples), statistics.median(measured.cpu)
    slow = "SLOW" if measured.p95 > page.bar else ""
    large = "LARGE" if measured.gzip > MOST_BYTES else ""
    return (
        f"{page.name:32} {p50:8.0f} {measured.p95:8.0f} {cpu:8.0f} {page.bar:6.0f} {measured.queries:8} "
        f"{measured.plain / 1024:9.1f} {measured.gzip / 1024:8.1f} {measured.brotli / 1024:8.1f}  {slow} {large}"
    )


def main() -> None:
    """Measure all pages, or those whose names begin with one of the given words, and print the result as JSON."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    # Only what is measured is to be there while it is measured.
    settings.ALLOWED_HOSTS = ["testserver"]
    with running("redis"):
        prepare()
        compute()
        client = Client()
        client.force_login(User.objects.get(username="bench"))
        figures = _measured(client, tuple(sys.argv[1:]) or ("",))
    sys.stdout.write(orjson.dumps(figures).decode())


def _measured(client: Client, wanted: tuple[str, ...]) -> dict[str, Figure]:
    table = sys.stderr.write
    columns = ("p50 ms", "p95 ms", "CPU ms")
    table(f"{'page':32} {' '.join(f'{column:>8}' for column in columns)} {'bar':>6} {'queries':>8} ")
    table(f"{'HTML KiB':>9} {'gzip':>8} {'br':>8}\n")
    figures: dict[str, Figure] = {}
    for page in pages():
        if not page.name.startswith(wanted):
            continue
        measured = measure(client, page)
        table(line(measured) + "\n")
        figures[f"page {page.name}"] = {
            **figure(measured.samples, "ms"),
            "p95": round(measured.p95, 3),
            "ratio": round(measured.p95 / page.bar, 3),
        }
        figures[f"page {page.name}: gzip"] = figure([measured.gzip / 1024], "KiB", against=MOST_BYTES / 1024)
    return figures


if __name__ == "__main__":
    if folder := os.environ.get("BERTH_BENCH_FOLDER"):
        os.environ["BERTH_DATA_DIR"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    main()

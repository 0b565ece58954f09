"""Usage from a Prometheus that scrapes kubelets: four fixed queries, asked of an address that the administrator lists.

The series are those of cAdvisor in the kubelet's ``/metrics/cadvisor``. Of two series of one container, as after a
restart, the greater one counts. Neither redirects nor proxies of the environment are followed.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2
import orjson

from clusters.adapters.bad_input import printable
from clusters.adapters.kube.port import UnreachableError
from clusters.adapters.kube.reader import LARGEST_METRICS
from clusters.adapters.prune.shapes import LONGEST_TOKEN
from clusters.adapters.usage.found import MOST_USED, UsageFound
from clusters.engine.usage.sample import PodUsage, UsedAmounts
from clusters.problems.usage import (
    LargeMetrics,
    PrometheusRedirects,
    PrometheusRefused,
    PrometheusSilent,
    PrometheusUnreadable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_CPU, _MEMORY = "container_cpu_usage_seconds_total", "container_memory_working_set_bytes"
_CONTAINERS, _WHOLE_NODES = '{container!="",container!="POD"}', '{id="/"}'
_POD_LABELS = ("namespace", "pod", "container")
_QUERY = "max by ({labels}) ({series})"
_TIMEOUT = httpx2.Timeout(30, connect=10)
_LONGEST_SAYING = 300
_REDIRECTS = range(300, 400)


def read_prometheus(address: str) -> UsageFound:
    """Ask for what containers and nodes use now; nodes only where series name them. Raises UnreachableError."""
    found = UsageFound()
    at = datetime.now(UTC)
    with httpx2.Client(
        # Of the environment SSL_CERT_FILE alone counts.
        verify=httpx2.create_ssl_context(),
        trust_env=False,
        timeout=_TIMEOUT,
        follow_redirects=False,
        headers={"User-Agent": "berth"},
    ) as client:
        pods: dict[tuple[str, str], dict[str, UsedAmounts]] = {}
        for (namespace, pod, container), used in _used(client, address, _POD_LABELS, _CONTAINERS).items():
            pods.setdefault((namespace, pod), {})[container] = used
        nodes = _used(client, address, ("node",), _WHOLE_NODES)
    for (namespace, pod), containers in pods.items():
        found.add_pod(at, PodUsage(namespace, pod, containers))
    for (node,), used in nodes.items():
        found.add_node(at, node, used)
    return found


def _used(
    client: httpx2.Client, address: str, labels: tuple[str, ...], chosen: str
) -> dict[tuple[str, ...], UsedAmounts]:
    """Return CPU and memory by labels; what has only one of the two is left out."""
    by = ", ".join(labels)
    cpu = dict(_vector(client, address, labels, _QUERY.format(labels=by, series=f"rate({_CPU}{chosen}[5m])")))
    memory = dict(_vector(client, address, labels, _QUERY.format(labels=by, series=f"{_MEMORY}{chosen}")))
    return {
        key: UsedAmounts(math.ceil(cores * 1000), math.ceil(memory[key]))
        for key, cores in cpu.items()
        # Clocks that jump make rates that no machine has.
        if key in memory and max(cores * 1000, memory[key]) <= MOST_USED
    }


def _vector(
    client: httpx2.Client, address: str, labels: tuple[str, ...], query: str
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the labels and the value of each series of an answer."""
    answer = _answer(client, address, query)
    data = answer.get("data")
    result = data.get("result") if isinstance(data, dict) else None
    if answer.get("status") != "success" or not isinstance(result, list):
        raise UnreachableError(PrometheusUnreadable(address))
    for series in result:
        try:
            key = tuple(series["metric"].get(label, "") for label in labels)
            value = float(series["value"][1])
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise UnreachableError(PrometheusUnreadable(address)) from None
        is_named = all(isinstance(part, str) and 0 < len(part) <= LONGEST_TOKEN for part in key)
        if is_named and value >= 0:
            yield key, value


def _answer(client: httpx2.Client, address: str, query: str) -> dict[str, Any]:
    request = client.build_request("GET", f"{address}/api/v1/query", params={"query": query, "timeout": "20s"})
    try:
        response = client.send(request, stream=True)
        try:
            content = _content(response)
        finally:
            response.close()
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise UnreachableError(PrometheusSilent(address, str(error) or type(error).__name__)) from error
    if response.status_code in _REDIRECTS:
        raise UnreachableError(PrometheusRedirects(address))
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        document = None
    if response.status_code != httpx2.codes.OK:
        said = document.get("error") if isinstance(document, dict) else ""
        message = printable(str(said or response.reason_phrase)[:_LONGEST_SAYING])
        raise UnreachableError(PrometheusRefused(address, response.status_code, message))
    if not isinstance(document, dict):
        raise UnreachableError(PrometheusUnreadable(address))
    return document


def _content(response: httpx2.Response) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST_METRICS:
            raise UnreachableError(LargeMetrics(LARGEST_METRICS))
    return b"".join(parts)

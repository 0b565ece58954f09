"""Reads the usage of clusters by itself, once an hour, and writes nothing there.

From Prometheus where the administrator names one, otherwise from metrics.k8s.io of clusters that are followed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils import timezone

from clusters.adapters.kube.connection import Connection
from clusters.adapters.kube.port import ForbiddenError, NotServedError, SourceError, UnreachableError
from clusters.adapters.kube.reader import HttpReader
from clusters.adapters.prune.shapes import WrongField
from clusters.adapters.usage.found import UsageFound
from clusters.adapters.usage.metrics import METRICS_GROUP, NODE_METRICS, POD_METRICS, add_metrics
from clusters.adapters.usage.prometheus import read_prometheus
from clusters.documents.stored_problems import text_of_problem
from clusters.models import Cluster, UsageHour, UsageReading
from clusters.problems.live import MayNotList, StrangeAnswer
from clusters.problems.usage import MetricsForbidden, MetricsNotServed, NoMetricsYet
from clusters.services.usage.keeping import keep_usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.problems import Problem

_log = logging.getLogger(__name__)

_PLURALS = {POD_METRICS: "pods", NODE_METRICS: "nodes"}


def sample_all_usage() -> int:
    """Read the usage of every cluster that has a source, and return of how many; one that fails stops no other."""
    count = 0
    for cluster in Cluster.objects.order_by("pk"):
        if cluster.is_unread or not (cluster.is_live or cluster.name in settings.BERTH_PROMETHEUS):
            continue
        try:
            count += sample_usage(cluster=cluster) is None
        except Exception:  # noqa: BLE001 - whatever one cluster's source says, the others are read
            _log.exception("No usage of %s", cluster)
    return count


def sample_usage(*, cluster: Cluster) -> Problem | None:
    """Read a cluster's usage now, keep it, and write down how that went; return why there is none."""
    address = settings.BERTH_PROMETHEUS.get(cluster.name)
    source = UsageHour.Source.METRICS if address is None else UsageHour.Source.PROMETHEUS
    problem: Problem | None = None
    try:
        if address is None:
            found = asyncio.run(_metrics(Connection(cluster.kubeconfig, cluster.context)))
        else:
            found = read_prometheus(address)
        if found.pods:
            keep_usage(cluster=cluster, found=found, source=source)
        else:
            problem = NoMetricsYet(METRICS_GROUP if address is None else address)
    except SourceError as error:
        problem = error.problem
        _log.warning("No usage of %s: %r", cluster, problem)
    UsageReading.objects.update_or_create(
        cluster=cluster, defaults={"tried_at": timezone.now(), "source": source, "problem": text_of_problem(problem)}
    )
    return problem


async def _metrics(connection: Connection) -> UsageFound:
    """Read PodMetrics and NodeMetrics. Raises SourceError."""
    reader = HttpReader(connection)
    found = UsageFound()
    try:
        for kind, plural in _PLURALS.items():
            _add_all(await reader.metrics(plural, kind), kind, found)
    except NotServedError:
        raise NotServedError(MetricsNotServed()) from None
    except ForbiddenError as error:
        said = error.problem
        raise ForbiddenError(MetricsForbidden(said.said if isinstance(said, MayNotList) else "")) from None
    finally:
        await reader.close()
    return found


def _add_all(documents: Sequence[dict[str, Any]], kind: str, found: UsageFound) -> None:
    """Take what can be read of the objects of a kind: one kubelet with a wrong clock does not hide the others' usage.

    Raises UnreachableError where there are some, and none can be read.
    """
    wrong = []
    for document in documents:
        try:
            add_metrics(document, kind, found)
        except WrongField as error:
            wrong.append(error)
    if wrong and len(wrong) == len(documents):
        raise UnreachableError(StrangeAnswer(METRICS_GROUP))
    if wrong:
        _log.warning("%s of %s %s are left out, first for %r", len(wrong), len(documents), kind, wrong[0])

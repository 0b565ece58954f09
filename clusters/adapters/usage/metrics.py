"""PodMetrics and NodeMetrics of metrics.k8s.io, as metrics-server and adapters of other monitoring serve them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusters.adapters.canonical import identified
from clusters.adapters.observed.log_files import first_lines
from clusters.adapters.prune.metadata import metadata
from clusters.adapters.prune.shapes import WrongField, each, fields, moment, quantity, timestamp, token
from clusters.adapters.usage.found import used_amount
from clusters.engine.problems import Missing
from clusters.engine.resources.requests import CPU, MEMORY
from clusters.engine.usage.sample import PodUsage, UsedAmounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.adapters.usage.found import UsageFound

METRICS_GROUP, METRICS_RELEASE = "metrics.k8s.io", "v1beta1"
METRICS_VERSION = f"{METRICS_GROUP}/{METRICS_RELEASE}"
POD_METRICS, NODE_METRICS = "PodMetrics", "NodeMetrics"
METRICS_KINDS = frozenset({POD_METRICS, NODE_METRICS})

_usage = fields({CPU: quantity, MEMORY: quantity})
_pod_metrics = fields(
    {"metadata": metadata, "timestamp": timestamp, "containers": each(fields({"name": token, "usage": _usage}))}
)
_node_metrics = fields({"metadata": metadata, "timestamp": timestamp, "usage": _usage})
_KIND = re.compile(r"""["']?\bkind["']?\s*:\s*["']?([A-Za-z]+)""")


def is_metrics(api_version: str, kind: str) -> bool:
    """Say whether objects of a type tell what is used."""
    return api_version == METRICS_VERSION and kind in METRICS_KINDS


def begins_with_metrics(start: bytes) -> bool:
    """Tell usage from a dump by the first bytes: the first object is one of metrics.k8s.io."""
    text = "\n".join(first_lines(start))
    kinds = (found[1].removesuffix("List") for found in _KIND.finditer(text))
    return METRICS_GROUP in text and next((kind for kind in kinds if kind), "") in METRICS_KINDS


def add_metrics(document: dict[str, Any], kind: str, found: UsageFound) -> None:
    """Take what one object tells. Raises WrongField."""
    if kind == POD_METRICS:
        _add_pod(document, found)
    else:
        kept = _node_metrics(document)
        _, name = identified(kept, is_namespaced=False)
        _at(kept, lambda at: found.add_node(at, name, _used(kept)))


def _add_pod(document: dict[str, Any], found: UsageFound) -> None:
    kept = _pod_metrics(document)
    namespace, name = identified(kept, is_namespaced=True)
    containers: dict[str, UsedAmounts] = {}
    for number, entry in enumerate(kept.get("containers") or ()):
        try:
            if not entry.get("name"):
                raise WrongField(Missing()).within("name")
            containers[entry["name"]] = _used(entry)
        except WrongField as error:
            raise error.within(number).within("containers") from None
    _at(kept, lambda at: found.add_pod(at, PodUsage(namespace, name, containers)))


def _at(kept: Mapping[str, Any], add: Any) -> None:
    try:
        if "timestamp" not in kept:
            raise WrongField(Missing())
        add(moment(kept["timestamp"]))
    except WrongField as error:
        raise error.within("timestamp") from None


def _used(entry: Mapping[str, Any]) -> UsedAmounts:
    usage = entry.get("usage") or {}
    amounts = []
    for resource in (CPU, MEMORY):
        try:
            if resource not in usage:
                raise WrongField(Missing())
            amounts.append(used_amount(resource, usage[resource]))
        except WrongField as error:
            raise error.within(resource).within("usage") from None
    return UsedAmounts(*amounts)

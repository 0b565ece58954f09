"""Events of both APIs; they differ in the names of half their fields."""

from __future__ import annotations

from clusters.adapters.prune.metadata import path_metadata
from clusters.adapters.prune.shapes import fields, short_text, small_integer, text, timestamp, token

# Together they fit into an entry of PostgreSQL's index, which takes 2,704 bytes.
_reference = fields({"kind": short_text(63), "namespace": short_text(63), "name": short_text(253), "uid": token})
_series = fields({"count": small_integer, "lastObservedTime": timestamp})

event = fields(
    {
        "metadata": path_metadata,
        "type": token,
        "reason": token,
        "action": token,
        "eventTime": timestamp,
        "series": _series,
        "related": _reference,
        "reportingComponent": token,
        "reportingController": token,
        # core/v1
        "involvedObject": _reference,
        "message": text,
        "count": small_integer,
        "firstTimestamp": timestamp,
        "lastTimestamp": timestamp,
        "source": fields({"component": token}),
        # events.k8s.io/v1
        "regarding": _reference,
        "note": text,
        "deprecatedCount": small_integer,
        "deprecatedFirstTimestamp": timestamp,
        "deprecatedLastTimestamp": timestamp,
        "deprecatedSource": fields({"component": token}),
    }
)

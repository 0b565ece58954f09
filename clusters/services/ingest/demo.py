"""The built-in demo cluster, taken in through the same door as any dump."""

from __future__ import annotations

import re
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from clusters.demo import demo_objects
from clusters.demo.usage import demo_usage
from clusters.models import Cluster, Ingest, UsageHour
from clusters.services.ingest.demo_day import has_day, keep_day
from clusters.services.ingest.ingest import ingest_path
from clusters.services.usage.keeping import keep_usage

if TYPE_CHECKING:
    from clusters.demo.identity import Document

DEMO_CLUSTER = "demo"

_FILE_NAME = re.compile(r"demo-[0-9a-f]{16}\.json")
# Kinds of which the demo has none, said in so many words, so that no answer counts as uncertain for it.
_EMPTY_LISTS = (
    ("v1", "ReplicationController"),
    ("node.k8s.io/v1", "RuntimeClass"),
)


class DemoNameTaken(Exception):  # noqa: N818 - it reads as the answer that it is
    """A cluster of somebody else's has the demo's name."""


def demo_dump() -> bytes:
    """Return the demo cluster as a dump: JSON documents, one a line."""
    return _dump(demo_objects())


def _dump(objects: list[Document]) -> bytes:
    documents = [{"apiVersion": "v1", "kind": "List", "items": objects}]
    documents.extend({"apiVersion": version, "kind": f"{kind}List", "items": []} for version, kind in _EMPTY_LISTS)
    return b"".join(orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE) for document in documents)


def demo_list() -> bytes:
    """Return the demo cluster as one List, the way kubectl writes a dump."""
    return orjson.dumps({"apiVersion": "v1", "kind": "List", "items": demo_objects()}, option=orjson.OPT_INDENT_2)


def load_demo() -> Ingest | None:
    """Make the demo cluster what this version's is, with its usage; return the run, or None where it was so already.

    Raises DemoNameTaken if somebody has put something else under its name.
    """
    objects = demo_objects()
    dump = _dump(objects)
    name = f"demo-{blake2b(dump, digest_size=8).hexdigest()}.json"
    cluster, is_new = Cluster.objects.get_or_create(name=DEMO_CLUSTER)
    done = cluster.ingests.filter(state=Ingest.State.DONE).first()
    if done is not None and not _FILE_NAME.fullmatch(done.file_name):
        raise DemoNameTaken
    if done is not None and done.file_name == name and done.revision == cluster.revision:
        if not UsageHour.objects.filter(cluster=cluster).exists():
            # Loaded by a release that had no usage.
            _keep_usage(cluster, objects)
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(dump)
            ingest = ingest_path(cluster=cluster, path=path)
        _keep_usage(cluster, objects)
        return ingest
    except BaseException:
        if is_new:
            cluster.delete()
        raise


def record_demo_day(*, again: bool) -> int | None:
    """Simulate the demo's last day into its journal; return how many decisions, or None where it holds them already.

    ``again``: whatever the journal holds, as after `load_demo` brought another state.
    """
    cluster = Cluster.objects.get(name=DEMO_CLUSTER)
    return keep_day(cluster, demo_objects()) if again or not has_day(cluster) else None


def _keep_usage(cluster: Cluster, objects: list[Document]) -> None:
    keep_usage(cluster=cluster, found=demo_usage(objects), source=UsageHour.Source.METRICS)

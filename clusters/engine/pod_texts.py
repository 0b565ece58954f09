"""Pods as JSON: those of one making differ in name, place and times, and the rest of them is read once for all."""

from __future__ import annotations

import re
from hashlib import blake2b
from sys import intern
from typing import Final

import msgspec

from clusters.engine.objects import sortable_time

# What a snapshot keeps of a pod does not depend on these, as long as none of its volumes restricts its placement.
_OWN_METADATA: Final = ("name", "uid", "creationTimestamp", "resourceVersion")
_WITH_TIMES: Final = ("conditions", "containerStatuses", "initContainerStatuses")
_TIME: Final = re.compile(rb'"\d{4}-\d\d-\d\dT[\d:.]+Z"')
# Each pod has a volume for its token, with a name of its own.
_NAME_ALONE: Final = re.compile(rb'\{"name":\s?"[^"\\]*"\}')
# No name of a node reads like this.
_SOME: Final = msgspec.Raw(b"1")


class PodText(msgspec.Struct, frozen=True, gc=False):
    """What of a snapshot is a pod's own: key, UID, node, start; ``rest``: the same for pods alike in all the rest."""

    text: str
    key: str
    uid: str
    node: str
    start: int
    rest: bytes


class _Parts(msgspec.Struct):
    metadata: dict[str, msgspec.Raw]
    spec: dict[str, msgspec.Raw] = {}
    status: dict[str, msgspec.Raw] = {}


_DECODER: Final = msgspec.json.Decoder(_Parts)
_ENCODER: Final = msgspec.json.Encoder()


def read(text: str) -> PodText:
    """Tell what of a pod is its own, without reading the rest. Raises msgspec.DecodeError for what is no object."""
    parts = _DECODER.decode(text)
    own, spec, status = parts.metadata, parts.spec, parts.status
    key, uid = f"{_text(own.get('namespace')) or 'default'}/{_text(own.get('name'))}", _text(own.get("uid"))
    node, start = intern(_text(spec.get("nodeName"))), sortable_time(_text(status.pop("startTime", None)))
    for field in _OWN_METADATA:
        own.pop(field, None)
    if node:
        spec["nodeName"] = _SOME
    if "volumes" in spec:
        spec["volumes"] = msgspec.Raw(_NAME_ALONE.sub(b"", bytes(spec["volumes"])))
    for field in _WITH_TIMES:
        if field in status:
            status[field] = msgspec.Raw(_TIME.sub(b"", bytes(status[field])))
    return PodText(text, key, uid, node, start, blake2b(_ENCODER.encode(parts), digest_size=16).digest())


def _text(part: msgspec.Raw | None) -> str:
    return "" if part is None else str(msgspec.json.decode(part) or "")

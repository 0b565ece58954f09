"""What the Kubernetes API says about the kinds that people write: types, their fields, and the words that fields hold.

``api.json`` is written by ``scripts/api_schema.py``. The schema that Kubernetes publishes names no bounds and not all
words; those of fields that scheduling reads are here, from ``pkg/apis/core/validation/validation.go`` (v1.34.1).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from clusters.adapters.prune import KINDS

_FILE: Final = Path(__file__).with_name("api.json")
_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")
_RETENTION: Final = ("Retain", "Delete")
_STATES: Final = ("True", "False", "Unknown")

# By type and field. These stand before the schema's own.
WORDS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("Container", "restartPolicy"): ("Always", "Never", "OnFailure"),
    ("LabelSelectorRequirement", "operator"): _OPERATORS,
    ("LimitRangeItem", "type"): ("Container", "Pod", "PersistentVolumeClaim"),
    ("NodeCondition", "status"): _STATES,
    ("PodFailurePolicyOnPodConditionsPattern", "status"): _STATES,
    ("PodOS", "name"): ("linux", "windows"),
    ("StatefulSetPersistentVolumeClaimRetentionPolicy", "whenDeleted"): _RETENTION,
    ("StatefulSetPersistentVolumeClaimRetentionPolicy", "whenScaled"): _RETENTION,
    ("Toleration", "operator"): ("Exists", "Equal"),
}
BOUNDS: Final[dict[tuple[str, str], tuple[int, int]]] = {
    ("ContainerPort", "containerPort"): (1, 65535),
    ("ContainerPort", "hostPort"): (0, 65535),
    ("PreferredSchedulingTerm", "weight"): (1, 100),
    ("ServicePort", "port"): (1, 65535),
    ("TopologySpreadConstraint", "maxSkew"): (1, 2**31 - 1),
    ("TopologySpreadConstraint", "minDomains"): (1, 2**31 - 1),
    ("WeightedPodAffinityTerm", "weight"): (1, 100),
}


class ApiField(NamedTuple):
    """A field of a type: its own type, the words that it may be, if not any, and whether it has to be there."""

    kind: str
    words: tuple[str, ...]
    is_required: bool


@cache
def type_of_kind(version: str, kind: str) -> str | None:
    """Return the name of the type that a kind has in an ``apiVersion``; None of a kind that is not known here.

    A kind of a version that is not served any more has the type of its latest version.
    """
    kinds = _document()["kinds"]
    known: str | None = kinds.get(f"{version}/{kind}")
    if known is None and kind in KINDS and version in KINDS[kind].versions:
        known = kinds.get(f"{KINDS[kind].versions[0]}/{kind}")
    return known


@cache
def fields_of(type_name: str) -> dict[str, ApiField] | None:
    """Return the fields of a type by name; None of what is no type with fields."""
    line = _document()["types"].get(type_name)
    return None if line is None else dict(_field(part, type_name) for part in line.split())


@cache
def all_words() -> frozenset[str]:
    """Return every word that a field of the API may be."""
    types = (fields_of(name) or {} for name in _document()["types"])
    return frozenset(word for fields in types for field in fields.values() for word in field.words if word)


def shown_type(type_name: str) -> str:
    """Return a type's name as Kubernetes has it, without the version that tells it from others of its name."""
    return type_name.partition("@")[0]


def _field(part: str, type_name: str) -> tuple[str, ApiField]:
    name, _, written = part.removesuffix("!").partition(":")
    kind, _, words = written.partition("=")
    own = WORDS.get((type_name, name)) or tuple(words.split("|") if words else ())
    return name, ApiField(kind, own, part.endswith("!"))


@cache
def _document() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(_FILE.read_bytes())
    return found

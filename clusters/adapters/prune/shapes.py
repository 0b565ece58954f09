"""The words that an allow-list is written in.

A pruner takes a parsed JSON value and returns what is kept of it, or raises WrongField. The functions are built once,
at import: an ingest calls them a few hundred thousand times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from clusters.adapters.bad_input import shown
from clusters.engine.problems import (
    BelowLeast,
    InvalidValue,
    NotABoolean,
    NotALabelKey,
    NotALabelValue,
    NotAList,
    NotAMap,
    NotAnInteger,
    NotAnObjectName,
    NotAText,
    Problem,
    TooLong,
)
from clusters.engine.quantity import QuantityError, milli_value

Pruner = Callable[[Any], Any]

MAX_INT64 = 2**63 - 1
# Longer than any name, key, reason or enumeration value of Kubernetes; what is longer is no such thing.
LONGEST_TOKEN = 400
_CACHED = 1 << 16

_LABEL_KEY = re.compile(
    r"(?:(?=.{1,253}/)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
)
_LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")


class WrongField(Exception):  # noqa: N818 -- becomes BadInput once the place is known
    """A field whose value cannot be right; the path grows while the exception passes outwards."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem
        self.steps: list[str] = []

    def within(self, step: str | int) -> WrongField:
        """Note the key or the index that the value was found under."""
        self.steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
        return self

    @property
    def path(self) -> str:
        """Return the way from the object to the value, as in `spec.containers[0].image`."""
        return "".join(reversed(self.steps)).removeprefix(".")


def text(value: Any) -> str:
    """Keep a text of any length."""
    if type(value) is not str:
        raise WrongField(NotAText(shown(value)))
    return value


def then(prune: Pruner, reshape: Callable[[Any], Any]) -> Pruner:
    """Build a pruner that brings what is kept into another shape."""
    return lambda value: reshape(prune(value))


def short_text(most: int) -> Callable[[Any], str]:
    """Build a pruner of a text of so many characters at most."""

    def prune(value: Any) -> str:
        if type(value) is not str:
            raise WrongField(NotAText(shown(value)))
        if len(value) > most:
            raise WrongField(TooLong(shown(value), len(value), most))
        return value

    return prune


# A name, a key, a reason.
token = short_text(LONGEST_TOKEN)


def integer(value: Any) -> int:
    """Keep a whole number that fits in 64 bits."""
    if type(value) is not int or not -MAX_INT64 <= value <= MAX_INT64:
        raise WrongField(NotAnInteger(shown(value)))
    return value


def small_integer(value: Any) -> int:
    """Keep a whole number that fits in 32 bits, as priorities and counts do."""
    if type(value) is not int or not -(2**31) <= value < 2**31:
        raise WrongField(NotAnInteger(shown(value), bits=32))
    return value


def integer_or_text(value: Any) -> int | str:
    """Keep a number or a percentage."""
    return small_integer(value) if type(value) is int else token(value)


def boolean(value: Any) -> bool:
    """Keep a truth value."""
    if type(value) is not bool:
        raise WrongField(NotABoolean(shown(value)))
    return value


@lru_cache(maxsize=_CACHED)
def _checked_quantity(value: str) -> str:
    milli_value(value)
    if value.startswith("-"):
        raise QuantityError(value, BelowLeast(shown(value), 0))
    return value


def quantity(value: Any) -> str:
    """Keep a resource quantity as the text that the API server would store."""
    try:
        if type(value) is str:
            return _checked_quantity(value)
        milli_value(value)
        return _checked_quantity(str(value))
    except QuantityError as error:
        raise WrongField(error.problem) from None


@lru_cache(maxsize=_CACHED)
def moment(value: str) -> datetime:
    """Return an RFC 3339 time; raises ValueError where it is none or has no zone."""
    parsed = datetime.fromisoformat(value)
    if parsed.tzinfo is None:
        raise ValueError("no time zone")
    return parsed


def timestamp(value: Any) -> str:
    """Keep a time as it is written."""
    try:
        if type(value) is str and len(value) <= LONGEST_TOKEN:
            moment(value)
            return value
    except ValueError:
        pass
    raise WrongField(InvalidValue(shown(value), ("2026-01-31T12:00:00Z",)))


@lru_cache(maxsize=_CACHED)
def _check_label(key: str, value: str) -> None:
    if not _LABEL_KEY.fullmatch(key):
        raise WrongField(NotALabelKey(shown(key)))
    if not _LABEL_VALUE.fullmatch(value):
        raise WrongField(NotALabelValue(shown(value))).within(key)


def labels(value: Any) -> dict[str, str]:
    """Keep labels, or a selector by labels."""
    if type(value) is not dict:
        raise WrongField(NotAMap(shown(value)))
    for key, content in value.items():
        if type(key) is not str or type(content) is not str:
            raise WrongField(NotAText(shown(content))).within(str(key))
        _check_label(key, content)
    return value.copy()


def fields(allowed: Mapping[str, Pruner]) -> Pruner:
    """Build a pruner of a map with known fields: the others are dropped, and so is null, which means absent."""
    pruners = dict(allowed)

    def prune(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise WrongField(NotAMap(shown(value)))
        kept = {}
        for key, content in value.items():
            pruner = pruners.get(key)
            if pruner is not None and content is not None:
                try:
                    kept[key] = pruner(content)
                except WrongField as error:
                    error.within(key)
                    raise
        return kept

    return prune


def each(pruner: Pruner) -> Pruner:
    """Build a pruner of a list."""

    def prune(value: Any) -> list[Any]:
        if type(value) is not list:
            raise WrongField(NotAList(shown(value)))
        kept = []
        for index, content in enumerate(value):
            try:
                kept.append(pruner(content))
            except WrongField as error:
                error.within(index)
                raise
        return kept

    return prune


def mapping(pruner: Pruner) -> Pruner:
    """Build a pruner of a map with keys of the author's choice, such as resource names."""

    def prune(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise WrongField(NotAMap(shown(value)))
        kept = {}
        for key, content in value.items():
            try:
                kept[token(key)] = pruner(content)
            except WrongField as error:
                error.within(str(key)[:LONGEST_TOKEN])
                raise
        return kept

    return prune


texts = each(token)
quantities = mapping(quantity)

# Object metadata.

# What volume plugins, the autoscaler's view of a drain and controllers read, and what LimitRanges have set. Recorded
# scheduling results are kept elsewhere, as observations.
_ANNOTATIONS = frozenset(
    {
        # Of a Job's pod: its index, and how many pods of that failed before it.
        "batch.kubernetes.io/job-completion-index",
        "batch.kubernetes.io/job-index-failure-count",
        "batch.kubernetes.io/job-index-ignored-failure-count",
        "cluster-autoscaler.kubernetes.io/safe-to-evict",
        # Of a ReplicaSet: by what its part of a Deployment that is scaled in a rollout is measured.
        "deployment.kubernetes.io/max-replicas",
        "kubernetes.io/limit-ranger",
        # Of a claim that kube-scheduler made for a pod's extended resources.
        "resource.kubernetes.io/extended-resource-claim",
        "storage.alpha.kubernetes.io/migrated-plugins",
        "storageclass.beta.kubernetes.io/is-default-class",
        "storageclass.kubernetes.io/is-default-class",
        "volume.beta.kubernetes.io/storage-class",
        "volume.beta.kubernetes.io/storage-provisioner",
    }
)
_ANNOTATION_PREFIXES = (
    "alibabacloud.com/gpu-",
    "pv.kubernetes.io/",
    "volume.kubernetes.io/",
)

_LABEL = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
_NAMESPACE = re.compile(_LABEL)
_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*")
_LONGEST_UID = 128


def _annotations(value: Any) -> dict[str, str]:
    if type(value) is not dict:
        raise WrongField(NotAMap(shown(value)))
    kept = {}
    for key, content in value.items():
        if type(key) is str and (key in _ANNOTATIONS or key.startswith(_ANNOTATION_PREFIXES)):
            try:
                kept[token(key)] = text(content)
            except WrongField as error:
                error.within(key)
                raise
    return kept


def _name(pattern: re.Pattern[str], wrong: Callable[[str], Problem]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if type(value) is not str or not pattern.fullmatch(value):
            raise WrongField(wrong(shown(value)))
        return value

    return check


def _uid(value: Any) -> str:
    if type(value) is not str or not value or len(value) > _LONGEST_UID or not value.isprintable():
        raise WrongField(InvalidValue(shown(value), ("6e2f4b1c-8d3a",)))
    return value


def _metadata(name: Callable[[Any], str]) -> Pruner:
    return fields(
        {
            "name": name,
            "namespace": _name(_NAMESPACE, lambda found: InvalidValue(found, ("team-a",))),
            "uid": _uid,
            "labels": labels,
            "annotations": _annotations,
            "creationTimestamp": timestamp,
            "deletionTimestamp": timestamp,
            "resourceVersion": token,
            "generation": integer,
            "finalizers": texts,
            "ownerReferences": each(
                fields({"apiVersion": token, "kind": token, "name": token, "uid": token, "controller": boolean})
            ),
        }
    )


metadata = _metadata(_name(_NAME, NotAnObjectName))
# Of events and budgets, whose names the API server checks as parts of a path alone.
path_metadata = _metadata(
    _name(re.compile(r"(?!\.{1,2}\Z)[^/%\x00-\x1f\x7f]{1,253}"), lambda found: InvalidValue(found, ("web-1.17f3",)))
)
# A CSI driver may have capitals in its name.
driver_metadata = _metadata(
    _name(re.compile(_NAME.pattern, re.IGNORECASE | re.ASCII), lambda found: InvalidValue(found, ("csi.example.com",)))
)
# Of a template: what its pods or claims will carry.
template_metadata = fields({"labels": labels})

# Selectors and taints, as many kinds hold them.

_requirements = each(fields({"key": token, "operator": token, "values": texts}))

# Values are not checked as labels are: old objects may select by a value that no label can have.
label_selector = fields({"matchLabels": mapping(token), "matchExpressions": _requirements})
node_selector_term = fields({"matchExpressions": _requirements, "matchFields": _requirements})
node_selector = fields({"nodeSelectorTerms": each(node_selector_term)})
taint = fields({"key": token, "value": token, "effect": token, "timeAdded": timestamp})

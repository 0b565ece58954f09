"""The words that an allow-list is written in.

A pruner takes a parsed JSON value and returns what is kept of it, or raises WrongField; None means that nothing is.
The functions are built once, at import: an ingest calls them a few hundred thousand times.

Most words say in ``_READ_AS`` also as which type msgspec reads them from JSON, by far the quicker way to the same:
what such a type takes the pruner keeps as it is, and what it refuses is for the pruner to judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import cache, lru_cache, partial
from keyword import iskeyword
from typing import Annotated, Any, Union

import msgspec
from msgspec import UNSET, Meta

from clusters.adapters.bad_input import shown
from clusters.engine.batch_systems import BATCH_ANNOTATIONS
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

# So that the same object has the same JSON from any source.
ENCODER = msgspec.json.Encoder(order="sorted")
# By pruner, when an object is first read so: most kinds never are.
_READ_AS: dict[Pruner, Callable[[], Any]] = {}


@cache
def read_as(pruner: Pruner) -> Any:
    """Return the type by which msgspec reads what a pruner keeps as it is; nothing but null where there is none."""
    make = _READ_AS.get(pruner)
    return None if make is None else make()


def _matching(pattern: str) -> Callable[[], Any]:
    return lambda: Annotated[str, Meta(pattern=rf"\A(?:{pattern})\Z")]


def _within(least: int, most: int) -> Callable[[], Any]:
    return lambda: Annotated[int, Meta(ge=least, le=most)]


MAX_INT64 = 2**63 - 1
# Longer than any name, key, reason or enumeration value of Kubernetes; what is longer is no such thing.
LONGEST_TOKEN = 400
_CACHED = 1 << 16

_LABEL_KEY = re.compile(
    r"(?:(?=.{1,253}/)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
)
_TIMESTAMP = (
    r"(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    r"|02-(?:0[1-9]|1[0-9]|2[0-8]))T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z"
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

    _READ_AS[prune] = lambda: Annotated[str, Meta(max_length=most)]
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
    """Build a pruner of a map with known fields: the others are dropped, and so is null, which means absent.

    A field of which nothing is kept is absent too.
    """
    pruners = dict(allowed)

    def prune(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise WrongField(NotAMap(shown(value)))
        kept = {}
        for key, content in value.items():
            pruner = pruners.get(key)
            if pruner is not None and content is not None:
                try:
                    found = pruner(content)
                except WrongField as error:
                    error.within(key)
                    raise
                if found is not None:
                    kept[key] = found
        return kept

    _READ_AS[prune] = lambda: _struct(pruners)
    return prune


def _struct(pruners: Mapping[str, Pruner], absent: Any = None) -> type[msgspec.Struct]:
    """Return the type of a map with these fields, all of which may be absent; others are passed over unread.

    ``absent`` is what a field holds then: None where null means the same, UNSET where null is wrong.
    """
    names = {key: key if key.isidentifier() and not iskeyword(key) else f"field_{at}" for at, key in enumerate(pruners)}
    finishing = [(names[key], _FINISH[pruner]) for key, pruner in pruners.items() if pruner in _FINISH]

    def finish(made: msgspec.Struct) -> None:
        for name, finished in finishing:
            found = getattr(made, name)
            if found is not None:
                setattr(made, name, finished(found))

    return msgspec.defstruct(
        "Kept",
        [
            # Raw JSON may be null by itself.
            (names[key], kept if kept is msgspec.Raw else Union[kept, type(absent)], absent)  # noqa: UP007
            for key, kept in zip(pruners, map(read_as, pruners.values()), strict=True)
        ],
        namespace={"__post_init__": finish} if finishing else None,
        rename={name: key for key, name in names.items() if name != key} or None,
        omit_defaults=True,
        kw_only=True,
        gc=False,
    )


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

    _READ_AS[prune] = lambda: list[read_as(pruner)]  # type: ignore[misc] # made when it runs
    return prune


# By pruner of a field: what is made of the field once it is read, where it is there.
_FINISH: dict[Pruner, Callable[[Any], Any]] = {}


def filled(pruner: Pruner) -> Pruner:
    """Build a pruner of a list of which those items stay that hold something; nothing is kept where none does."""
    prune_each = each(pruner)

    def prune(value: Any) -> list[Any] | None:
        return [kept for kept in prune_each(value) if kept] or None

    _READ_AS[prune] = _READ_AS[prune_each]
    _FINISH[prune] = lambda found: [one for one in found if one != type(one)()] or None
    return prune


def among(kept: Collection[str]) -> Pruner:
    """Build a pruner of a text of which nothing is kept unless it is one of these."""

    def prune(value: Any) -> str | None:
        return value if token(value) in kept else None

    _READ_AS[prune] = _READ_AS[token]
    _FINISH[prune] = lambda found: found if found in kept else None
    return prune


def holding(allowed: Mapping[str, Pruner]) -> Pruner:
    """Build a pruner of a map with known fields of which nothing is kept where it has none of them."""
    prune_fields = fields(allowed)

    def prune(value: Any) -> dict[str, Any] | None:
        return prune_fields(value) or None

    _READ_AS[prune] = _READ_AS[prune_fields]
    _FINISH[prune] = lambda found: found if found != type(found)() else None
    return prune


def alike(pruner: Pruner) -> Pruner:
    """Build a pruner of a field that many objects have the same of, such as their labels: it is read once for all."""
    prune = partial(pruner)
    reader = cache(lambda: msgspec.json.Decoder(Union[read_as(pruner), None]))  # noqa: UP007 - made when it runs

    @lru_cache(maxsize=_CACHED)
    def read(data: bytes) -> msgspec.Raw | None:
        found = reader().decode(data)
        return None if found is None else msgspec.Raw(ENCODER.encode(found))

    _READ_AS[prune] = lambda: msgspec.Raw
    _FINISH[prune] = lambda found: read(bytes(found))
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

    _READ_AS[prune] = lambda: dict[read_as(token), read_as(pruner)]  # type: ignore[misc] # made when it runs
    return prune


_READ_AS.update(
    {
        text: lambda: str,
        boolean: lambda: bool,
        integer: _within(-MAX_INT64, MAX_INT64),
        small_integer: _within(-(2**31), 2**31 - 1),
        integer_or_text: lambda: Union[read_as(small_integer), read_as(token)],  # noqa: UP007 - made when it runs
        # Amounts and times as the API server writes them: what else means the same is brought into its form, or kept.
        quantity: _matching("[0-9]{1,15}(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?"),
        timestamp: _matching(_TIMESTAMP),
        labels: lambda: dict[
            Annotated[str, Meta(pattern=rf"\A(?:{_LABEL_KEY.pattern})\Z")],
            Annotated[str, Meta(pattern=rf"\A(?:{_LABEL_VALUE.pattern})\Z")],
        ],
    }
)
texts = each(token)
quantities = mapping(quantity)

# Object metadata.

# What volume plugins, the autoscaler's view of a drain and controllers read, and what LimitRanges have set. Recorded
# scheduling results are kept elsewhere, as observations.
_ANNOTATIONS = frozenset(
    {
        # Of which group of another batch system a pod is.
        *BATCH_ANNOTATIONS,
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
ANNOTATION_PREFIXES = (
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
        if type(key) is str and (key in _ANNOTATIONS or key.startswith(ANNOTATION_PREFIXES)):
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

    if not pattern.flags & re.IGNORECASE:
        _READ_AS[check] = _matching(pattern.pattern)
    return check


def _uid(value: Any) -> str:
    if type(value) is not str or not value or len(value) > _LONGEST_UID or not value.isprintable():
        raise WrongField(InvalidValue(shown(value), ("6e2f4b1c-8d3a",)))
    return value


_READ_AS[_annotations] = lambda: _struct(dict.fromkeys(sorted(_ANNOTATIONS), text), UNSET)
_READ_AS[_uid] = _matching(f"[ -~]{{1,{_LONGEST_UID}}}")


def _metadata(name: Callable[[Any], str]) -> Pruner:
    return fields(
        {
            "name": name,
            "namespace": _name(_NAMESPACE, lambda found: InvalidValue(found, ("team-a",))),
            "uid": _uid,
            "labels": alike(labels),
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

"""From documents to objects: single ones, lists of either sort, exports and records of kube-scheduler-simulator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.found import Found, ObjectOrigin
from clusters.adapters.prune import KINDS
from clusters.adapters.prune.shapes import token
from clusters.adapters.usage.summary import is_summary
from clusters.engine.kubelet.settings import ANSWERED
from clusters.problems.files import EmptyFile, NotADump
from clusters.problems.objects import ListWithoutVersion, ManyObjects, NotAListOfObjects
from clusters.problems.skips import OtherKind, WithoutContent, WithoutKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.adapters.prune import Kind
    from clusters.adapters.state import ClusterState

# The parts of a kube-scheduler-simulator export; their items carry no type.
_EXPORT = {
    "namespaces": ("v1", "Namespace"),
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
    "pvs": ("v1", "PersistentVolume"),
    "pvcs": ("v1", "PersistentVolumeClaim"),
    "storageClasses": ("storage.k8s.io/v1", "StorageClass"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
}
_EXPORTED_CONFIGURATION = "schedulerConfig"
_RECORDED = frozenset({"Add", "Update", "Delete"})
_LIST = "List"
# Kinds by the names that files have after them: that of the resource, the kind itself, and what kubectl takes as short.
_BY_RESOURCE = {
    **{name.lower(): kind for name, kind in KINDS.items()},
    **{re.sub("y$", "ie", re.sub("s$", "se", name.lower())) + "s": kind for name, kind in KINDS.items()},
    "pvs": KINDS["PersistentVolume"],
    "pvcs": KINDS["PersistentVolumeClaim"],
    "pdbs": KINDS["PodDisruptionBudget"],
}


@dataclass(slots=True)
class Document:
    """One document, or an item of its list that a reader hands over before the rest."""

    number: int
    value: Any
    # The items of the list where they are read one at a time; `value["items"]` is then empty.
    items: Iterable[Any] = ()
    # Where `value` is an item itself: its position in the list.
    position: int = -1
    # The position of the first item that was not handed over.
    first: int = 0


def read_documents(documents: Iterable[Document], file: str, state: ClusterState, *, is_alone: bool) -> Iterator[None]:
    """Put the objects of one file into `state`; yield after each, so that the caller may report progress.

    A file that stands alone must hold Kubernetes objects; one among many may be anything, and is skipped then.
    """
    count = 0
    for document in documents:
        count += 1
        try:
            for found in _objects(document, file, state, is_alone=is_alone):
                state.add(found)
                yield
        except BadInput as error:
            placed = error.at(file=file, document=document.number)
            if is_alone or isinstance(error.problem, ManyObjects):
                raise placed from None
            state.leave_out(placed)
    if not count:
        if is_alone:
            raise BadInput(EmptyFile(), file=file)
        state.skip(WithoutContent())


def _objects(document: Document, file: str, state: ClusterState, *, is_alone: bool) -> Iterator[Found]:
    value, place = document.value, ObjectOrigin(file, document.number)
    if document.position >= 0:
        yield from _found(value, place._replace(list_key="items"), document.position, state, is_alone=is_alone)
    elif type(value) is list:
        for index, item in enumerate(value):
            yield from _found(item, place._replace(list_key="item"), index, state, is_alone=is_alone)
    elif is_alone and type(value) is not dict:
        raise BadInput(NotADump(shown(value)))
    elif _is_list(value):
        yield from _listed(value, place, state, document.items, document.first)
    else:
        yield from _found(value, place, -1, state, is_alone=is_alone)


def _found(value: Any, place: ObjectOrigin, position: int, state: ClusterState, *, is_alone: bool) -> Iterator[Found]:
    """Yield what a document or an item of one holds; what is neither an object nor named by its file is skipped."""
    named = _named_by(place.file)
    if _is_list(value):
        key = place.list_key if position < 0 else f"{place.list_key}[{position}]"
        yield from _listed(value, place._replace(list_key=key), state)
    elif _is_export(value):
        yield from _exported(value, place, state)
    elif type(value) is dict and "resource" in value and str(value.get("event")) in _RECORDED:
        yield Found(place._replace(list_key="resource"), -1, value["resource"], is_deleted=value["event"] == "Delete")
    elif _has_type(value):
        yield Found(place, position, value)
    elif named is not None and type(value) is dict and all(map(_has_name, value.get("items") or ({},))):
        yield from _listed({"apiVersion": named.versions[0], **value, "kind": f"{named.name}{_LIST}"}, place, state)
    elif named is not None and _has_name(value):
        yield Found(place, position, value, named.versions[0], named.name)
    elif is_alone:
        yield Found(place, position, value)
    else:
        state.skip(WithoutKind())


def _is_list(value: Any) -> bool:
    return type(value) is dict and type(value.get("kind")) is str and value["kind"].endswith(_LIST)


def _has_type(value: Any) -> bool:
    """Whether a value says what it is an object of; what a kubelet tells of itself has no kind."""
    return type(value) is dict and (type(value.get("kind")) is str or ANSWERED in value or is_summary(value))


def _has_name(value: Any) -> bool:
    metadata = value.get("metadata") if type(value) is dict else None
    return type(metadata) is dict and type(metadata.get("name")) is str


@lru_cache(maxsize=256)
def _named_by(file: str) -> Kind | None:
    """Return the kind that a file or its folder is called after, as in ``pods/default.json`` or ``core_v1_nodes.json``.

    Support bundles have objects without their kind in such files.
    """
    path = PurePosixPath(file.lower().removesuffix(".gz"))
    for part in (path.stem, path.parent.name):
        for name in (part, part.rpartition("_")[2]):
            if kind := _BY_RESOURCE.get(name.replace("-", "").replace("_", "")):
                return kind
    return None


def _listed(
    value: dict[str, Any], place: ObjectOrigin, state: ClusterState, handed: Iterable[Any] = (), first: int = 0
) -> Iterator[Found]:
    """Yield the items of a List, or of a typed one such as PodList, whose items need no type of their own.

    ``handed`` are items from ``first`` on that a reader hands over one at a time.
    """
    kind = value["kind"].removesuffix(_LIST)
    if kind and kind not in KINDS and "items" not in value:
        # As discovery tells of what an API server serves.
        state.skip(OtherKind(token(value["kind"])))
        return
    api_version = value.get("apiVersion") if kind else ""
    if type(api_version) is not str:
        raise BadInput(ListWithoutVersion(), field="apiVersion")
    items = value.get("items")
    if items is not None and type(items) is not list:
        raise BadInput(NotAListOfObjects(shown(items)), field="items")
    state.note_listed(api_version, kind)
    in_list = place._replace(list_key=f"{place.list_key}.items".removeprefix("."))
    for index, item in enumerate(handed or items or (), first):
        if _is_list(item):
            yield from _listed(item, in_list._replace(list_key=f"{in_list.list_key}[{index}]"), state)
        else:
            yield Found(in_list, index, item, api_version, kind)


def _is_export(value: Any) -> bool:
    return (
        type(value) is dict
        and "kind" not in value
        and any(type(value.get(key)) is list for key in ("nodes", "pods"))
        and value.keys() <= {*_EXPORT, _EXPORTED_CONFIGURATION}
    )


def _exported(value: dict[str, Any], place: ObjectOrigin, state: ClusterState) -> Iterator[Found]:
    for key, (api_version, kind) in _EXPORT.items():
        items = value.get(key)
        if items is None:
            continue
        if type(items) is not list:
            raise BadInput(NotAListOfObjects(shown(items)), field=key)
        state.note_listed(api_version, kind)
        in_list = place._replace(list_key=key)
        for index, item in enumerate(items):
            yield Found(in_list, index, item, api_version, kind)
    configuration = value.get(_EXPORTED_CONFIGURATION)
    if configuration is not None:
        yield Found(
            place._replace(list_key=_EXPORTED_CONFIGURATION),
            -1,
            configuration,
            "kubescheduler.config.k8s.io/v1",
            "KubeSchedulerConfiguration",
        )

"""From documents to objects: single ones, lists of either sort, exports and records of kube-scheduler-simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.state import ClusterState, Found, ObjectOrigin
from clusters.adapters.usage.summary import is_summary
from clusters.engine.kubelet.settings import ANSWERED
from clusters.problems.files import EmptyFile, NotADump
from clusters.problems.objects import ListWithoutVersion, NotAListOfObjects
from clusters.problems.skips import WithoutContent, WithoutKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
            raise error.at(file=file, document=document.number) from None
    if not count:
        if is_alone:
            raise BadInput(EmptyFile(), file=file)
        state.skip(WithoutContent())


def _objects(document: Document, file: str, state: ClusterState, *, is_alone: bool) -> Iterator[Found]:
    value = document.value
    place = ObjectOrigin(file, document.number)
    if document.position >= 0:
        yield Found(place._replace(list_key="items"), document.position, value)
    elif type(value) is list and (is_alone or all(_has_type(item) for item in value)):
        yield from (Found(place._replace(list_key="item"), index, item) for index, item in enumerate(value))
    elif type(value) is dict and type(value.get("kind")) is str and value["kind"].endswith(_LIST):
        yield from _listed(document, place, state)
    elif _is_export(value):
        yield from _exported(value, place, state)
    elif (
        type(value) is dict and type(value.get("event")) is str and value["event"] in _RECORDED and "resource" in value
    ):
        yield Found(place._replace(list_key="resource"), -1, value["resource"], is_deleted=value["event"] == "Delete")
    elif type(value) is dict and (is_alone or _has_type(value)):
        yield Found(place, -1, value)
    elif is_alone:
        raise BadInput(NotADump(shown(value)))
    else:
        state.skip(WithoutKind())


def _has_type(value: Any) -> bool:
    """Whether a value says what it is an object of; what a kubelet tells of itself has no kind."""
    return type(value) is dict and ("kind" in value or ANSWERED in value or is_summary(value))


def _listed(document: Document, place: ObjectOrigin, state: ClusterState) -> Iterator[Found]:
    """Yield the items of a List, or of a typed one such as PodList, whose items need no type of their own."""
    value = document.value
    kind = value["kind"].removesuffix(_LIST)
    api_version = value.get("apiVersion") if kind else ""
    if type(api_version) is not str:
        raise BadInput(ListWithoutVersion(), field="apiVersion")
    items = value.get("items")
    if items is not None and type(items) is not list:
        raise BadInput(NotAListOfObjects(shown(items)), field="items")
    state.note_listed(api_version, kind)
    in_list = place._replace(list_key="items")
    for index, item in enumerate(document.items or items or (), document.first):
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

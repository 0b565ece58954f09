"""The objects of a lesson's manifests: checked as uploads are, with the copies that a file asks for."""

from __future__ import annotations

from copy import deepcopy
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.bad_input import shown
from clusters.adapters.canonical import identified, with_name
from clusters.adapters.prune import KINDS, WrongField, kind_of
from clusters.adapters.schema.checking import check_object
from clusters.adapters.schema.kinds import kind_problem
from clusters.documents.lessons import LESSONS_API_VERSION, CopiesManifest
from clusters.engine.lessons.lesson import ObjectName
from clusters.engine.problems import Missing, NotAnObject, NotOneOf
from clusters.problems.lessons import CopiesOfOtherKind, KindNotInLessons, NotAnObjectReference, NotThere
from clusters.services.lessons.documents import PlacedDocument, joined

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from clusters.adapters.prune import Kind
    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.services.lessons.documents import LessonDocuments

COPIES: Final = "Copies"
_DEFAULT_NAMESPACE: Final = "default"
# What happened, as against what is.
_UNREAD: Final = frozenset({"Event"})


class PlacedObject(NamedTuple):
    """An object, and where it is written: the file, the number of its document in it from 1, and the path within."""

    object: Document
    file: str
    number: int
    path: str


class LessonObjects:
    """The objects in the files of a lesson; each file is read once, however many steps name it."""

    def __init__(self, documents: LessonDocuments) -> None:
        self._documents = documents
        self._read: dict[str, dict[ObjectName, PlacedObject]] = {}

    @property
    def files_read(self) -> frozenset[str]:
        """The files that were asked for."""
        return frozenset(self._read)

    def objects_in(self, file: str) -> Mapping[ObjectName, PlacedObject]:
        """Return the objects of a file by name, the last one of each; what is wrong is noted."""
        if file not in self._read:
            found = self._read[file] = {}
            for document in self._documents.all_in(file):
                for each in self._objects(document, file):
                    found[_name_of(each.object)] = each
        return self._read[file]

    def _objects(self, found: PlacedDocument, file: str) -> Iterable[PlacedObject]:
        value = found.value
        if isinstance(value, dict) and value.get("kind") == COPIES and value.get("apiVersion") == LESSONS_API_VERSION:
            return self._copies(found, file)
        pruned = self._pruned(found, file)
        return () if pruned is None else (PlacedObject(pruned, file, found.number, found.path),)

    def _copies(self, found: PlacedDocument, file: str) -> Iterable[PlacedObject]:
        copies = self._documents.struct(found.value, CopiesManifest, file, document=found.number, path=found.path)
        if copies is None:
            return
        path = joined(found.path, "of")
        if copies.of.get("kind") != "Pod":
            problem = CopiesOfOtherKind(shown(copies.of.get("kind")))
            self._documents.fault(file, joined(path, "kind"), problem, document=found.number)
            return
        pod = self._pruned(PlacedDocument(found.number, path, copies.of), file)
        if pod is None:
            return
        for number in range(1, copies.count + 1):
            copy = deepcopy(pod)
            copy["metadata"]["name"] = f"{pod['metadata']['name']}-{number}"
            if copies.nodes:
                copy["spec"]["nodeName"] = copies.nodes[(number - 1) % len(copies.nodes)]
            yield PlacedObject(copy, file, found.number, path)

    def _pruned(self, found: PlacedDocument, file: str) -> Document | None:
        """Return what is kept of an object; None where something is wrong, which is noted."""

        def fault(field: str, problem: Problem) -> None:
            self._documents.fault(file, joined(found.path, field), problem, document=found.number)

        value = found.value
        if not isinstance(value, dict):
            fault("", NotAnObject(shown(value)))
            return None
        for field in ("apiVersion", "kind"):
            if not isinstance(value.get(field), str) or not value[field]:
                fault(field, Missing())
                return None
        kind = kind_of(value["apiVersion"], value["kind"])
        if kind is None or kind.name in _UNREAD:
            wrong = kind_problem(value["apiVersion"], value["kind"])
            if wrong is None:
                fault("kind", KindNotInLessons(shown(value["kind"]), shown(value["apiVersion"])))
            else:
                fault(wrong.path, wrong.problem)
            return None
        wrongs = list(check_object(value))
        for each in wrongs:
            fault(each.path, each.problem)
        if wrongs:
            return None
        try:
            kept: dict[str, Any] = kind.prune(with_name(value, f"{found.number} {found.path}"))
            identified(kept, is_namespaced=kind.is_namespaced)
        except WrongField as error:
            fault(error.path, error.problem)
            return None
        return {"apiVersion": value["apiVersion"], "kind": kind.name, **kept}


def referred(text: str, objects: Collection[ObjectName]) -> ObjectName | Problem:
    """Return the object that ``Kind/name`` or ``Kind/namespace/name`` means, or what is wrong with that."""
    kind_name, *rest = text.split("/")
    kind: Kind | None = KINDS.get(kind_name)
    if kind is None:
        close = get_close_matches(kind_name[:80], KINDS, n=1)
        return NotOneOf(shown(kind_name), tuple(sorted({name.kind for name in objects})), close[0] if close else "")
    if not all(rest) or not 1 <= len(rest) <= (2 if kind.is_namespaced else 1):
        return NotAnObjectReference(shown(text))
    namespace = "" if not kind.is_namespaced else rest[0] if len(rest) == 2 else _DEFAULT_NAMESPACE
    found = ObjectName(kind_name, namespace, rest[-1])
    return found if found in objects else not_there(found, objects)


def pod_named(text: str) -> ObjectName:
    """Return the pod that ``namespace/name`` or a name in the default namespace means."""
    namespace, _, name = text.rpartition("/")
    return ObjectName("Pod", namespace or _DEFAULT_NAMESPACE, name)


def not_there(name: ObjectName, objects: Collection[ObjectName]) -> NotThere:
    """Say that an object is not there, and which one was probably meant."""
    alike = {written(each): each for each in objects if each.kind == name.kind}
    close = get_close_matches(written(name), alike, n=1)
    return NotThere(shown(written(name)), close[0] if close else "")


def written(name: ObjectName) -> str:
    """Write the name of an object as lessons do."""
    return "/".join(filter(None, name))


def _name_of(document: Document) -> ObjectName:
    metadata = document["metadata"]
    return ObjectName(document["kind"], metadata.get("namespace", ""), metadata["name"])

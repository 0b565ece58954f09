"""The objects of a sandbox by name, and what changes from one state of them to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from clusters.engine.lessons.situation import object_name
from clusters.engine.objects import metadata

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.lessons.lesson import ObjectName
    from clusters.engine.objects import Document

# In the order in which they came.
Objects: TypeAlias = Mapping["ObjectName", "Document"]

# How UIDs of objects begin that the engine makes for a question, and how once they exist.
_IMAGINED: Final = "imagined:"
_EXISTING: Final = "sandbox:"
_FIRST_CREATED: Final = "2025-01-01T00:00:00Z"
_CREATED: Final = "creationTimestamp"


@dataclass(frozen=True, slots=True)
class ObjectsChange:
    """What became of some objects: ``put`` are new or others than before, ``gone`` are no more."""

    put: tuple[Document, ...] = ()
    gone: tuple[ObjectName, ...] = ()

    @classmethod
    def between(cls, before: Objects, after: Objects) -> ObjectsChange:
        """Tell what changed."""
        put = tuple(document for name, document in after.items() if before.get(name) != document)
        return cls(put, tuple(name for name in before if name not in after))

    def applied_to(self, objects: Objects) -> Objects:
        """The objects after it."""
        gone = set(self.gone)
        kept = {name: document for name, document in objects.items() if name not in gone}
        return {**kept, **named(self.put)}

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.put or self.gone)


def named(documents: Iterable[Document]) -> dict[ObjectName, Document]:
    """Objects by name; of several with one name the last counts."""
    return {object_name(document): document for document in documents}


def created(documents: Iterable[Document], there: Objects) -> list[Document]:
    """Objects as they exist from now on: each pod is created a second after the one before, so that the queue has an
    order, and UIDs no longer say that a question made them.
    """
    latest = max(
        (str(metadata(each).get(_CREATED) or "") for name, each in there.items() if name.kind == "Pod"), default=""
    )
    at = np.datetime64((latest or _FIRST_CREATED).removesuffix("Z"), "s")
    found: list[Document] = []
    for document in documents:
        fields = dict(metadata(document))
        if document.get("kind") == "Pod" and not fields.get(_CREATED):
            at += np.timedelta64(1, "s")
            fields[_CREATED] = f"{at}Z"
        if "uid" in fields:
            fields["uid"] = _existing(str(fields["uid"]))
        if owners := fields.get("ownerReferences"):
            fields["ownerReferences"] = [
                {**owner, "uid": _existing(str(owner["uid"]))} if owner.get("uid") else owner for owner in owners
            ]
        found.append({**document, "metadata": fields})
    return found


def _existing(uid: str) -> str:
    return f"{_EXISTING}{uid.removeprefix(_IMAGINED)}" if uid.startswith(_IMAGINED) else uid

"""Objects of a cluster without anything that tells whose they are, so that anybody may look at them.

Every name that somebody gave becomes a neutral one: the same everywhere, in the same order, and pods are still called
after what they belong to. What Kubernetes' API itself says stays, by list. Verdicts and scores are therefore what they
were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.adapters.anonymous.fields import KINDS
from clusters.adapters.anonymous.names import NamesFound, Noun
from clusters.adapters.anonymous.rewriting import Rewriting, numbered_labels
from clusters.engine.objects import Pod, name_of
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document

__all__ = ["Anonymous", "anonymised"]


class Anonymous(NamedTuple):
    """Objects and a scheduler's configuration with neutral names, and how to find those of nodes and pods."""

    objects: tuple[dict[str, Any], ...]
    configuration: dict[str, Any] | None
    naming: Rewriting

    def node(self, name: str) -> str:
        """Return the neutral name of a node."""
        return self.naming.name(Noun.NODE, name)

    def pod(self, namespace: str, name: str) -> str:
        """Return the neutral ``namespace/name`` of a pod."""
        return f"{self.naming.name(Noun.NAMESPACE, namespace)}/{self.naming.name(Noun.POD, name)}"


def anonymised(objects: Iterable[Document], configuration: Document | None = None) -> Anonymous:
    """Give everything neutral names. The objects are pruned ones; kinds that scheduling does not read are left out.

    Raises NamesReadInPartsError for an expression over devices that reads parts of names.
    """
    documents = [each for each in objects if each.get("kind") in KINDS]
    given = [*documents, *([configuration] if configuration is not None else [])]
    numbers = numbered_labels(given)
    found = NamesFound()
    first = Rewriting(_Noting(found), numbers)
    for document in documents:
        first.document(document)
        _note_structure(found, document)
    if configuration is not None:
        first.configuration(configuration)
    naming = Rewriting(found.neutral(), numbers)
    written = tuple(map(naming.document, documents))
    return Anonymous(written, None if configuration is None else naming.configuration(configuration), naming)


class _Noting:
    """Notes every name, and leaves it as it is."""

    def __init__(self, found: NamesFound) -> None:
        self._found = found

    def of(self, noun: Noun, text: str) -> str:
        return self._found.note(noun, text)


def _note_structure(found: NamesFound, document: Document) -> None:
    """Note which names are made of others."""
    if document.get("kind") != "Pod":
        return
    name, controller = name_of(document), Controller.of(document)
    if controller is not None and controller.kind != "Node":
        found.note_owner(name, controller.name)
    for volume in Pod(document).spec.get("volumes") or ():
        if volume.get("ephemeral"):
            own = str(volume.get("name"))
            found.note(Noun.CLAIM, f"{name}-{own}")
            found.note_joined(f"{name}-{own}", name, own)

"""Objects to be given neutral names: recorded cases and the demo cluster, pruned as the mirror keeps them."""

from __future__ import annotations

from typing import Any

from clusters.adapters.prune import KINDS, WrongField
from clusters.demo import demo_objects
from tests.engine import oracle

Document = dict[str, Any]


def pruned(document: Document) -> Document:
    """Keep what the mirror keeps of an object. Raises WrongField."""
    kind = KINDS[document["kind"]]
    return {"apiVersion": document.get("apiVersion", "v1"), "kind": kind.name, **kind.prune(document)}


def some_cases(corpus: str, every: int) -> list[tuple[oracle.Case, list[Document], list[Document]]]:
    """Return every so many-th case with its objects and its pods; those that no API server would hold are left out."""
    found = []
    for case in oracle.some_cases(corpus, every=every).values():
        try:
            objects = [pruned(each) for each in case["objects"] if each["kind"] in KINDS]
            found.append((case, objects, [pruned(each) for each in case["pods"]]))
        except WrongField:
            continue
    return found


def demo() -> list[Document]:
    """Return the demo cluster."""
    return [pruned(each) for each in demo_objects() if each["kind"] in KINDS]

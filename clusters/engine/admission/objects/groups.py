"""Groups of pods: their policies, and the names of their templates.

Upstream: ``pkg/apis/scheduling/validation`` and the declarative rules of its types, v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission.objects.amounts import check_counts, check_one_of, check_repeated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.admission.validation.wrong import Wrong
    from clusters.engine.objects import Document

_LISTS: Final = ("podGroups", "podGroupTemplates", "compositePodGroupTemplates")


def group(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PodGroup or a CompositePodGroup."""
    yield from _policy(document.get("spec") or {}, "spec")


def workload(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Workload."""
    spec = document.get("spec") or {}
    named = list(_templates(spec, "spec"))
    yield from check_repeated((f"{path}.name", template.get("name")) for path, template in named)
    for path, template in named:
        yield from _policy(template, path)


def _templates(owner: Document, path: str) -> Iterator[tuple[str, Document]]:
    for field in _LISTS:
        for number, template in enumerate(owner.get(field) or ()):
            yield f"{path}.{field}[{number}]", template
            yield from _templates(template, f"{path}.{field}[{number}]")


def _policy(owner: Document, path: str) -> Iterator[Wrong]:
    field = "policy" if "policy" in owner else "schedulingPolicy"
    policy, where = owner.get(field) or {}, f"{path}.{field}"
    yield from check_one_of(policy, where, ("basic", "gang"))
    yield from check_counts(policy.get("gang") or {}, f"{where}.gang", "minCount", "minGroupCount", least=1)

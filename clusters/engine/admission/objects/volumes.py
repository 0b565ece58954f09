"""Volumes and claims to them, and what nodes say of drivers.

Upstream: ``pkg/apis/core/validation`` and ``pkg/apis/storage/validation``, v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.objects.amounts import check_counts, check_repeated
from clusters.engine.admission.objects.problems import NotTogether
from clusters.engine.admission.validation.affinity import check_node_selector
from clusters.engine.admission.validation.selecting import check_selector
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.problems import BelowLeast, Missing
from clusters.engine.resources.quantity import nano_units
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

_ALONE: Final = "ReadWriteOncePod"
# What a PersistentVolume has beside its source.
_NO_SOURCES: Final = frozenset(
    {
        "accessModes",
        "capacity",
        "claimRef",
        "mountOptions",
        "nodeAffinity",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "volumeAttributesClassName",
        "volumeMode",
    }
)


def claim(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PersistentVolumeClaim."""
    spec = document.get("spec") or {}
    yield from _modes(spec)
    yield from check_selector(spec.get("selector"), "spec.selector")
    requests = (spec.get("resources") or {}).get("requests") or {}
    yield from _storage(requests.get("storage"), "spec.resources.requests.storage")


def volume(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PersistentVolume."""
    spec = document.get("spec") or {}
    yield from _modes(spec)
    yield from _storage((spec.get("capacity") or {}).get("storage"), "spec.capacity.storage")
    sources = [field for field, source in spec.items() if field not in _NO_SOURCES and source is not None]
    if len(sources) > 1:
        yield Wrong("spec", NotTogether(tuple(sources)))
    required = (spec.get("nodeAffinity") or {}).get("required")
    if spec.get("local") is not None and required is None:
        yield Wrong("spec.nodeAffinity.required", Missing())
    if required is not None:
        yield from check_node_selector(required, "spec.nodeAffinity.required")


def csi_node(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a CSINode."""
    drivers = (document.get("spec") or {}).get("drivers") or ()
    yield from check_repeated((f"spec.drivers[{number}].name", each["name"]) for number, each in enumerate(drivers))
    for number, driver in enumerate(drivers):
        yield from check_counts(driver.get("allocatable") or {}, f"spec.drivers[{number}].allocatable", "count")


def _modes(spec: Document) -> Iterator[Wrong]:
    modes = spec.get("accessModes") or ()
    if not modes:
        yield Wrong("spec.accessModes", Missing(("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", _ALONE)))
    elif _ALONE in modes and len(set(modes)) > 1:
        yield Wrong("spec.accessModes", NotTogether((_ALONE, *(mode for mode in modes if mode != _ALONE))))


def _storage(amount: Any, path: str) -> Iterator[Wrong]:
    if amount is None:
        yield Wrong(path, Missing())
    elif nano_units(amount) <= 0:
        yield Wrong(path, BelowLeast(shown(amount), 1))

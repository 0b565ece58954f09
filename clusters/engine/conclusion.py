"""Whether a pod fits, as far as that can be known: three conclusions, and the reasons why one stays open.

Whatever is not computed can only take nodes away. A pod that computed filters reject everywhere does not fit, whatever
else would be asked; one that passes them is uncertain as long as something that could still reject it is not computed.
"""

from __future__ import annotations

import enum
from typing import ClassVar

from msgspec import Struct


class Conclusion(enum.StrEnum):
    """Whether a pod fits; the values are those of exports and of the API."""

    FITS = "fits"
    UNSCHEDULABLE = "unschedulable"
    UNCERTAIN = "uncertain"


class UncomputedField(Struct, frozen=True):
    """A plugin of Kubernetes decides by a field of the pod, such as ``spec.resourceClaims``, and is not computed."""

    kind: ClassVar[str] = "uncomputed-field"
    plugin: str
    field: str


class UncomputedObject(Struct, frozen=True):
    """A plugin of Kubernetes decides by an object of this kind, such as CompositePodGroup, and that is not computed."""

    kind: ClassVar[str] = "uncomputed-object"
    plugin: str
    object_kind: str
    namespace: str
    name: str


class ForeignPlugin(Struct, frozen=True):
    """The profile asks a plugin that Kubernetes does not bring, at a point where plugins may reject."""

    kind: ClassVar[str] = "foreign-plugin"
    plugin: str


class FilteringExtender(Struct, frozen=True):
    """An extender filters the nodes of this pod.

    ``url_prefix``: empty where it was not kept. ``resources``: those of its managed resources that the pod requests;
    none where it is asked about every pod. ``ignorable``: scheduling goes on while it does not answer.
    """

    kind: ClassVar[str] = "extender"
    url_prefix: str
    resources: tuple[str, ...]
    ignorable: bool


class AppliedQuota(Struct, frozen=True):
    """A ResourceQuota would be charged for the pod, which may be refused before the scheduler sees it."""

    kind: ClassVar[str] = "resource-quota"
    namespace: str
    name: str


class FailedComputation(Struct, frozen=True):
    """The pod's attempt failed, by an error that the log has under this reference."""

    kind: ClassVar[str] = "not-computed"
    reference: str


class PossibleError(Struct, frozen=True):
    """A filter fails on a node that the search may come to before it has found enough others; that ends the attempt."""

    kind: ClassVar[str] = "possible-error"
    plugin: str
    node: str


Uncertainty = (
    UncomputedField
    | UncomputedObject
    | ForeignPlugin
    | FilteringExtender
    | AppliedQuota
    | FailedComputation
    | PossibleError
)


def conclude(*, fits: bool, uncertainties: tuple[Uncertainty, ...]) -> Conclusion:
    """The conclusion about a pod that passes all computed filters somewhere, or does not."""
    if not fits:
        return Conclusion.UNSCHEDULABLE
    return Conclusion.UNCERTAIN if uncertainties else Conclusion.FITS

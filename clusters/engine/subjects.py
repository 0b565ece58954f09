"""What a constraint requires, as a typed value: each plugin defines its own, and those are here that
several share or that its module has no room for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from clusters.engine.objects import AffinityTerm


class Subject:
    """One requirement of a plugin, as a frozen value: equal to another one exactly where both require the same.

    ``kind`` names its type in documents and stays the same from version to version.
    """

    __slots__ = ()

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class ClaimSubject(Subject):
    """A PersistentVolumeClaim of the pod's namespace."""

    kind: ClassVar[str] = "claim"

    claim: str


@dataclass(frozen=True, slots=True)
class TermSubject(Subject):
    """A required term of affinity or anti-affinity between pods."""

    term: AffinityTerm


@dataclass(frozen=True, slots=True)
class AffinitySubject(TermSubject):
    """A required affinity term of the pod."""

    kind: ClassVar[str] = "pod-affinity"


@dataclass(frozen=True, slots=True)
class AntiAffinitySubject(TermSubject):
    """A required anti-affinity term of the pod."""

    kind: ClassVar[str] = "pod-anti-affinity"


@dataclass(frozen=True, slots=True)
class ExistingAntiAffinitySubject(TermSubject):
    """A required anti-affinity term of existing pods that means the pod."""

    kind: ClassVar[str] = "existing-pod-anti-affinity"

"""What InterPodAffinity requires of a node: one term of the pod's rules, or of those of existing pods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from clusters.engine.subjects import Subject

if TYPE_CHECKING:
    from clusters.engine.objects import AffinityTerm


@dataclass(frozen=True, slots=True)
class TermSubject(Subject):
    """A required term of affinity or anti-affinity between pods."""

    term: AffinityTerm


@dataclass(frozen=True, slots=True)
class AffinitySubject(TermSubject):
    """A required affinity term of the pod."""

    kind: ClassVar[str] = "pod-affinity"
    may_prefer: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AntiAffinitySubject(TermSubject):
    """A required anti-affinity term of the pod."""

    kind: ClassVar[str] = "pod-anti-affinity"
    may_prefer: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ExistingAntiAffinitySubject(TermSubject):
    """A required anti-affinity term of existing pods that means the pod."""

    kind: ClassVar[str] = "existing-pod-anti-affinity"

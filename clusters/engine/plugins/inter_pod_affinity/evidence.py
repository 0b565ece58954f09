"""What InterPodAffinity compared on a node, and what it made its score from."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.evidence import Comparison, CountedPod, Normalisation, ScorePart

if TYPE_CHECKING:
    from clusters.engine.matching.selectors import LabelSelector
    from clusters.engine.objects import AffinityTerm

# So many pods are named; the others are counted.
_SHOWN_PODS = 5


@dataclass(frozen=True, slots=True)
class PodTerm:
    """Which pods a term means, and the topology key within whose domains.

    ``namespaces`` are named, in their order; ``namespace_selector`` adds namespaces by label (None adds none).
    """

    topology_key: str
    selector: LabelSelector
    namespaces: tuple[str, ...]
    namespace_selector: LabelSelector | None

    @classmethod
    def of(cls, term: AffinityTerm) -> PodTerm:
        return cls(term.topology_key, term.selector, tuple(sorted(term.namespaces)), term.namespace_selector)


class TermSource(enum.StrEnum):
    """Whose term it is, and whether it draws pods together or keeps them apart."""

    AFFINITY = "affinity"
    ANTI_AFFINITY = "anti-affinity"
    ANTI_AFFINITY_OF_PODS = "anti-affinity-of-pods"


@dataclass(frozen=True, slots=True)
class TermComparison(Comparison):
    """The pods of the node's domain that a required term is about.

    ``value`` is None where the node lacks the topology label. ``count`` are those pods, nominated ones included, and
    ``pods`` the first of them; for affinity with several terms they are the pods that all of its terms mean.
    ``first_of_group`` says that no pod anywhere meets the pod's affinity and the pod itself does, so that it may start
    its group.
    """

    kind = "pod-affinity-term"

    source: TermSource
    term: PodTerm
    value: str | None
    count: int
    pods: tuple[CountedPod, ...]
    first_of_group: bool

    @classmethod
    def of(
        cls, source: TermSource, term: AffinityTerm, value: str | None, here: list[CountedPod], *, first_of_group: bool
    ) -> TermComparison:
        """State a term and the pods that it is about in a node's domain."""
        return cls(source, PodTerm.of(term), value, len(here), tuple(here[:_SHOWN_PODS]), first_of_group)

    @property
    def holds(self) -> bool:
        if self.source is not TermSource.AFFINITY:
            return self.count == 0
        return self.value is not None and (self.count > 0 or self.first_of_group)


class PreferenceSource(enum.StrEnum):
    """Whose preference it is; that of other pods is about the pod as they would have it."""

    AFFINITY = "preferred-affinity"
    ANTI_AFFINITY = "preferred-anti-affinity"
    PODS = "preferred-by-pods"


@dataclass(frozen=True, slots=True)
class TermScore(ScorePart):
    """The pods of the node's domain that a preferred term is about; they add count × weight to the raw score."""

    kind = "preferred-pod-affinity-term"

    source: PreferenceSource
    term: PodTerm
    value: str
    count: int
    weight: int


@dataclass(frozen=True, slots=True)
class ByRange(Normalisation):
    """100 × ((raw − lowest) ÷ (highest − lowest)) in 64-bit floats, rounded down; 0 where all are the same."""

    kind = "by-range"

    highest: int
    lowest: int

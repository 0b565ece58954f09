"""Which objects a quota's scopes mean: all of its scopes have to mean an object for the quota to count it.

Upstream: ``podMatchesScopeFunc`` of ``pods.go`` and ``pvcMatchesScopeFunc`` of ``persistent_volume_claims.go`` in
``pkg/quota/v1/evaluator/core``; ``getScopeSelectorsFromQuota`` of ``k8s.io/apiserver/pkg/quota/v1/generic``; v1.34.1,
where the gate VolumeAttributesClass is on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.disruption.qos import QualityOfService, quality_of_service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document


class QuotaScope(NamedTuple):
    """A scope of a quota; ``values`` only of the operators ``In`` and ``NotIn``."""

    name: str
    operator: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        """The scope as a manifest writes it, such as ``PriorityClass In high, low``."""
        return (
            self.name if self.operator == "Exists" else f"{self.name} {self.operator} {', '.join(self.values)}".strip()
        )

    @classmethod
    def all_of(cls, spec: Document) -> tuple[QuotaScope, ...]:
        """The scopes of a quota's spec, those of ``scopes`` first."""
        plain = (cls(str(name), "Exists", ()) for name in spec.get("scopes") or ())
        expressions = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
        selected = (
            cls(str(each.get("scopeName")), str(each.get("operator")), tuple(each.get("values") or ()))
            for each in expressions
        )
        return (*plain, *selected)

    def means_pod(self, pod: Document) -> bool:
        """Whether the scope means a pod; a scope of other objects means none."""
        spec: Document = pod.get("spec") or {}
        match self.name:
            case "Terminating":
                return _ends(spec)
            case "NotTerminating":
                return not _ends(spec)
            case "BestEffort":
                return quality_of_service(pod) is QualityOfService.BEST_EFFORT
            case "NotBestEffort":
                return quality_of_service(pod) is not QualityOfService.BEST_EFFORT
            case "PriorityClass":
                named = str(spec.get("priorityClassName") or "")
                return self._selects(frozenset({named} - {""}))
            case "CrossNamespacePodAffinity":
                return any(_crosses(term) for term in _terms(spec.get("affinity") or {}))
            case _:
                return False

    def means_claim(self, claim: Document) -> bool:
        """Whether the scope means a PersistentVolumeClaim: only one of VolumeAttributesClasses does."""
        if self.name != "VolumeAttributesClass":
            return False
        named = str((claim.get("spec") or {}).get("volumeAttributesClassName") or "")
        return self._selects(frozenset({named} - {""}))

    def _selects(self, named: frozenset[str]) -> bool:
        """Whether the operator and its values select one of the names, or an object without any."""
        match self.operator:
            case "In":
                return not named.isdisjoint(self.values)
            case "NotIn":
                return named.isdisjoint(self.values)
            case "Exists":
                return bool(named)
            case "DoesNotExist":
                return not named
            case _:
                return False


def _ends(spec: Document) -> bool:
    seconds = spec.get("activeDeadlineSeconds")
    return seconds is not None and int(seconds) >= 0


def _terms(affinity: Document) -> Iterator[Document]:
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = affinity.get(kind) or {}
        yield from terms.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
        for weighted in terms.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            yield weighted.get("podAffinityTerm") or {}


def _crosses(term: Document) -> bool:
    return bool(term.get("namespaces")) or term.get("namespaceSelector") is not None

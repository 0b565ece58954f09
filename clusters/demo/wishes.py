"""Parts of pod specs: what pods ask of the nodes and pods around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.demo.nodes import ARCHITECTURE, HOSTNAME, POOL, ZONE

if TYPE_CHECKING:
    from clusters.demo.identity import Document, Fields

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"

AMD64: Fields = {"nodeSelector": {ARCHITECTURE: "amd64"}}
TOLERATES_GPU: Fields = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]}


def on_pool(pool: str, **labels: str) -> Fields:
    """Ask for the nodes of one pool."""
    return {"nodeSelector": {POOL: pool, **labels}}


def dedicated(pool: str, use: str) -> Fields:
    """Ask for a pool that is kept for one use."""
    toleration = {"key": "dedicated", "operator": "Equal", "value": use, "effect": "NoSchedule"}
    return {**on_pool(pool), "tolerations": [toleration]}


def spread(app: str, *, by: str = ZONE, hard: bool = False, **more: Any) -> Fields:
    """Spread the pods of an app evenly over zones, or over something else."""
    constraint: Document = {
        "maxSkew": 1,
        "topologyKey": by,
        "whenUnsatisfiable": "DoNotSchedule" if hard else "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": app}},
        **more,
    }
    return {"topologySpreadConstraints": [constraint]}


def apart(labels: dict[str, str], *, by: str = HOSTNAME, hard: bool = True, **more: Any) -> Fields:
    """Keep away from pods with these labels; ``more`` fields of the term say in which namespaces."""
    return {"affinity": {"podAntiAffinity": _terms(labels, by, hard=hard, **more)}}


def near(labels: dict[str, str], *, by: str = ZONE, hard: bool = True) -> Fields:
    """Go where pods with these labels are."""
    return {"affinity": {"podAffinity": _terms(labels, by, hard=hard)}}


def _terms(labels: dict[str, str], by: str, *, hard: bool, **more: Any) -> Document:
    term: Document = {"labelSelector": {"matchLabels": labels}, "topologyKey": by, **more}
    return {_REQUIRED: [term]} if hard else {_PREFERRED: [{"weight": 100, "podAffinityTerm": term}]}


def with_label(key: str, *values: str) -> Fields:
    """Go only to nodes with one of these values."""
    expression = {"key": key, "operator": "In", "values": list(values)}
    return {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}}}


def rather(key: str, *values: str, weight: int = 50) -> Fields:
    """Prefer nodes with one of these values."""
    expression = {"key": key, "operator": "In", "values": list(values)}
    return {
        "affinity": {
            "nodeAffinity": {_PREFERRED: [{"weight": weight, "preference": {"matchExpressions": [expression]}}]}
        }
    }


def with_claim(*claims: str) -> Fields:
    """Mount existing claims."""
    return {"volumes": [{"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in claims]}


# Work that can be interrupted goes where it is cheap.
SPOT: Fields = {
    "tolerations": [{"key": "shop.example/spot", "operator": "Exists"}],
    **rather(POOL, "spot", weight=100),
}

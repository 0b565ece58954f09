"""What bounds pods: budgets, quotas and limit ranges; and nodes, runtime classes and Services.

Upstream: ``pkg/apis/policy/validation``, ``pkg/apis/core/validation`` and ``pkg/apis/node/validation``, v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission.objects.amounts import check_quantities, check_repeated, check_share
from clusters.engine.admission.objects.problems import AboveOther, NotTogether, OnlyBeside
from clusters.engine.admission.problems import NoValues, ValuesBesideKey
from clusters.engine.admission.validation.selecting import check_labels, check_selector
from clusters.engine.admission.validation.tolerations import check_tolerations
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import key_fault, value_fault
from clusters.engine.problems import BelowLeast, Missing, NotALabelKey, NotALabelValue, NotOneOf
from clusters.engine.resources.quantity import nano_units
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

_NANO: Final = 10**9
_SCOPES_APART: Final = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
_EXISTS_ONLY: Final = frozenset(
    {"BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"}
)
# Of a LimitRange, which amount may not exceed which.
_ORDERED: Final = (
    ("min", "max"),
    ("min", "defaultRequest"),
    ("defaultRequest", "max"),
    ("defaultRequest", "default"),
    ("min", "default"),
    ("default", "max"),
)


def budget(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PodDisruptionBudget."""
    spec, fields = document.get("spec") or {}, ("minAvailable", "maxUnavailable")
    if all(spec.get(field) is not None for field in fields):
        yield Wrong("spec", NotTogether(fields))
    for field in fields:
        yield from check_share(spec.get(field), f"spec.{field}")
    yield from check_selector(spec.get("selector"), "spec.selector")


def quota(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ResourceQuota."""
    spec = document.get("spec") or {}
    yield from check_quantities(spec.get("hard"), "spec.hard")
    expressions = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
    for number, expression in enumerate(expressions):
        path = f"spec.scopeSelector.matchExpressions[{number}]"
        operator, values = expression.get("operator"), expression.get("values")
        if expression.get("scopeName") in _EXISTS_ONLY and operator != "Exists":
            yield Wrong(f"{path}.operator", NotOneOf(shown(operator), ("Exists",), "Exists"))
        elif operator in ("In", "NotIn") and not values:
            yield Wrong(f"{path}.values", NoValues(operator))
        elif operator in ("Exists", "DoesNotExist") and values:
            yield Wrong(f"{path}.values", ValuesBesideKey(operator))
    for path, scopes in (
        ("spec.scopes", spec.get("scopes") or ()),
        ("spec.scopeSelector.matchExpressions", [each.get("scopeName") for each in expressions]),
    ):
        for pair in _SCOPES_APART:
            if all(scope in scopes for scope in pair):
                yield Wrong(path, NotTogether(pair))


def limit_range(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a LimitRange."""
    limits = (document.get("spec") or {}).get("limits") or ()
    paths = [f"spec.limits[{number}]" for number in range(len(limits))]
    yield from check_repeated((f"{path}.type", limit.get("type")) for path, limit in zip(paths, limits, strict=True))
    for path, limit in zip(paths, limits, strict=True):
        kind = limit.get("type")
        for field in ("default", "defaultRequest") if kind == "Pod" else ():
            if limit.get(field):
                yield Wrong(f"{path}.{field}", OnlyBeside("type", "Container"))
        stored = (limit.get(field) or {} for field in ("min", "max"))
        if kind == "PersistentVolumeClaim" and not any("storage" in each for each in stored):
            yield Wrong(f"{path}.max.storage", Missing())
        for low, high in _ORDERED:
            above = limit.get(high) or {}
            for name, amount in (limit.get(low) or {}).items():
                other = above.get(name)
                if other is not None and nano_units(amount) > nano_units(other):
                    yield Wrong(f"{path}.{low}.{name}", AboveOther(shown(amount), high, shown(other)))
        for name, ratio in (limit.get("maxLimitRequestRatio") or {}).items():
            if nano_units(ratio) < _NANO:
                yield Wrong(f"{path}.maxLimitRequestRatio.{name}", BelowLeast(shown(ratio), 1))


def node(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Node: its taints, and amounts below 0."""
    taints = (document.get("spec") or {}).get("taints") or ()
    for number, taint in enumerate(taints):
        path = f"spec.taints[{number}]"
        if key_fault(taint["key"]):
            yield Wrong(f"{path}.key", NotALabelKey(shown(taint["key"])))
        if value_fault(taint.get("value") or ""):
            yield Wrong(f"{path}.value", NotALabelValue(shown(taint["value"])))
    yield from check_repeated(
        (f"spec.taints[{number}]", f"{taint['key']}:{taint['effect']}") for number, taint in enumerate(taints)
    )
    for field in ("capacity", "allocatable"):
        yield from check_quantities((document.get("status") or {}).get(field), f"status.{field}")


def runtime_class(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a RuntimeClass."""
    yield from check_quantities((document.get("overhead") or {}).get("podFixed"), "overhead.podFixed")
    scheduling = document.get("scheduling") or {}
    yield from check_labels(scheduling.get("nodeSelector"), "scheduling.nodeSelector")
    yield from check_tolerations(scheduling.get("tolerations") or (), "scheduling.tolerations")


def service(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Service's selector; its ports have no say in where pods run, and are not kept."""
    yield from check_labels((document.get("spec") or {}).get("selector"), "spec.selector")

"""Documents of version 1, which the journal wrote until there was one form for all: read as that form.

They kept less: what they lack is missing in what is read, and nothing is invented. The earliest lack ``conclusion``,
``error`` and ``takesNominated``, and tell an error of scoring as ``scoreError``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from clusters.engine.conclusion import Conclusion

if TYPE_CHECKING:
    from collections.abc import Mapping

    Stored = Mapping[str, Any]

# Nothing else was ever computed then.
_RELEASE = "v1.34.1"


class _Earlier(StrEnum):
    """Values that documents of both versions have, and that are written no more."""

    UNSCHEDULABLE = "does not fit"


def read_conclusion(stored: Stored) -> Conclusion:
    """Return the conclusion of a document of any version; the earliest say no more than whether the pod fits."""
    found = stored.get("conclusion") or ("fits" if stored["fits"] else _Earlier.UNSCHEDULABLE)
    return Conclusion.UNSCHEDULABLE if found == _Earlier.UNSCHEDULABLE else Conclusion(found)


def with_conclusion(stored: Stored) -> Stored:
    """Return a document with its conclusion as it is written now."""
    if stored["conclusion"] != _Earlier.UNSCHEDULABLE:
        return stored
    return {**stored, "conclusion": Conclusion.UNSCHEDULABLE.value}


def as_version_2(stored: Stored) -> dict[str, Any]:
    """Return a document of version 1 as one of version 2. Raises LookupError and TypeError where it is none."""
    conclusion = read_conclusion(stored)
    sampling, chosen = stored["sampling"], stored["chosen"]
    ranking = stored["ranking"]
    return {
        "version": 2,
        "schedulerName": stored["schedulerName"],
        "release": _RELEASE,
        "conclusion": conclusion.value,
        "fits": None if conclusion is Conclusion.UNCERTAIN else conclusion is Conclusion.FITS,
        "unknownPlugins": stored["unknownPlugins"],
        "nodeCount": stored["nodes"],
        "consideredCount": stored["considered"],
        "feasibleCount": stored["feasible"],
        "sampling": {**sampling, "complete": sampling["wanted"] >= sampling["nodes"]},
        "choice": _choice(stored),
        "error": _error(stored),
        "message": stored["message"],
        "preFilterVerdict": stored["preFilterVerdict"],
        "funnel": stored["funnel"],
        "groups": [{**group, "filters": _filters(group["filters"])} for group in stored["groups"]],
        "otherGroups": stored["otherGroups"],
        "ranking": [{**row, "rank": 1 + sum(other["total"] > row["total"] for other in ranking)} for row in ranking],
        "nodes": {chosen["node"]: _node(chosen)} if chosen is not None and chosen["known"] else {},
        "preemption": _preemption(stored["preemption"]),
        "dropped": stored["dropped"],
    }


def _choice(stored: Stored) -> dict[str, Any] | None:
    best = stored["best"]
    if best is None:
        return None
    by = "nomination" if stored.get("takesNominated") else "score" if stored["feasible"] > 1 else "only-node"
    return {**best, "by": by}


def _error(stored: Stored) -> dict[str, Any] | None:
    error = stored.get("error")
    if error is not None:
        return {**error, "node": error["node"] or None}
    rejection = stored.get("scoreError")
    if rejection is None:
        return None
    return {"phase": "score", "plugin": rejection["plugin"], "node": None, "message": ", ".join(rejection["reasons"])}


def _filters(filters: Stored) -> dict[str, Any]:
    return {plugin: {"reasons": reasons} for plugin, reasons in filters.items()}


def _node(chosen: Stored) -> dict[str, Any]:
    return {
        "verdict": chosen["verdict"],
        "filters": _filters(chosen["filters"]),
        "total": chosen["total"],
        "rank": chosen["rank"],
        "scores": chosen["scores"],
    }


def _preemption(stored: Stored | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    return {
        "eligible": stored["eligible"],
        "message": stored["message"] or None,
        "count": stored["candidates"],
        "selected": stored["selected"],
    }

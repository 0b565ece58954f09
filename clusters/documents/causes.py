"""Why pods are pending, and what would free them, as plain values: what runs and reviews keep."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.values import camel, read_uncertainty, value_document
from clusters.engine.analysis.causes import Cause, Kind
from clusters.engine.analysis.remedies import REMEDIES
from clusters.engine.devices.claim_refusals import ResourceClaimProblem
from clusters.engine.volumes.claim_problems import ClaimProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.analysis.remedies import Remedy

# Kinds as runs and reviews of before hold them.
_KINDS = {"not-judged": Kind.NOT_EVALUATED}
# And reasons, in the scheduler's words.
_INSUFFICIENT = re.compile(r"Insufficient (?P<resource>\S+)")
_PROBLEMS = {problem.said: problem for problem in ClaimProblem}


def cause_document(cause: Cause) -> dict[str, Any]:
    """Return a cause as `read_cause` reads it back."""
    return {
        "kind": str(cause.kind),
        "plugins": list(cause.plugins),
        "reasons": list(cause.reasons),
        "resources": list(cause.resources),
        "gates": list(cause.gates),
        "uncertainties": [value_document(each) for each in cause.uncertainties],
        "schedulerName": cause.scheduler_name,
        "reference": cause.reference,
        "isTooLarge": cause.is_too_large,
        "claimProblem": None if cause.claim_problem is None else str(cause.claim_problem),
    }


def read_cause(stored: Mapping[str, Any]) -> Cause:
    """Return the cause of a row, which has it under ``cause``, or as text where an earlier version wrote it."""
    found = _read(stored)
    # A claim for which a plugin rejects pods was a kind of its own.
    return replace(found, kind=Kind.UNSCHEDULABLE) if found.kind is Kind.VOLUME and found.plugins else found


def _read(stored: Mapping[str, Any]) -> Cause:
    if "cause" not in stored:
        return _earlier(read_kind(stored["kind"]), stored["plugin"], stored["reason"])
    cause = stored["cause"]
    kind, reasons = read_kind(cause["kind"]), tuple(cause["reasons"])
    return Cause(
        kind,
        plugins=tuple(cause["plugins"]),
        reasons=reasons,
        resources=tuple(cause["resources"]),
        gates=tuple(cause["gates"]),
        uncertainties=tuple(map(read_uncertainty, cause["uncertainties"])),
        scheduler_name=cause["schedulerName"],
        reference=cause["reference"],
        is_too_large=cause.get("isTooLarge", False),
        claim_problem=_claim_problem(cause["claimProblem"])
        if "claimProblem" in cause
        else _earlier_problem(kind, reasons),
    )


def _claim_problem(stored: str | None) -> ClaimProblem | ResourceClaimProblem | None:
    if stored is None:
        return None
    return ResourceClaimProblem(stored) if stored in set(ResourceClaimProblem) else ClaimProblem(stored)


def _earlier_problem(kind: Kind, reasons: tuple[str, ...]) -> ClaimProblem | None:
    """Read what was written as the scheduler's words alone."""
    return _PROBLEMS.get(", ".join(reasons)) if kind is Kind.VOLUME else None


def read_kind(stored: str) -> Kind:
    """Return the kind of a cause, which earlier releases may have stored by another name."""
    return Kind(_KINDS.get(stored, stored))


def _earlier(kind: Kind, plugin: str, reason: str) -> Cause:
    """Read what was written as two texts: plugins separated by commas, and one text for any sort of reason."""
    match kind:
        case Kind.GATED:
            return Cause(kind, gates=tuple(reason.split(", ")))
        case Kind.OTHER_SCHEDULER:
            return Cause(kind, scheduler_name=reason)
        case Kind.NOT_COMPUTED:
            return Cause(kind, reference=reason)
        case Kind.UNSCHEDULABLE:
            reasons = tuple(each for each in reason.split(", ") if each)
            short = tuple(found["resource"] for each in reasons if (found := _INSUFFICIENT.fullmatch(each)))
            kept = reasons if len(short) == len(reasons) else (reason,)
            return Cause(kind, tuple(plugin.split(",")) if plugin else (), kept, short)
        case _:
            reasons = (reason,) if reason else ()
            return Cause(kind, (plugin,) if plugin else (), reasons, claim_problem=_earlier_problem(kind, reasons))


def read_remedy(stored: Mapping[str, Any]) -> Remedy:
    """Return the remedy that ``value_document`` wrote. Raises KeyError for a kind that there is not."""
    found = REMEDIES[stored["kind"]]
    fields = {field.name: stored[camel(field.name)] for field in dataclasses.fields(found)}
    remedy: Remedy = msgspec.convert(fields, found)
    return remedy

"""An explanation as plain values, for machines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from clusters.documents.values import constraint_document
from clusters.engine.analysis.remedies import volume_remedies
from clusters.wording.attempts import choice_document, error_document
from clusters.wording.conclusions import doubts, fits_or_unknown, uncertainty_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation, NodeGroup
    from clusters.engine.relaxing.relaxations import Lift, Reduction
    from clusters.engine.status import Status


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """Return ``Explanation.to_dict`` and beside it the verdict in short, groups, funnel and what would help.

    ``docs/terminal.md`` lists the keys.
    """
    return {
        **explanation.to_dict(),
        "fits": fits_or_unknown(explanation.conclusion),
        "conclusion": str(explanation.conclusion),
        "uncertainties": [uncertainty_document(each) for each in explanation.uncertainties],
        "doubts": doubts(explanation),
        "choice": choice_document(explanation, len(explanation.choices)),
        "error": error_document(explanation.error),
        "schedulerName": explanation.profile.scheduler_name,
        "gates": list(explanation.pod.scheduling_gates),
        "message": explanation.message,
        "unknownPlugins": list(explanation.unknown_plugins),
        "groups": [
            {
                "nodes": _names(explanation, group.rows.tolist()),
                "verdict": None
                if group.verdict is None
                else {"plugin": group.verdict.plugin, **_status(group.verdict.status)},
                "filters": _statuses(group.filters),
                "nominated": nominated_for(explanation, group),
            }
            for group in explanation.groups
        ],
        "funnel": [
            {
                "plugin": step.plugin,
                "left": step.left,
                "rejectedHere": step.rejected_here,
                "rejectedAlone": step.rejected_alone,
                "skipped": step.skipped,
            }
            for step in explanation.funnel
        ],
        "relaxations": {
            "filters": _lifts(explanation, explanation.relaxations.filters),
            "singles": _lifts(explanation, explanation.relaxations.singles),
            "pairs": _lifts(explanation, explanation.relaxations.pairs),
            "reductions": reduction_documents(explanation, explanation.relaxations.reductions),
            "together": reduction_documents(explanation, explanation.relaxations.together),
            "volumes": volume_remedies(explanation),
        },
    }


def nominated_for(explanation: Explanation, group: NodeGroup) -> list[str]:
    """Return the nominated pods without which the verdict on a group would be another; empty where it would not."""
    if not explanation.decided_by_nominated(int(group.rows[0])):
        return []
    return list(dict.fromkeys(key for row in group.rows.tolist() for key in explanation.nominated_on(row)))


def reduction_documents(explanation: Explanation, reductions: Iterable[Reduction]) -> list[dict[str, Any]]:
    """Return how much of each resource would fit, in base units, and on which node."""
    names = explanation.snapshot.nodes.names
    return [
        {"resource": each.resource, "asked": each.asked, "fitting": each.fitting, "node": names[each.row]}
        for each in reductions
    ]


def evidence_document(explanation: Explanation, row: int) -> dict[str, Any]:
    """Return what each filter compared on a node, by plugin, with nominated pods where those make it reject."""
    return {
        plugin: [{"kind": each.kind, "holds": each.holds, **asdict(each)} for each in found]
        for plugin, found in explanation.evidence(row).items()
    }


def _names(explanation: Explanation, rows: Iterable[int]) -> list[str]:
    return [explanation.snapshot.nodes.names[row] for row in rows]


def _status(status: Status) -> dict[str, Any]:
    return {"code": str(status.code), "reasons": list(status.reasons)}


def _statuses(filters: Mapping[str, Status]) -> dict[str, Any]:
    return {plugin: _status(status) for plugin, status in filters.items()}


def _lifts(explanation: Explanation, lifts: Iterable[Lift]) -> list[dict[str, Any]]:
    return [
        {
            "lifted": [constraint_document(each) for each in lift.lifted],
            "gained": lift.gained,
            "lost": lift.lost,
            "nodes": _names(explanation, lift.rows),
        }
        for lift in lifts
    ]

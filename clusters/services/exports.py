"""An explanation as plain values, for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation
    from clusters.engine.relaxation import Lift
    from clusters.engine.status import Status


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """Return ``Explanation.to_dict`` and beside it the verdict in short, groups, funnel and what would help.

    ``docs/terminal.md`` lists the keys.
    """
    return {
        **explanation.to_dict(),
        "fits": explanation.fits,
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
            "reductions": [
                {
                    "resource": reduction.resource,
                    "asked": reduction.asked,
                    "fitting": reduction.fitting,
                    "node": explanation.snapshot.nodes.names[reduction.row],
                }
                for reduction in explanation.relaxations.reductions
            ],
        },
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
            "lifted": [{"plugin": constraint.plugin, "about": constraint.about} for constraint in lift.lifted],
            "gained": lift.gained,
            "nodes": _names(explanation, lift.rows),
        }
        for lift in lifts
    ]

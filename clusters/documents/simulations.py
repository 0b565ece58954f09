"""What simulations and studies stored, whichever release wrote it, in the form of the present one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

# Of the form that `read_summary` returns, and that runs are stored in.
SUMMARY_VERSION: Final = 2

_OUTCOMES: Final = {"left": "completed", "kept": "refused"}
_ORIGINS: Final = {"asked": "added", "waiting_before": "pending_before"}


def read_outcome(stored: str) -> str:
    """Return how a pod ended, or what a step did to it, by the name that it has now."""
    return _OUTCOMES.get(stored, stored)


def read_summary(stored: Any) -> Any:
    """Return the summary of a run; None where there is none."""
    if not isinstance(stored, dict) or stored.get("version") != 1:
        return stored
    summary = {_renamed(name, {"left_over": "pending_causes"}): each for name, each in stored.items()}
    return summary | {
        "version": SUMMARY_VERSION,
        "pods": _keys(stored["pods"], _OUTCOMES),
        "steps": _keys(stored["steps"], _OUTCOMES),
        "origins": {_renamed(name, _ORIGINS): _origin(counts) for name, counts in stored["origins"].items()},
        "before": _measured(stored["before"]),
        "after": _measured(stored["after"]),
        "series": {**stored["series"], "points": [_pending(each) for each in stored["series"]["points"]]},
    }


def read_answer(stored: Any) -> Any:
    """Return the answer to a part of a study; None where there is none."""
    if not isinstance(stored, dict) or stored.get("version") != 1:
        return stored
    answer = {**stored, "version": 2}
    if "uncertainties" in answer:
        answer["uncertainties"] = [_without_sentence(each) for each in answer["uncertainties"]]
    return answer | {when: _pending(answer[when]) for when in ("before", "after") if when in answer}


def _renamed(name: str, names: Mapping[str, str]) -> str:
    return names.get(name, name)


def _keys(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {_renamed(name, names): value for name, value in values.items()}


def _origin(counts: Mapping[str, Any]) -> dict[str, Any]:
    found = _keys(counts, {"left_over": "pending"})
    # Runs of earlier releases knew of no uncertain ones.
    found["uncertainties"] = [
        {**group, "why": [_without_sentence(each) for each in group["why"]]}
        for group in counts.get("uncertainties", ())
    ]
    return found


def _measured(cluster: Mapping[str, Any]) -> dict[str, Any]:
    return {**cluster, "cluster": _pending(cluster["cluster"])}


def _pending(counts: Mapping[str, Any]) -> dict[str, Any]:
    return _keys(counts, {"waiting": "pending"})


def _without_sentence(uncertainty: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in uncertainty.items() if name != "sentence"}

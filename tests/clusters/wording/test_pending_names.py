"""How what keeps pods pending is named."""

from __future__ import annotations

import pytest

from clusters.engine.analysis import Cause, Kind
from clusters.engine.volumes import ClaimProblem
from clusters.wording.pending.names import cause_name


@pytest.mark.parametrize(
    ("problem", "name"),
    [
        (ClaimProblem.NOT_FOUND, "PersistentVolumeClaim not found"),
        (ClaimProblem.BEING_DELETED, "PersistentVolumeClaim being deleted"),
        (ClaimProblem.NOT_BOUND, "PersistentVolumeClaim not bound"),
        (ClaimProblem.LOST, "volume: persistentvolumeclaim bound to non-existent persistentvolume"),
        (ClaimProblem.NOT_OWNED, "volume: PVC was not created for pod (pod is not owner)"),
    ],
)
def test_problem_of_a_claim_has_one_name_whatever_the_claim(problem: ClaimProblem, name: str) -> None:
    cause = Cause(Kind.UNSCHEDULABLE, ("VolumeBinding",), (problem.said,), claim_problem=problem)

    assert cause_name(cause) == name


def test_name_goes_by_what_is_wrong_rather_than_by_the_scheduler_s_words() -> None:
    cause = Cause(Kind.UNSCHEDULABLE, ("VolumeBinding",), ("in other words",), claim_problem=ClaimProblem.NOT_FOUND)

    assert cause_name(cause) == "PersistentVolumeClaim not found"

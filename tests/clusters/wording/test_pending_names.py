"""How what keeps pods pending is named."""

from __future__ import annotations

import pytest

from clusters.engine.analysis import Cause, Kind
from clusters.engine.volumes import ClaimProblem, ClaimRefused
from clusters.wording.pending import cause_name


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
    cause = Cause(Kind.UNSCHEDULABLE, ("VolumeBinding",), (ClaimRefused(problem),))

    assert cause_name(cause) == name

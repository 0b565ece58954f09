"""What LimitRanges say of new claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine import Snapshot
from clusters.engine.admission.plugins import claim_refusals
from clusters.engine.admission.problems import AboveMaximum, BelowMinimum

if TYPE_CHECKING:
    from clusters.engine.problems import Problem
    from tests.engine.builders import Document


def refused(asked: str | None, **bounds: str) -> list[tuple[str, Problem]]:
    limit = {"type": "PersistentVolumeClaim", **{name: {"storage": bound} for name, bound in bounds.items()}}
    limits = [limit, {"type": "Container", "max": {"storage": "1"}}]
    metadata = {"name": "bounds", "namespace": "shop"}
    snapshot = Snapshot.from_objects([{"kind": "LimitRange", "metadata": metadata, "spec": {"limits": limits}}])
    requests = {} if asked is None else {"storage": asked}
    claim: Document = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "shop"},
        "spec": {"resources": {"requests": requests}},
    }
    return [(each.field, each.problem) for each in claim_refusals(claim, snapshot)]


@pytest.mark.parametrize("asked", ["1Gi", "1536Mi", "2Gi"])
def test_claim_within_its_bounds_is_taken(asked: str) -> None:
    assert refused(asked, min="1Gi", max="2Gi") == []


@pytest.mark.parametrize(
    ("asked", "bounds", "kind", "amount"),
    [
        ("1Gi", {"min": "2Gi"}, BelowMinimum, "1Gi"),
        ("3Gi", {"max": "2Gi"}, AboveMaximum, "3Gi"),
        (None, {"max": "2Gi"}, AboveMaximum, ""),
    ],
)
def test_claim_out_of_its_bounds_is_refused(
    asked: str | None, bounds: dict[str, str], kind: type[BelowMinimum | AboveMaximum], amount: str
) -> None:
    problem = kind("LimitRange bounds", "2Gi", "storage", "PersistentVolumeClaim", "requests", amount)
    assert refused(asked, **bounds) == [("spec.resources.requests.storage", problem)]

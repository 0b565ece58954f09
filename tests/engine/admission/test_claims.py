"""What LimitRanges say of new claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine import Snapshot
from clusters.engine.admission.limit_ranges import claim_refusals

if TYPE_CHECKING:
    from tests.engine.builders import Document


def refused(asked: str | None, **bounds: str) -> list[str]:
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
    return [f"{each.field}: {each.problem}" for each in claim_refusals(claim, snapshot)]


@pytest.mark.parametrize("asked", ["1Gi", "1536Mi", "2Gi"])
def test_claim_within_its_bounds_is_taken(asked: str) -> None:
    assert refused(asked, min="1Gi", max="2Gi") == []


@pytest.mark.parametrize(
    ("asked", "bounds", "problem"),
    [
        (
            "1Gi",
            {"min": "2Gi"},
            "asks for at least 2Gi of storage per PersistentVolumeClaim, and the request is 1Gi.",
        ),
        ("3Gi", {"max": "2Gi"}, "allows 2Gi of storage per PersistentVolumeClaim, and the request is 3Gi."),
        (None, {"max": "2Gi"}, "allows 2Gi of storage per PersistentVolumeClaim, and there is no request."),
    ],
)
def test_claim_out_of_its_bounds_is_refused(asked: str | None, bounds: dict[str, str], problem: str) -> None:
    assert refused(asked, **bounds) == [f"spec.resources.requests.storage: LimitRange bounds {problem}"]

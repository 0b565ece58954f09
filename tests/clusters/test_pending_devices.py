"""What keeps pods pending that claim devices, named once for all pods whose claims differ in their names alone."""

from __future__ import annotations

from clusters.documents.explanation import cause_document, read_cause
from clusters.engine.devices import ResourceClaimProblem
from clusters.wording.pending import cause_name
from tests.clusters.dumps import node
from tests.clusters.test_pending_causes import asking, cause_of
from tests.engine.device_builders import a_class, a_request, a_resource_claim, claiming


def test_pods_whose_claims_are_not_found_have_one_cause_and_it_has_a_name() -> None:
    found = [
        cause_of(node("n1"), a_class(), waiting=asking(name, "1", resourceClaims=claiming(claim)))
        for name, claim in (("a", "first"), ("b", "second"))
    ]

    assert found[0] == found[1]
    assert found[0].claim_problem is ResourceClaimProblem.NOT_FOUND
    assert cause_name(found[0]) == "ResourceClaim not found"
    assert read_cause({"cause": cause_document(found[0])}) == found[0]


def test_lack_of_devices_is_named_as_a_cause() -> None:
    claim = {**a_resource_claim(a_request()), "metadata": {"name": "claim", "namespace": "shop"}}
    waiting = asking("train", "1", resourceClaims=claiming("claim"))

    assert cause_name(cause_of(node("n1"), a_class(), claim, waiting=waiting)) == "no devices for the claims"

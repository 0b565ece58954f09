"""What would let a pod have its devices: the one selector, taint, constraint or count that stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine.plugins.dynamic_resources import (
    DeviceCountSubject,
    DeviceSelectorSubject,
    DeviceTaintSubject,
    MatchAttributeSubject,
    ResourceClaimSubject,
)
from clusters.wording.plugins import wording_of
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import (
    BROKEN,
    DRIVER,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
)

if TYPE_CHECKING:
    from clusters.engine.evidence import Subject

A, B = a_device("a", model="a"), a_device("b", model="b")
MATCHING: Document = {"constraints": [{"matchAttribute": f"{DRIVER}/model"}]}


@pytest.mark.parametrize(
    ("claim", "devices", "subject", "words"),
    [
        (
            a_resource_claim(a_request("gpu", MODEL % "a")),
            [B],
            DeviceSelectorSubject("default/claim", "gpu", "", MODEL % "a"),
            f"remove the selector {MODEL % 'a'} from the request gpu of the claim default/claim",
        ),
        (
            a_resource_claim(a_request()),
            [a_device(taints=[BROKEN])],
            DeviceTaintSubject("health=broken:NoSchedule"),
            "tolerate the device taint health=broken:NoSchedule",
        ),
        (
            a_resource_claim(a_request(count=2)),
            [A],
            DeviceCountSubject("default/claim", "gpu", 2),
            "request fewer than 2 devices in the request gpu of the claim default/claim",
        ),
        (
            a_resource_claim(a_request(count=3), **MATCHING),
            [A, B, a_device("c", model="a")],
            MatchAttributeSubject("default/claim", f"{DRIVER}/model"),
            f"let the devices of the claim default/claim differ in {DRIVER}/model",
        ),
        (
            a_resource_claim(a_request()),
            [],
            ResourceClaimSubject("default/claim"),
            "remove the resource claim default/claim",
        ),
    ],
)
def test_one_requirement_that_stands_in_the_way_is_named(
    claim: Document, devices: list[Document], subject: Subject, words: str
) -> None:
    pod = a_pod(resourceClaims=claiming("claim"))
    explanation = explanation_of(pod, a_node("n0"), a_class(), a_slice(*devices), claim)

    (lift,) = explanation.relaxations.singles
    (lifted,) = lift.lifted
    assert lifted.subject == subject
    assert lift.gained == 1
    assert wording_of(lifted.plugin).lifting(subject) == words


def test_a_selector_of_the_class_is_told_from_the_requests_own() -> None:
    pod = a_pod(resourceClaims=claiming("claim"))
    claim, device_class = a_resource_claim(a_request()), a_class(MODEL % "a")
    explanation = explanation_of(pod, a_node("n0"), device_class, a_slice(B), claim)

    (lift,) = explanation.relaxations.singles
    assert wording_of("DynamicResources").lifting(lift.lifted[0].subject or ResourceClaimSubject("")) == (
        f"remove the selector {MODEL % 'a'} from the device class gpu"
    )

"""Edits as addresses hold them: what is written is read back, and nothing else is read."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.edits import (
    AdjustSpread,
    DoubleRequests,
    Edit,
    HalveRequests,
    LowerRequest,
    RemoveGates,
    RemoveHostPort,
    RemoveHostPorts,
    RemoveNodeAffinity,
    RemoveNodeName,
    RemoveNodeRequirement,
    RemoveNodeSelector,
    RemovePodAffinity,
    RemovePodAntiAffinity,
    RemoveSelectorLabel,
    RemoveSpread,
    SetPriorityClass,
    Tolerate,
    TolerateEverything,
    digest,
    edit_of,
    text_of,
)
from clusters.engine.objects import HostPort
from clusters.engine.selectors import Operator, Requirement
from clusters.engine.taints import Taint
from clusters.wording.edits import edit_label


def kinds() -> set[str]:
    """Return the kinds of all edits that can be made."""
    classes: list[Any] = [Edit]
    for each in classes:
        classes += each.__subclasses__()
    return {each.kind for each in classes if "kind" in vars(each)}


EXAMPLES: list[Edit] = [
    AdjustSpread(digest({"maxSkew": 1}), "maxSkew", 2),
    AdjustSpread(digest({"maxSkew": 1}), "nodeTaintsPolicy", "Honor"),
    AdjustSpread(digest({"maxSkew": 1}), "nodeAffinityPolicy", "Honor"),
    DoubleRequests(),
    HalveRequests(),
    LowerRequest("cpu", 1500),
    LowerRequest("example.com/gpu", 2),
    LowerRequest("memory", 2**40),
    RemoveGates(),
    RemoveHostPort(HostPort("10.0.0.1", "UDP", 53)),
    RemoveHostPorts(),
    RemoveNodeAffinity(),
    RemoveNodeName(),
    RemoveNodeRequirement.of("matchFields", Requirement.of("metadata.name", Operator.IN, ["ash"])),
    RemoveNodeSelector(),
    RemovePodAffinity(),
    RemovePodAffinity(digest({"topologyKey": "zone"})),
    RemovePodAntiAffinity(),
    RemovePodAntiAffinity(digest({"topologyKey": "zone"})),
    RemoveSelectorLabel("example.com/pool", "burst"),
    RemoveSelectorLabel("pool", ""),
    RemoveSpread(),
    RemoveSpread(digest({"maxSkew": 1})),
    SetPriorityClass("high"),
    Tolerate(Taint("gpu", "yes", "NoSchedule")),
    Tolerate(Taint("example.com/gpu", "", "NoExecute")),
    TolerateEverything(),
]


@pytest.mark.parametrize("edit", EXAMPLES, ids=text_of)
def test_an_address_names_the_edit_that_it_was_made_of(edit: Edit) -> None:
    assert edit_of(text_of(edit)) == edit


def test_every_edit_has_a_name_of_its_own() -> None:
    assert {edit.kind for edit in EXAMPLES} == kinds()
    assert len({text_of(edit) for edit in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.parametrize("edit", EXAMPLES, ids=text_of)
def test_every_edit_is_labelled(edit: Edit) -> None:
    label = edit_label(edit, {"spec": {}})
    assert label[:1].isupper()
    assert "%(" not in label


@pytest.mark.parametrize(
    "name",
    [
        "",
        "no-such-change",
        "__class__",
        "no_gates",
        "tolerate",
        "tolerate:",
        "tolerate:gpu",
        "tolerate::NoSchedule",
        "tolerate:=yes:NoSchedule",
        "tolerate:gpu:Never",
        "no-spread:0",
        "no-pod-affinity:1",
        "no-selector:pool",
        "no-gates:x",
        "ask:cpu",
        "ask:cpu=²",
        "ask:cpu=-1",
        "priority",
    ],
)
def test_a_name_that_is_none_is_told(name: str) -> None:
    assert edit_of(name) is None

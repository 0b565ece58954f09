"""Causes and remedies as runs and reviews keep them: read as they were written."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from clusters.documents.explanation import cause_document, read_cause, read_remedy
from clusters.documents.values import value_document
from clusters.engine.analysis import REMEDIES, AwaitPods, Cause, CreateClaim, CreateVolume, Kind, Remedy
from clusters.engine.conclusion import FilteringExtender, UncomputedField
from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.volumes import ClaimProblem, ClaimRefused
from clusters.wording.remedies import remedy_sentence

DELETED = Cause(
    Kind.UNSCHEDULABLE,
    ("VolumeBinding",),
    (ClaimRefused(ClaimProblem.BEING_DELETED),),
)
CAUSES = [
    Cause(Kind.FITS),
    Cause(Kind.GATED, gates=("a", "b")),
    Cause(Kind.OTHER_SCHEDULER, scheduler_name="volcano"),
    Cause(Kind.NOT_COMPUTED, reference="1f"),
    Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), (Insufficient("cpu"), Insufficient("memory"))),
    Cause(Kind.UNSCHEDULABLE, ("TaintToleration", "NodeAffinity")),
    Cause(Kind.VOLUME),
    DELETED,
    Cause(
        Kind.UNCERTAIN,
        uncertainties=(
            UncomputedField("DynamicResources", "spec.resourceClaims"),
            FilteringExtender("x", ("y",), ignorable=True),
        ),
    ),
    Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), (Insufficient("cpu"),), is_too_large=True),
]


def stored(document: Any) -> Any:
    return json.loads(json.dumps(document))


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.kind)
def test_a_cause_is_read_as_it_was_written(cause: Cause) -> None:
    assert read_cause(stored({"cause": cause_document(cause)})) == cause


@pytest.mark.parametrize(
    "remedy",
    [
        AwaitPods("data", ("shop/a", "shop/b")),
        CreateClaim("data", "shop", is_none_known=True),
        CreateVolume("data", "fast"),
    ],
)
def test_a_remedy_is_read_as_it_was_written(remedy: Remedy) -> None:
    assert read_remedy(stored(value_document(remedy))) == remedy


def test_every_remedy_has_words() -> None:
    values = {
        "str": "data",
        "bool": False,
        "int": 2,
        "int | None": None,
        "int | str": "25%",
        "tuple[str, ...]": ("data",),
    }
    values["tuple[tuple[str, int], ...]"] = (("data", 2),)
    for remedy in REMEDIES.values():
        given = {field.name: values[str(field.type)] for field in dataclasses.fields(remedy)}
        assert "data" in remedy_sentence(remedy(**given))

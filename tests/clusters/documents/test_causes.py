"""Causes and remedies as runs and reviews keep them: read as they were written, those of earlier versions too."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from clusters.documents.explanation import cause_document, read_cause, read_remedy
from clusters.documents.values import value_document
from clusters.engine.analysis.causes import Cause, Kind
from clusters.engine.analysis.remedies import REMEDIES, AwaitPods, CreateClaim, CreateVolume, Remedy
from clusters.engine.conclusion import FilteringExtender, UncomputedField
from clusters.engine.volumes import ClaimProblem
from clusters.wording.remedies import remedy_sentence

DELETED = Cause(
    Kind.UNSCHEDULABLE,
    ("VolumeBinding",),
    ("persistentvolumeclaim is being deleted",),
    claim_problem=ClaimProblem.BEING_DELETED,
)
CAUSES = [
    Cause(Kind.FITS),
    Cause(Kind.GATED, gates=("a", "b")),
    Cause(Kind.OTHER_SCHEDULER, scheduler_name="volcano"),
    Cause(Kind.NOT_COMPUTED, reference="1f"),
    Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), ("Insufficient cpu", "Insufficient memory"), ("cpu", "memory")),
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
    Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), ("Insufficient cpu",), ("cpu",), is_too_large=True),
]


def stored(document: Any) -> Any:
    return json.loads(json.dumps(document))


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.kind)
def test_a_cause_is_read_as_it_was_written(cause: Cause) -> None:
    assert read_cause(stored({"cause": cause_document(cause)})) == cause


def test_a_kind_of_an_earlier_release_is_read() -> None:
    document = cause_document(Cause(Kind.NOT_EVALUATED))
    assert read_cause({"cause": {**document, "kind": "not-judged"}}) == Cause(Kind.NOT_EVALUATED)


@pytest.mark.parametrize(
    ("kind", "plugin", "reason", "cause"),
    [
        ("gated", "", "a, b", CAUSES[1]),
        ("other-scheduler", "", "volcano", CAUSES[2]),
        ("not-computed", "", "1f", CAUSES[3]),
        ("unschedulable", "NodeResourcesFit", "Insufficient cpu, Insufficient memory", CAUSES[4]),
        ("unschedulable", "TaintToleration,NodeAffinity", "", CAUSES[5]),
        (
            "unschedulable",
            "NodeResourcesFit",
            "Too many pods",
            Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), ("Too many pods",)),
        ),
        ("volume", "VolumeBinding", "persistentvolumeclaim is being deleted", DELETED),
        ("not-judged", "", "", Cause(Kind.NOT_EVALUATED)),
        (
            "volume",
            "VolumeBinding",
            "being, deleted",
            Cause(Kind.UNSCHEDULABLE, ("VolumeBinding",), ("being, deleted",)),
        ),
    ],
)
def test_a_cause_of_an_earlier_version_is_read(kind: str, plugin: str, reason: str, cause: Cause) -> None:
    assert read_cause({"kind": kind, "plugin": plugin, "reason": reason}) == cause


@pytest.mark.parametrize(
    ("reason", "problem"),
    [
        ("persistentvolumeclaim not found", ClaimProblem.NOT_FOUND),
        ("persistentvolumeclaim is being deleted", ClaimProblem.BEING_DELETED),
        ("pod has unbound immediate PersistentVolumeClaims", ClaimProblem.NOT_BOUND),
        ("persistentvolumeclaim bound to non-existent persistentvolume", ClaimProblem.LOST),
        ("unheard of", None),
    ],
)
def test_what_is_wrong_with_a_claim_is_read_of_the_scheduler_s_words_alone(
    reason: str, problem: ClaimProblem | None
) -> None:
    """As an earlier version wrote it."""
    document = stored(cause_document(Cause(Kind.VOLUME, ("VolumeBinding",), (reason,))))
    del document["claimProblem"]

    assert read_cause({"cause": document}).claim_problem is problem


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

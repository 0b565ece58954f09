"""What a source lacks is stored by identifiers."""

from __future__ import annotations

import json
import zlib
from typing import Any

import orjson
import pytest

from clusters.adapters.bad_input import BadInput
from clusters.adapters.state import USES, gaps_of, undefaulted_gap, unreadable_gap
from clusters.documents.explanation import cause_document, read_cause, read_remedy
from clusters.documents.problems import worded_gap
from clusters.documents.values import kinds_of, value_document
from clusters.documents.words import message_in_words, text_of_step
from clusters.engine.analysis import AwaitPods, Cause, CreateClaim, CreateVolume, Kind, Remedy
from clusters.engine.conclusion import FilteringExtender, UncomputedField
from clusters.engine.configuration import NoScheduler
from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.problems import Missing, Problem, Quoted
from clusters.engine.simulation import Outcome, PodGroupDoesNotFit, Step, VictimsWait
from clusters.engine.volumes import ClaimProblem, ClaimRefused
from clusters.problems.inputs import OtherGap, Use
from clusters.services.runs.chunks import packed_steps, unpacked_steps
from clusters.wording.problems import problem_sentence
from clusters.wording.remedies import remedy_sentence
from clusters.wording.runs.progress import message_of


def test_each_gap_is_stored_without_words_and_has_some() -> None:
    found = [
        *gaps_of(present=(), uses=(), missing_nodes={}),
        *gaps_of(present=("Node",), uses=USES, missing_nodes={"n1": ["shop/web"]}),
        undefaulted_gap(["shop/web"]),
        unreadable_gap(BadInput(Missing(), file="dump.json", document=1, subject="Pod shop/web", field="spec"), 2),
    ]
    for gap in found:
        stored = json.loads(json.dumps(gap.as_dict()))
        said = worded_gap(stored)
        assert " " not in stored["kind"] + stored["unused"]
        assert said.kind == gap.kind
        assert said.affects
        assert said.felt is (gap.unused is None)

    assert {gap.kind for gap in found} >= set(OtherGap)
    assert {gap.unused for gap in found} == {None, Use.CLAIMS, Use.PRIORITY_CLASSES, Use.NAMESPACE_SELECTORS}


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
    for remedy in kinds_of(Remedy).values():
        types = {name: kind for each in remedy.__mro__ for name, kind in vars(each).get("__annotations__", {}).items()}
        given = {name: values[types[name]] for name in remedy.__struct_fields__}
        assert "data" in remedy_sentence(remedy(**given))


FOREIGN = NoScheduler("'volcano'", ("default-scheduler", "second"))
GROUP = PodGroupDoesNotFit("shop/train", 3)
REFUSAL = "0/3 nodes are available: 3 Insufficient cpu."


def step(problem: Problem | None = None, message: str = "") -> Step:
    return Step(0, 5, Outcome.UNSCHEDULABLE, "shop/web", message=message, problem=problem)


def test_how_long_a_pod_terminates_is_stored() -> None:
    going = Step(0, 5, Outcome.EVICTED, "shop/web", "n1", by="n1", grace=30)
    waits = Step(1, 5, Outcome.UNSCHEDULABLE, "shop/web", "n1", waits=VictimsWait(45, 2))

    found = unpacked_steps(packed_steps([going, waits]), 0)

    assert found == [going, waits]
    assert (found[0].waits, found[1].waits) == (None, VictimsWait(45, 2))


@pytest.mark.parametrize("problem", [FOREIGN, GROUP])
def test_a_problem_is_stored_by_kind_and_said_where_it_is_shown(problem: Problem) -> None:
    packed = packed_steps([step(problem)])

    assert unpacked_steps(packed, 0) == [step(problem)]
    assert orjson.loads(zlib.decompress(packed))[0][9]["kind"] == problem.kind
    assert message_in_words(text_of_step(step(problem))) == message_of(step(problem)) == problem_sentence(problem)


def test_a_message_is_quoted_as_it_was_stored() -> None:
    assert unpacked_steps(packed_steps([step(message=REFUSAL)]), 0) == [step(message=REFUSAL)]
    assert text_of_step(step(message=REFUSAL)) == message_in_words(REFUSAL) == REFUSAL


def test_a_problem_that_only_another_release_knows_is_quoted() -> None:
    later = orjson.dumps([[5, "unschedulable", "shop/web", "", None, 0, 0, 0, [], {"kind": "Later", "pods": 3}, ""]])

    [found] = unpacked_steps(zlib.compress(later), 0)

    assert found.problem == Quoted("{'kind': 'Later', 'pods': 3}")

"""The JSON schema of explanations is what is written, names nothing but facts, and is described."""

from __future__ import annotations

import copy
import json
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

import jsonschema_rs
import msgspec
import numpy as np
import orjson
import pytest
from django.conf import settings

from clusters.documents.values import UnreadableError, kinds_of, packed_values, read_uncertainty, read_values
from clusters.documents.writing import (
    BRIEF,
    EVERYTHING,
    PATH,
    Bounds,
    compact,
    explanation_document,
    explanation_schema,
    read_explanation,
    written_schema,
)
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import Remedy, causes
from clusters.engine.conclusion import Conclusion, Uncertainty
from clusters.engine.disruption import drains
from clusters.engine.evidence import Comparison, Normalisation, ScorePart, Subject
from clusters.engine.group_states import GroupPhase
from clusters.engine.lessons import QUESTIONS
from clusters.engine.owners import Workload
from clusters.engine.sandbox import ActKind
from clusters.engine.scheduling import GroupVerdict, replay
from clusters.engine.simulation import case, changes, outcome, removable
from clusters.engine.simulation.remarks import Remark, WhyNotRead
from clusters.engine.status import Code, Phase, Reason
from clusters.engine.upgrading import AmendmentKind, AnswerAspect, DefaultKind, DrainAspect, ObstacleKind, SubjectRole
from clusters.services.decisions.takers import takers_of
from clusters.services.journal.timeline import USUAL
from clusters.services.pending.pods import pending_of
from clusters.services.pending.queue import preemptors_of
from tests.engine.builders import a_node, a_pod
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.oracle import some_cases
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    import enum
    from collections.abc import Iterator
    from pathlib import Path


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema as one that allows no property that it does not name."""
    found = copy.deepcopy(schema)
    for part in found["$defs"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    return found


VALIDATOR = jsonschema_rs.validator_for(closed(explanation_schema()))


def written(explanation: Explanation) -> Iterator[Any]:
    """Yield the explanation as everybody writes it."""
    rows = range(explanation.node_count)
    for bounds, wanted, evidence in (
        (EVERYTHING, rows, False), (compact(3), rows[:2], True), (BRIEF, (), False), (USUAL, rows[:1], False),
        (Bounds(groups=1, examples=0, choices=1, ranking=1, victims=1, reasons=1, text=8, message=8), (), False),
    ):  # fmt: skip
        yield explanation_document(explanation, bounds, nodes=wanted, evidence=evidence)


def check(explanation: Explanation) -> None:
    for document in written(explanation):
        plain = orjson.loads(msgspec.json.encode(document))
        VALIDATOR.validate(plain)
        assert orjson.loads(msgspec.json.encode(read_explanation(plain))) == plain


def test_the_file_is_what_the_types_give() -> None:
    assert PATH.read_bytes() == written_schema(), "run: python -m clusters.documents.writing"


def test_every_field_of_the_form_is_described() -> None:
    """Values of plugins are described by the schema itself."""
    described = (settings.BASE_DIR / "docs/explanation-document.md").read_text(encoding="utf-8")
    parts = [part for name, part in explanation_schema()["$defs"].items() if name.endswith("Document")]
    assert len(parts) > 15

    assert [name for part in parts for name in part.get("properties", {}) if f"`{name}`" not in described] == []


@pytest.mark.parametrize(("corpus", "every"), [("examples", 1), ("minimal", 1), ("dra", 12)])
def test_recorded_cases_are_written_as_the_schema_says(corpus: str, every: int) -> None:
    for each in some_cases(corpus, every=every).values():
        config = each.get("config")
        configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
        for explanation in replay(Snapshot.from_objects(each["objects"]), each["pods"], configuration):
            check(explanation)


def test_an_uncertain_pod_is_written_as_the_schema_says() -> None:
    foreign = {"schedulerName": "default-scheduler", "plugins": {"filter": {"enabled": [{"name": "LicenceSeats"}]}}}
    extender = {"urlPrefix": "https://user:secret@licences.example/", "filterVerb": "filter", "ignorable": True}
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [foreign],
            "extenders": [extender],
        }
    )
    pod = a_pod(resourceClaims=claiming("claim"))
    shared = (a_class(), a_slice(a_device(allowMultipleAllocations=True)), a_resource_claim(a_request()))
    explanation = explain(Snapshot.from_objects([a_node("n1"), *shared]), pod, configuration.profile_for(pod))
    check(explanation)

    document = explanation_document(explanation)
    assert document.fits is None
    assert document.extenders == ("https://licences.example/",)
    assert not isinstance(document.uncertainties, msgspec.UnsetType)
    assert {each["kind"] for each in document.uncertainties} == {"uncomputed-field", "foreign-plugin", "extender"}
    assert tuple(map(read_uncertainty, document.uncertainties)) == explanation.uncertainties


def test_every_comparison_says_whether_it_holds() -> None:
    assert [kind for kind, each in kinds_of(Comparison).items() if each.holds is Comparison.holds] == []


FROZEN = settings.BASE_DIR / "tests" / "data" / "kinds.json"
# By which a value is told from others of its family.
FAMILIES: dict[str, list[str]] = {
    "change of a run": sorted(changes.KINDS),
    "comparison": list(kinds_of(Comparison)),
    "normalisation": list(kinds_of(Normalisation)),
    "question": sorted(QUESTIONS),
    "reason": list(kinds_of(Reason)),
    "remark": sorted(each.kind for each in Remark.__subclasses__()),
    "remedy": list(kinds_of(Remedy)),
    "score part": list(kinds_of(ScorePart)),
    "subject": list(kinds_of(Subject)),
    "uncertainty": sorted(each.kind for each in get_args(Uncertainty)),
}
# Of which a row or a document holds one member.
ENUMERATIONS: dict[str, type[enum.StrEnum]] = {
    "act": ActKind,
    "amendment": AmendmentKind,
    "answer of an upgrade": AnswerAspect,
    "block of a drain": drains.Block,
    "cause": causes.Kind,
    "code": Code,
    "conclusion": Conclusion,
    "default of an upgrade": DefaultKind,
    "drain of an upgrade": DrainAspect,
    "effect on a workload": outcome.WorkloadEffect,
    "end of a group": outcome.GroupEnd,
    "node that stays": removable.Keeps,
    "obstacle": ObstacleKind,
    "origin": case.Origin,
    "outcome": case.Outcome,
    "outlook of a drain": drains.Outlook,
    "phase": Phase,
    "phase of a group": GroupPhase,
    "quorum": outcome.Quorum,
    "role": SubjectRole,
    "verdict on a group": GroupVerdict,
    "why a kind is not read": WhyNotRead,
}


def test_stored_kinds_are_never_renamed() -> None:
    found = FAMILIES | {name: sorted(each.value for each in members) for name, members in ENUMERATIONS.items()}

    assert json.loads(FROZEN.read_text(encoding="utf-8")) == found


@pytest.mark.parametrize(
    "value",
    [
        {b"\x00key": (1, 2.5, None, True, "text"), "other": [frozenset({"a"}), ()]},
        Workload("shop", "Deployment", "web"),
        Code.UNRESOLVABLE,
        datetime(2026, 1, 2, tzinfo=UTC),
        float("inf"),
        2**70,
        ["enum", "clusters.engine.status:Code", "Success"],
    ],
)
def test_a_value_comes_back(value: object) -> None:
    found = read_values(packed_values(value))

    assert found == value
    assert type(found) is type(value)


def test_numbers_of_numpy_become_plain_ones() -> None:
    assert read_values(packed_values((np.int64(3), np.bool_(True)))) == (3, True)


def test_what_is_shared_is_shared_again() -> None:
    shared = Workload("shop", "Deployment", "web")

    first, second = read_values(packed_values([shared, shared]))

    assert first is second


@pytest.mark.django_db
@pytest.mark.any_database
def test_everything_that_is_found_out_of_a_cluster_comes_back(tmp_path: Path) -> None:
    cluster = decision_cluster(tmp_path)
    pending, takers = pending_of(cluster=cluster), takers_of(cluster=cluster, node="birch")
    findings = [pod.finding for group in pending.groups.values() for pod in group.pods]
    preemptors = [each.found for each in preemptors_of(cluster=cluster).preemptors]
    assert findings
    assert preemptors

    for found in (findings, takers, preemptors):
        assert read_values(packed_values(found)) == found


@pytest.mark.parametrize(
    "written",
    [
        ["class", "subprocess:Popen", {"args": "true"}],
        ["class", "clusters.engine.status:unschedulable", {}],
        ["class", "clusters.documents.values:UnreadableError", {}],
        ["class", "clusters.engine.owners:Workload", {"shape": "another release's"}],
        ["enum", "clusters.engine.status:Code", "Gone"],
        ["same", 3],
        ["other", []],
    ],
)
def test_what_this_release_does_not_write_is_not_read(written: list[Any]) -> None:
    with pytest.raises(UnreadableError):
        read_values(zlib.compress(msgspec.json.encode(written)))


def test_what_is_no_value_is_not_written() -> None:
    with pytest.raises(TypeError, match="no frozen value"):
        packed_values(object())

"""The JSON schema of explanations is what is written, names nothing but facts, and is described."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import msgspec
import orjson
import pytest
from django.conf import settings

from clusters.demo.cluster import demo_objects
from clusters.documents.values import read_uncertainty
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
from clusters.engine.scheduling import replay
from clusters.services.journal.timeline import USUAL
from tests.engine.builders import a_node, a_pod
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.oracle import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[a-z]+([A-Z][a-z0-9]*)*")


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema as one that allows no property that it does not name."""
    found = copy.deepcopy(schema)
    for part in found["$defs"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    return found


VALIDATOR = jsonschema_rs.validator_for(closed(explanation_schema()))


def names(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the name of every property."""
    for part in schema["$defs"].values():
        yield from part.get("properties", {})


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


def test_every_name_is_an_identifier_in_camel_case() -> None:
    assert [name for name in names(explanation_schema()) if not _NAME.fullmatch(name)] == []


def test_every_field_of_the_form_is_described() -> None:
    """Values of plugins are described by the schema itself."""
    described = (settings.BASE_DIR / "docs/explanation-document.md").read_text(encoding="utf-8")
    parts = [part for name, part in explanation_schema()["$defs"].items() if name.endswith("Document")]
    assert len(parts) > 15

    assert [name for part in parts for name in part.get("properties", {}) if f"`{name}`" not in described] == []


def test_every_value_says_in_a_line_what_it_is() -> None:
    values = {name: part for name, part in explanation_schema()["$defs"].items() if "properties" in part}
    assert {"ResourceComparison", "TaintSubject", "ForeignPlugin"} <= set(values)

    assert [name for name, part in values.items() if not part["description"]] == []


def test_pods_of_the_demo_are_written_as_the_schema_says() -> None:
    snapshot, profile = Snapshot.from_objects(demo_objects()), SchedulerConfiguration.default().profiles[0]
    pending = [each for each in demo_objects() if each["kind"] == "Pod" and not each["spec"].get("nodeName")]
    assert len(pending) > 30
    for pod in pending[::4]:
        check(explain(snapshot, pod, profile))


@pytest.mark.parametrize("corpus", ["examples", "minimal"])
def test_recorded_cases_are_written_as_the_schema_says(corpus: str) -> None:
    for case in cases(corpus).values():
        config = case.get("config")
        configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
        for explanation in replay(Snapshot.from_objects(case["objects"]), case["pods"], configuration):
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


def test_what_is_not_in_the_schema_is_refused() -> None:
    snapshot, profile = Snapshot.from_objects(demo_objects()), SchedulerConfiguration.default().profiles[0]
    pod = next(each for each in demo_objects() if each["kind"] == "Pod" and not each["spec"].get("nodeName"))
    plain = orjson.loads(msgspec.json.encode(explanation_document(explain(snapshot, pod, profile), BRIEF)))

    for wrong in ({**plain, "version": 3}, {**plain, "conclusion": "perhaps"}, {**plain, "kept for others": 1}):
        with pytest.raises(jsonschema_rs.ValidationError):
            VALIDATOR.validate(wrong)

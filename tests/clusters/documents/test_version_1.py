"""Documents of version 1, as the journal stored them, read as what the same explanations are in the present version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import orjson
import pytest
from django.utils.html import strip_tags

from clusters.documents.writing import read_explanation
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.conclusion import Conclusion
from clusters.engine.scheduling.placement import replay
from clusters.models import Cluster, Decision
from clusters.models.packed import packed
from clusters.services.journal.document import decision_document
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster
from tests.engine.oracle import cases

if TYPE_CHECKING:
    from django.test import Client

    from clusters.documents.explanation import ExplanationDocument

Entry = dict[str, Any]

# Written by the journal before there was a version 2; `corpus`, `case` and `pod` say of what.
STORED: list[Entry] = orjson.loads((Path(__file__).parents[2] / "data" / "journal" / "version-1.json").read_bytes())
EVERY = [pytest.param(entry, id=entry["title"]) for entry in STORED]
Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason


def now(entry: Entry) -> ExplanationDocument:
    """Write down the same explanation as it is written today."""
    case = cases(entry["corpus"])[entry["case"]]
    config = entry.get("config") or case.get("config")
    configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
    explanations = list(replay(Snapshot.from_objects(case["objects"]), case["pods"], configuration))
    return decision_document(explanations[entry["pod"]], entry["node"])


def differing(old: Any, new: Any, path: str = "") -> list[str]:
    """Name what the first holds that the second does not."""
    if isinstance(old, dict):
        return [each for name in old for each in differing(old[name], (new or {}).get(name), f"{path}.{name}")]
    if isinstance(old, list) and len(old) == len(new):
        return [
            each
            for number, pair in enumerate(zip(old, new, strict=True))
            for each in differing(*pair, f"{path}.{number}")
        ]
    return [] if old == new else [path]


_MAP = re.compile(r'<div class="card card-flush" id="map-card">.*?(?=<div class="grid-main">)', re.DOTALL)


@pytest.mark.parametrize("entry", EVERY)
def test_everything_that_version_1_kept_is_what_is_written_today(entry: Entry) -> None:
    old, new = (orjson.loads(msgspec.json.encode(each)) for each in (read_explanation(entry["document"]), now(entry)))

    assert differing(old, new) == []
    # What is missing was not kept; nothing else is lost on the way.
    assert set(new) - set(old) == {
        "pod", "gates", "uncertainties", "extenders", "best", "nominatedNode", "weights", "unscored", "pools",
    }  # fmt: skip


def test_the_stored_documents_are_of_every_end() -> None:
    documents = [read_explanation(entry["document"]) for entry in STORED]

    assert {each.conclusion for each in documents} == set(Conclusion)
    assert {each.choice.by for each in documents if each.choice} == {"score", "only-node", "nomination"}
    assert {str(each.error.phase) for each in documents if each.error} == {"filter", "preScore"}
    assert any(each.preemption and each.preemption.selected for each in documents)
    assert any(each.pre_filter_verdict for each in documents)


def test_the_earliest_had_no_conclusion_and_only_errors_of_scoring() -> None:
    [entry] = [each for each in STORED if each["title"] == "score error"]
    later = {"conclusion", "error", "takesNominated"}
    earliest = {name: value for name, value in entry["document"].items() if name not in later}
    earliest["scoreError"] = {"plugin": "NodeAffinity", "code": "Error", "reasons": ["no such operator"]}

    found = read_explanation(earliest)

    assert found.conclusion is Conclusion.UNSCHEDULABLE
    assert found.error is not None
    assert (found.error.plugin, found.error.message) == ("NodeAffinity", "no such operator")


def test_version_2_had_another_value_for_unschedulable() -> None:
    [entry] = [each for each in STORED if each["title"] == "unschedulable"]
    written = orjson.loads(msgspec.json.encode(now(entry)))
    assert written["conclusion"] == "unschedulable"

    assert read_explanation({**written, "conclusion": "does not fit"}) == read_explanation(written)


@pytest.mark.parametrize("version", [None, 0, 3, "2"])
def test_another_version_is_refused(version: Any) -> None:
    with pytest.raises(ValueError, match="version"):
        read_explanation({"version": version})


@pytest.mark.django_db
@pytest.mark.parametrize("entry", EVERY)
def test_page_and_api_tell_the_same_of_both(entry: Entry, signed_in_client: Client) -> None:
    cluster = a_cluster(source=Cluster.Source.LIVE)
    told = entry["node"] is None
    fields: dict[str, Any] = {
        "kind": Kind.UNSCHEDULABLE if told else Kind.BOUND,
        "node_name": entry["node"] or "",
        "message": "0/1 nodes are available: 1 Insufficient cpu." if told else "",
        "verdict": Verdict.DISAGREES,
        "reason": Reason.OTHER_MESSAGE if told else Reason.LOWER_SCORE,
    }
    decision = a_decision(cluster, explanation=now(entry), **fields)
    new = told_of(signed_in_client, decision)
    Decision.objects.filter(pk=decision.pk).update(packed_explanation=packed(entry["document"]))
    old = told_of(signed_in_client, decision)

    assert old[0] == new[0]
    assert old[1]["version"] == new[1]["version"] == 2
    assert differing(old[1], new[1]) == []


def told_of(client: Client, decision: Decision) -> tuple[str, dict[str, Any]]:
    """Return the words of a decision's page, and its explanation in the API."""
    found = client.get(f"/api/v1/clusters/prod/decisions/{decision.pk}").json()
    # The map has the nodes by zone and pool, which version 1 did not keep.
    page = _MAP.sub("", client.get(f"/clusters/prod/journal/{decision.pk}/").text)
    return " ".join(strip_tags(page).split()), found["decision"]["explanation"]

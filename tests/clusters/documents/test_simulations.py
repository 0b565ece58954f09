"""What releases before stored of simulations and studies is read in the present form."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import orjson
import pytest

from clusters.documents.run_words import summary_in_words
from clusters.documents.simulations import SUMMARY_VERSION, read_answer, read_outcome, read_summary
from clusters.engine.conclusion import Conclusion
from clusters.engine.simulation import Outcome
from clusters.models import SimulationRun, Study, StudyPart
from clusters.services.runs.chunks import unpacked_steps
from clusters.services.runs.results import pending_after, placed_of, verdict
from clusters.wording.runs.outcome import verdict_sentence
from dashboard.presenters.runs.before_after import before_after
from dashboard.presenters.runs.summary import pending_by_cause, tiles, uncertain

STORED: dict[str, Any] = orjson.loads((Path(__file__).parents[2] / "data" / "summary-version-1.json").read_bytes())
QUOTA = {"kind": "resource-quota", "namespace": "shop", "name": "few"}
SENTENCE = "Uncertain: a ResourceQuota applies (shop/few)."


@pytest.mark.django_db
def test_a_run_of_before_is_read_in_the_present_form() -> None:
    pk = SimulationRun.objects.create(title="Old", spec={}, summary=STORED).pk
    summary = SimulationRun.objects.get(pk=pk).summary

    assert summary == read_summary(STORED)
    assert read_summary(summary) is summary
    assert summary["version"] == SUMMARY_VERSION
    # Quotas were not asked, Jobs did not fail, and pods were gone at once.
    known = {each.value for each in Outcome} - {"forbidden", "deleted", "terminated"}
    assert summary["pods"].keys() == {"wanted", "uncertain", *known}
    assert summary["steps"].keys() == known
    assert list(summary["origins"]) == ["added", "displaced", "successors", "pending_before"]
    assert (summary["origins"]["added"]["pending"], summary["origins"]["pending_before"]["pending"]) == (1, 1)
    assert summary["origins"]["added"]["uncertainties"][0]["why"] == [QUOTA]
    assert [point["pending"] for point in summary["series"]["points"]] == [
        point["waiting"] for point in STORED["series"]["points"]
    ]
    assert "sentence" not in str(summary)
    assert "waiting_before" not in str(summary)


def test_a_summary_of_before_is_told_as_one_of_now() -> None:
    summary = read_summary(STORED)

    answer = verdict(summary, even_pending=False)
    assert (answer.conclusion, answer.pending, answer.uncertain) == (
        Conclusion.UNSCHEDULABLE,
        ["shop/huge"],
        ["shop/new"],
    )
    assert verdict_sentence(summary, answer).startswith(
        "Does not fit. Added pods: 0 of 2 placed, 1 uncertain, 1 pending."
    )
    assert (pending_after(summary["origins"]), placed_of(summary)) == ((1, 1), (1, 1, 4))
    assert [group.title for group in pending_by_cause(summary)]
    assert [group.sentences[0].startswith(SENTENCE) for group in uncertain(summary)] == [True]
    assert ("Not evicted without --force", "1") in tiles(summary)
    after = {row.name: row.after for row in before_after(summary)}
    assert (after["Newly pending pods"], after["Pods pending before"]) == ("1", "1")
    told = summary_in_words(summary)["origins"]["added"]["uncertainties"][0]["why"]
    assert told[0]["sentence"].startswith(SENTENCE)


@pytest.mark.django_db
def test_an_answer_of_before_is_read_in_the_present_form() -> None:
    stored = {
        "version": 1,
        "uncertainties": [{**QUOTA, "sentence": "As it was said."}],
        "before": {"nodes": 3, "waiting": 2},
        "after": {"nodes": 2, "waiting": 0},
    }
    study = Study.objects.create(kind=Study.Kind.HEADROOM, title="Old", spec={})
    pk = StudyPart.objects.create(study=study, number=0, label="", spec={}, result=stored).pk

    assert StudyPart.objects.get(pk=pk).result == {
        "version": 2,
        "uncertainties": [QUOTA],
        "before": {"nodes": 3, "pending": 2},
        "after": {"nodes": 2, "pending": 0},
    }
    assert read_answer(None) is None


@pytest.mark.parametrize(("stored", "name"), [("left", "completed"), ("kept", "refused"), ("placed", "placed")])
def test_outcomes_of_before_are_read(stored: str, name: str) -> None:
    assert read_outcome(stored) == name


def test_steps_of_before_are_read() -> None:
    row = [5, "left", "shop/web", "n1", None, 0, 0, 0, [], "", ""]
    [step] = unpacked_steps(zlib.compress(orjson.dumps([row])), 3)
    assert (step.number, step.outcome, step.pod) == (3, Outcome.COMPLETED, "shop/web")

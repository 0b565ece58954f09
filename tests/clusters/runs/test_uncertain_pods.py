"""Why a pod of a simulation is uncertain: stored by kind, said where it is read, and also read as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import RunPod
from clusters.services import runs
from clusters.services.runs import starting
from clusters.services.runs.spec import read_spec
from dashboard.presenters.runs.summary import cells, pod_rows
from tests.clusters.dumps import node
from tests.clusters.runs.test_question import CLAIMS, adding, manifest
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

SAID = "resource claims are not computed (DynamicResources)"


@pytest.fixture
def doubted(tmp_path: Path) -> RunPod:
    """Return a new pod of a simulation whose resource claims are not computed."""
    cluster = load(tmp_path, "prod", [node("n1")])
    spec = read_spec({"base": {"kind": "cluster"}, "changes": [adding(manifest("new", "1", resourceClaims=CLAIMS))]})
    run = starting.stored_run(cluster=cluster, spec=spec, title="More", user=None)
    runs.work(run.pk)
    return run.pods.get()


def test_the_row_holds_no_sentence_and_whoever_shows_it_says_one(doubted: RunPod) -> None:
    assert doubted.outcome == RunPod.Outcome.UNCERTAIN
    assert "not computed" not in doubted.message
    assert pod_rows([doubted], None)[0].message == SAID
    assert cells(doubted)[-1] == SAID


@pytest.mark.parametrize(
    "stored", [SAID, "0/1 nodes are available: 1 Insufficient cpu.", "[later: a scheduler's own]", ""]
)
def test_a_text_is_shown_as_it_was_stored(doubted: RunPod, stored: str) -> None:
    doubted.message = stored

    assert pod_rows([doubted], None)[0].message == stored

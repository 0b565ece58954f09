"""Reasons of a comparison that are computed where they are shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from clusters.documents.run_words import why_of
from clusters.engine.simulation import compare_runs
from clusters.services.runs import comparing
from clusters.services.studies.asking import read_variants
from tests.clusters.runs.test_life import ordered, worked

if TYPE_CHECKING:
    from clusters.models import Cluster


@pytest.mark.django_db
def test_reasons_beyond_the_first_are_told_where_they_are_asked_for(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = read_variants([{"kind": "most-allocated"}], None)[0].configuration
    left, right = worked(ordered(cluster, replicas=4)), worked(ordered(cluster, replicas=4, configuration=packed))
    whole = comparing.compare_runs(left, right)["placements"]
    monkeypatch.setattr(comparing, "compared", partial(compare_runs, most_reasons=1))
    comparing._comparisons.clear()
    found = comparing.compare_runs(left, right)

    assert found["not_computed"] == len(whole) - 1 > 0
    assert why_of(found["placements"][1]).startswith("Not computed")
    assert comparing.with_reasons(left, right, found["placements"]) == whole

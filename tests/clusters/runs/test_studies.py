"""One question in many variants: sweeps are runs, the others have parts, each with its answer or its error."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models import F
from django.db.models.signals import post_save
from django.utils import timezone

from clusters.engine import SchedulerConfiguration
from clusters.engine.simulation import compare_runs
from clusters.models import Cluster, RunBase, SimulationRun, Study, StudyPart
from clusters.services import runs, studies
from clusters.services.lanes import resume
from clusters.services.runs import comparing
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies.asking import BUILT_IN, prune, read_variants, work_on_part
from tests.clusters.runs.test_life import ordered, worked
from tests.clusters.runs.test_spec import DEPLOYMENT, adding
from tests.support.answers import error_of

if TYPE_CHECKING:
    from pytest_django import Settings


PLAIN = {"base": {"kind": "cluster"}}


def answered(study: Study) -> list[studies.asking.StudyRow]:
    for part in study.parts.all():
        work_on_part(part.pk)
    for run in study.runs.all():
        runs.work(run.pk)
    return studies.study_table(study).rows


def test_a_sweep_runs_the_same_question_under_each_configuration(cluster: Cluster) -> None:
    variants = [
        {"kind": "as-is"},
        {"kind": "weights", "weights": {"NodeResourcesFit": 100, "PodTopologySpread": 0}},
        {"kind": "most-allocated", "label": "Full"},
    ]
    configuration = read_variants([{"kind": "no-default-spread"}], None)[0].configuration
    spec = read_spec(adding(DEPLOYMENT, replicas=4) | {"configuration": configuration})

    study = studies.create_sweep(cluster=cluster, spec=spec, variants=variants, title="Packing", user=None)

    assert [run.base_id for run in study.runs.all()] == [RunBase.objects.get().pk] * 3
    rows = answered(study)
    assert [row.label for row in rows] == ["as-is", "NodeResourcesFit 100, PodTopologySpread 0", "Full"]
    assert [row.figures["placed"] for row in rows] == [5, 5, 5]
    assert [row.figures["nodes_in_use"] for row in rows] == [3, 3, 1]
    assert studies.study_table(study)[1:] == (3, 3)


def test_every_built_in_configuration_is_one_and_changes_what_it_says() -> None:
    own = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {
                "schedulerName": "a",
                "pluginConfig": [{"name": "NodeResourcesFit", "args": {"ignoredResources": ["x/y"]}}],
            }
        ],
    }
    for common in (None, own):
        found = read_variants([{"kind": kind} for kind in BUILT_IN], common)
        read = [
            SchedulerConfiguration.default()
            if variant.configuration is None
            else SchedulerConfiguration.from_dict(variant.configuration)
            for variant in found
        ]
        # Those that say what the defaults are anyway are like the one as it is.
        assert len({repr(each) for each in read}) == len(BUILT_IN) - 2
        names = {each.profiles[0].scheduler_name for each in read}
        assert names == {"a" if common else "default-scheduler"}
    (weighed,) = read_variants([{"kind": "weights", "weights": {"ImageLocality": 9, "NodeAffinity": 0}}], own)
    weights = SchedulerConfiguration.from_dict(weighed.configuration or {}).profiles[0].weights
    assert weights["ImageLocality"] == 9
    assert "NodeAffinity" not in weights


def test_headroom_counts_each_shape_and_says_what_stops_the_next(cluster: Cluster) -> None:
    shapes = [
        {"mix": [{"text": DEPLOYMENT}]},
        {"mix": [{"text": DEPLOYMENT}, {"text": DEPLOYMENT.replace("500m", "1").replace("name: web,", "name: big,")}]},
        {
            "mix": [{"text": DEPLOYMENT.replace("    spec:\n", "    spec:\n      priorityClassName: none\n")}],
            "label": "none",
        },
    ]

    study = studies.create_headroom(cluster=cluster, spec=read_spec(PLAIN), shapes=shapes, title="", user=None)

    alone, mixed, refused = answered(study)
    assert (alone.label, mixed.label) == ("web", "1 × web + 1 × big")
    # 3.9, 4 and 4 CPUs: 7, 8 and 8 of 500m.
    assert (alone.figures["count"], alone.figures["headroom"]["stop"]["reasons"][0]["plugin"]) == (
        23,
        "NodeResourcesFit",
    )
    assert mixed.figures["headroom"]["counts"] in ([7, 7], [8, 7], [8, 8])
    assert refused.state == StudyPart.State.FAILED


def test_headroom_counts_gangs_that_fit_whole(cluster: Cluster) -> None:
    shape = {"mix": [{"text": DEPLOYMENT}], "gang": 5}

    (part,) = answered(
        studies.create_headroom(cluster=cluster, spec=read_spec(PLAIN), shapes=[shape], title="", user=None)
    )

    # 23 of 500m fit one by one.
    gangs = part.figures["gangs"]
    assert (part.figures["count"], part.figures["headroom"]["counts"]) == (4, [23])
    assert (gangs["size"], gangs["count"], gangs["found"], gangs["topology_key"]) == (5, 4, 3, "")
    assert gangs["stop"] == part.figures["headroom"]["stop"]


def test_nodes_that_are_needed_and_nodes_that_are_removable(cluster: Cluster) -> None:
    templates = [{"cpu": "4", "memory": "8Gi"}, {"like": "n001", "label": "as now"}, {"like": "n9"}]
    spec = read_spec(adding(DEPLOYMENT, replicas=40))

    needed = studies.create_nodes_needed(cluster=cluster, spec=spec, templates=templates, title="", user=None)
    removable = studies.create_removable(cluster=cluster, spec=read_spec(PLAIN), title="", user=None, thresholds=[50])

    new, like, unknown = answered(needed)
    assert (needed.title, removable.title) == ("Nodes needed", "Removable nodes")
    assert (new.label, like.label, unknown.label) == ("4 CPU, 8Gi", "as now", "like n9")
    # 23 fit, and 8 on each node more.
    assert (new.figures["needed"]["count"], like.figures["needed"]["count"]) == (3, 3)
    assert (unknown.error or {})["field"] == "template.like"
    (row,) = answered(removable)
    assert row.label == "< 50 %"
    assert [each["name"] for each in row.figures["removed"]] == ["n001", "n002"]
    assert [each["why"] for each in row.figures["kept"]] == ["bare"]


@pytest.mark.parametrize(
    ("shapes", "field"),
    [
        ([], "shapes"),
        ([{}] * 1_000, "shapes"),
        ([{}], "shapes[0]"),
        ([{"mix": [{"text": "a: 1"}]}], "shapes[0].mix[0].text.document 1.kind"),
        ([{"mix": [{"text": DEPLOYMENT, "share": 0}]}], "shapes[0].mix[0].share"),
        ([{"mix": [{"text": DEPLOYMENT + "---" + DEPLOYMENT}]}], "shapes[0].mix[0].text"),
        ([{"mix": [{"text": DEPLOYMENT}], "gang": 0}], "shapes[0].gang"),
        ([{"mix": [{"text": DEPLOYMENT}], "gang": True}], "shapes[0].gang"),
        ([{"mix": [{"text": DEPLOYMENT}, {"text": DEPLOYMENT}], "gang": 2}], "shapes[0].gang"),
        ([{"mix": [{"manifest": 5}]}], "shapes[0].mix[0]"),
        ([{"mix": [{"text": DEPLOYMENT}], "label": ""}], "shapes[0].label"),
        ([{"mix": [{"text": DEPLOYMENT}], "label": "a\0b"}], "shapes"),
        ([{"mix": [{"text": DEPLOYMENT.replace("name: main", 'name: "a\\0b"')}]}], "shapes[0].mix[0].text"),
        ([{"mix": [{"text": DEPLOYMENT}], "label": "\ud800"}], "shapes"),
    ],
)
def test_what_is_wrong_with_a_shape_is_named(cluster: Cluster, shapes: Any, field: str) -> None:
    caught = error_of(
        SpecError, studies.create_headroom, cluster=cluster, spec=read_spec(PLAIN), shapes=shapes, title="", user=None
    )

    assert caught.field == field


@pytest.mark.parametrize(
    ("variants", "field"),
    [
        ([], "variants"),
        ([{"kind": "luck"}], "variants[0].kind"),
        ([{"kind": "as-is"}] * 2, "variants[1].label"),
        ([{"kind": "weights", "weights": {"NodeAffinity": -1}}], "variants[0].weights.NodeAffinity"),
        ([{"kind": "weights", "weights": {"None": 1}}], "variants[0].weights.None"),
        ([{"kind": "configuration", "configuration": {}}], "variants[0].configuration"),
        ([{"kind": "as-is", "label": "a\0b"}], "variants"),
    ],
)
def test_what_is_wrong_with_a_sweep_is_named(cluster: Cluster, variants: Any, field: str) -> None:
    caught = error_of(
        SpecError, studies.create_sweep, cluster=cluster, spec=read_spec(PLAIN), variants=variants, title="", user=None
    )

    assert caught.field.startswith(field)
    assert not SimulationRun.objects.exists()


def test_a_sweep_has_one_base_though_the_cluster_goes_on(cluster: Cluster) -> None:
    def go_on(**_: object) -> None:
        Cluster.objects.filter(pk=cluster.pk).update(revision=F("revision") + 1)

    # As a watcher does between two of its runs.
    post_save.connect(go_on, sender=SimulationRun)
    variants = [{"kind": "as-is"}, {"kind": "most-allocated"}, {"kind": "no-default-spread"}]
    try:
        study = studies.create_sweep(cluster=cluster, spec=read_spec(PLAIN), variants=variants, title="", user=None)
    finally:
        post_save.disconnect(go_on, sender=SimulationRun)

    assert study.runs.count() == 3
    assert study.runs.values("base").distinct().count() == 1


@pytest.mark.parametrize("thresholds", [(), (0,), ("50",), (101,), (50,) * 201])
def test_thresholds_that_make_no_sense_are_named(cluster: Cluster, thresholds: Any) -> None:
    caught = error_of(
        SpecError,
        studies.create_removable,
        cluster=cluster,
        spec=read_spec(PLAIN),
        title="",
        user=None,
        thresholds=thresholds,
    )

    assert caught.field.startswith("thresholds")


def test_parts_are_resumed_given_up_and_removed(cluster: Cluster, settings: Settings) -> None:
    shapes = [{"mix": [{"text": DEPLOYMENT}], "label": str(number)} for number in range(3)]
    study = studies.create_headroom(cluster=cluster, spec=read_spec(PLAIN), shapes=shapes, title="", user=None)
    long_ago = timezone.now() - timedelta(hours=1)
    dead, killer, _ = study.parts.order_by("number")
    every = StudyPart.objects.filter(study=study)
    every.filter(pk=dead.pk).update(state="running", begun=1, heartbeat_at=long_ago)
    every.filter(pk=killer.pk).update(state="running", begun=3, heartbeat_at=long_ago)

    assert resume() == 1

    states = list(every.order_by("number").values_list("state", flat=True))
    assert states == ["queued", "failed", "queued"]
    Study.objects.filter(pk=study.pk).update(created_at=long_ago)
    # What was lost with Redis is sent again, what was sent just now is not.
    assert resume() == 1
    Study.objects.filter(pk=study.pk).update(created_at=long_ago - settings.BERTH_RUNS_KEPT)
    assert prune() == 1
    assert not RunBase.objects.exists()


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

    assert comparing.with_reasons(left, right, found["placements"]) == whole

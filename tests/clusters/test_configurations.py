"""What becomes of configurations that were given before they had a place of their own."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from clusters.models import Cluster
from clusters.services.mirror.snapshots import Origin, document_of, origin_of

pytestmark = pytest.mark.django_db

GIVEN = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def origins() -> dict[str, Origin]:
    return {cluster.name: origin_of(cluster) for cluster in Cluster.objects.all()}


def test_what_live_clusters_were_given_is_taken_over_and_can_be_given_back() -> None:
    migration = import_module("clusters.migrations.0007_chosen_configuration")
    for name, source, document in (
        ("a", "live", GIVEN),
        ("b", "live", None),
        ("c", "dump", GIVEN),
        ("d", "dump", None),
    ):
        Cluster.objects.create(name=name, source=source, scheduler_configuration=document)

    migration.give_live_clusters_theirs(apps, None)

    assert origins() == {"a": Origin.CHOSEN, "b": Origin.DEFAULT, "c": Origin.DUMP, "d": Origin.DEFAULT}
    assert document_of(Cluster.objects.get(name="a")) == GIVEN
    migration.give_them_back(apps, None)
    assert Cluster.objects.get(name="a").scheduler_configuration == GIVEN
    assert Cluster.objects.get(name="b").scheduler_configuration is None

"""Pending pods whose cause lies in the group that they name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.analysis.causes import Cause, Kind, is_of_group
from clusters.engine.group_states import GroupPhase
from clusters.services.pending.pods import pending_of
from clusters.wording.pod_groups import cause_in_group
from tests.support.gangs import group, load_gangs, member
from tests.support.mirrored import text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIST = "/clusters/gangs/pending/"


def shown(client: Client, query: str) -> set[str]:
    return set(re.findall(r'href="/clusters/gangs/pods/ml/([^/"]+)/"', client.get(f"{LIST}{query}").text))


def rows(client: Client, address: str) -> dict[str, str]:
    """The rows of tables of pods, by the name of the pod that each begins with."""
    html = client.get(address).text
    return dict(re.findall(r'<tr data-key="ml/([^"]+)">(.*?)</tr>', html, re.DOTALL))


def a_failure(pod: str) -> dict[str, Any]:
    """The event of an attempt to schedule a pod."""
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"event-{pod}", "namespace": "ml", "uid": f"event-{pod}"},
        "involvedObject": {"kind": "Pod", "namespace": "ml", "name": pod, "uid": f"pod-ml-{pod}"},
        "reason": "FailedScheduling",
        "message": "0/1 nodes are available: 1 Insufficient cpu.",
        "count": 3,
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }


def test_causes_name_the_group_and_what_it_lacks(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, LIST)

    assert "Waiting for the gang ml/train, 3 of 5 pods exist" in said
    assert "Create 2 more pods of the group (by JobSet big)" in said
    assert "Pod group ml/lost not found" in said
    assert "Gang ml/infer not scheduled as a whole" in said
    assert "when its group is complete" in said


def test_pods_of_two_gangs_that_lack_the_same_are_two_causes(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path, more=[group("other", 2), member("other-0", "other")])

    groups = [each for each in pending_of(cluster=cluster).groups.values() if each.pod_group]

    waiting = [each for each in groups if each.pod_group and each.pod_group.phase is GroupPhase.WAITING_FOR_PODS]
    assert sorted(str(each.pod_group.key) for each in waiting if each.pod_group) == ["ml/other", "ml/train"]
    assert len({each.cause for each in waiting}) == 1
    assert len({each.identity for each in groups}) == len(groups)


def test_pods_of_one_group_are_filtered(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    for query, pods in [
        ("?group=train", {"train-0", "train-1", "train-2"}),
        ("?group=ml/infer", {"infer-0", "infer-1", "infer-2"}),
        ("?group=tra", set()),
        ("?group=train&q=train-1", {"train-1"}),
    ]:
        assert shown(signed_in_client, query) == pods


def test_alike_pods_of_a_gang_share_a_row(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path, more=[member(f"twin-{number}", "solo", cpu="100") for number in range(2)])

    found = rows(signed_in_client, LIST)

    assert "and 2 more pods of its group" in found["train-0"]
    assert not {"train-1", "train-2", "infer-2"} & found.keys()
    # One pod of the gang finds a node, two find none: those are alike.
    assert "and 1 more pod of its group" in found["infer-1"]
    assert "more pod" not in found["infer-0"]


def test_the_queue_names_the_group_that_a_pod_waits_for(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path, more=[a_failure("infer-0")])

    found = rows(signed_in_client, f"{LIST}queue/")

    for name in ("train", "infer"):
        assert f'href="/clusters/gangs/pod-groups/ml/{name}/"' in found[f"{name}-0"]
    assert "Waiting for the gang ml/train, 3 of 5 pods exist" in found["train-0"]
    assert "Gang ml/infer not scheduled as a whole" in found["infer-0"]
    assert "Pod group ml/lost not found" in found["stray"]
    assert "pod-groups/" not in found["alone"]


def test_other_causes_lie_in_no_group(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)

    causes = {pod.name: each for each in pending_of(cluster=cluster).groups.values() for pod in each.pods}

    assert causes["alone"].pod_group is None
    assert not is_of_group(Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",)))
    assert not is_of_group(Cause(Kind.UNSCHEDULABLE, ("SomebodyElses",)))
    assert cause_in_group(Cause(Kind.FITS), None) == "schedulable, in the queue"


def test_a_pod_leads_to_its_group_in_its_facts_and_among_related_objects(
    signed_in_client: Client, tmp_path: Path
) -> None:
    load_gangs(tmp_path)
    address = "/clusters/gangs/pod-groups/ml/train/"

    html = signed_in_client.get("/clusters/gangs/pods/ml/train-0/?at=now").text

    assert f'Pod group <a href="{address}">train</a>' in html
    assert f'<a href="{address}"><title>Pod group train</title>' in html
    assert "pod-groups/ml" not in signed_in_client.get("/clusters/gangs/pods/ml/alone/?at=now").text

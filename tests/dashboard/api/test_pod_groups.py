"""The API about groups of pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.gangs import load_gangs

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/clusters/gangs/pod-groups/"


def test_groups_are_listed_page_by_page_in_the_order_of_the_page(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    first, second = (signed_in_client.get(ADDRESS, {"limit": 3, "page": page}).json() for page in (1, 2))

    assert [each["name"] for each in first["podGroups"]] == ["lost", "train", "infer"]
    assert [each["name"] for each in second["podGroups"]] == ["web", "idle"]
    assert (first["total"], first["next"], second["next"]) == (5, 2, None)
    assert first["podGroups"][1] == {
        "namespace": "ml",
        "name": "train",
        "state": "waiting-for-pods",
        "policy": "gang",
        "minCount": 5,
        "pods": 3,
        "scheduled": 0,
        "pending": 3,
        "missing": 2,
        "workload": None,
        "controller": {"kind": "JobSet", "name": "big"},
        "page": "/clusters/gangs/pod-groups/ml/train/",
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"state": "scheduled"}, ["web"]),
        ({"namespace": "ml", "state": "empty"}, ["idle"]),
        ({"namespace": "other"}, []),
    ],
)
def test_groups_are_filtered(signed_in_client: Client, tmp_path: Path, query: dict[str, str], names: list[str]) -> None:
    load_gangs(tmp_path)

    assert [each["name"] for each in signed_in_client.get(ADDRESS, query).json()["podGroups"]] == names


def test_a_state_that_there_is_not_is_refused(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    assert signed_in_client.get(ADDRESS, {"state": "lost"}).status_code == 400


def test_one_group_says_what_becomes_of_it_and_why(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    found = signed_in_client.get(f"{ADDRESS}ml/infer").json()

    assert found["sentence"].startswith("1 of minCount 3 pods have or find a node")
    assert found["remedy"]
    assert found["members"] == [{"pod": f"infer-{number}", "node": None} for number in range(3)]
    assert (found["attempt"]["verdict"], found["attempt"]["found"]) == ("unschedulable", 1)
    assert [each["pod"] for each in found["attempt"]["members"] if each["message"]] == ["ml/infer-1"]
    causes = {each["cause"]: each["pods"] for each in found["causes"]}
    assert "infer-1" in causes["insufficient CPU, larger than any node"]
    assert signed_in_client.get(f"{ADDRESS}ml/web").json()["attempt"] is None


def test_a_group_that_there_is_not_is_not_found(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    answered = signed_in_client.get(f"{ADDRESS}ml/nothing/else")

    assert (answered.status_code, "pod-groups" in str(answered.json())) == (404, True)


def test_nobody_reads_groups_without_signing_in(client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    assert client.get(ADDRESS).status_code == 401

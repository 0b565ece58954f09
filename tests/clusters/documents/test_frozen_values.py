"""What a worker found out, as bytes and back: the same values, and nothing but values of this project."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from clusters.documents.values import UnreadableError, packed_values, read_values
from clusters.engine.owners import Workload
from clusters.engine.status import Code
from clusters.services.decisions.takers import takers_of
from clusters.services.pending.pods import pending_of
from clusters.services.pending.queue import preemptors_of
from tests.support.mirrored import load_demo

if TYPE_CHECKING:
    from pathlib import Path


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
def test_everything_that_is_found_out_of_the_demo_comes_back(tmp_path: Path) -> None:
    demo = load_demo(tmp_path)
    pending, takers = pending_of(cluster=demo), takers_of(cluster=demo, node="general-a-01")
    findings = [pod.finding for group in pending.groups.values() for pod in group.pods]
    preemptors = [each.found for each in preemptors_of(cluster=demo).preemptors]

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


def test_what_is_no_text_is_not_read() -> None:
    with pytest.raises(UnreadableError):
        read_values(b"{}")


def test_what_is_no_value_is_not_written() -> None:
    with pytest.raises(TypeError, match="no frozen value"):
        packed_values(object())

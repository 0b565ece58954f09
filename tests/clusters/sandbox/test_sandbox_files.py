"""Sandboxes as files: what they begin with, what a file says to everything that reads it, and bad ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from clusters.documents.lessons import decoded, encoded
from clusters.engine import explain
from clusters.engine.lessons import SituationError
from clusters.engine.problems import Empty
from clusters.engine.sandbox import (
    ActKind,
    SandboxCluster,
    SandboxHistory,
    evicted,
    failing,
    imported,
    run_queue,
    without_node,
)
from clusters.problems.lessons import LargeSandbox, ManyInSituation
from clusters.services.files import read_dump
from clusters.services.lessons.reading import BadLesson
from clusters.services.sandbox import (
    EMPTY,
    MOST_BYTES,
    MOST_CHARACTERS,
    STARTS,
    hold_within_bounds,
    object_text,
    read_sandbox,
    sandbox_file,
    start,
)
from clusters.wording.lessons.sandbox import STARTS as STARTS_IN_WORDS
from tests.engine.lessons.clusters import node, pod
from tests.engine.sandbox.sandboxes import built

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine.objects import Document

FILLED = [name for name in STARTS if name != EMPTY]


def broken(name: str) -> SandboxCluster:
    """Return a cluster to begin with in which every pod was tried, and a node has failed since."""
    tried = SandboxCluster(run_queue(SandboxCluster(start(name))).objects)
    first = tried.situation.node_names[0]
    return SandboxCluster(evicted(SandboxCluster(failing(tried, first, is_failing=True)), first))


@pytest.mark.parametrize("name", STARTS)
def test_every_cluster_to_begin_with_is_within_bounds_and_has_a_name(name: str) -> None:
    objects = start(name)

    hold_within_bounds(objects)
    assert name in STARTS_IN_WORDS
    situation = SandboxCluster(objects).situation
    # There is something to look at, and something to do.
    assert bool(situation.pending) == bool(situation.node_names) == (name != EMPTY)
    with pytest.raises(KeyError):
        start("no-such")


@pytest.mark.parametrize("name", FILLED)
def test_what_a_sandbox_says_is_what_is_said_of_its_file(name: str, tmp_path: Path) -> None:
    cluster = broken(name)
    path = tmp_path / "sandbox.yaml"
    path.write_text(sandbox_file(cluster), encoding="utf-8")
    dump = read_dump(path)
    configuration = dump.scheduler_configuration()

    pending = {f"{each['metadata']['namespace']}/{each['metadata']['name']}" for each in cluster.situation.pending}
    assert pending
    assert set(dump.pending) == pending
    assert len(dump.snapshot.nodes.names) == len(cluster.situation.node_names)
    for key, document in dump.pending.items():
        said = explain(dump.snapshot, document, configuration.profile_for(document))
        assert said.as_recorded() == cluster.explain(key).as_recorded()

    # And the sandbox itself reads it back.
    again = SandboxCluster(imported(read_sandbox(path.read_bytes())).objects)
    assert set(again.objects) >= set(cluster.objects)
    for key in pending:
        assert again.explain(key).as_recorded() == cluster.explain(key).as_recorded()
    assert run_queue(again).attempts == run_queue(cluster).attempts


def test_an_object_is_shown_as_its_author_would_write_it() -> None:
    for document in built(node("a"), pod("web")).objects.values():
        text = object_text(document)
        assert "uid" not in text
        [again] = read_sandbox(text.encode())
        assert object_text(again) == text


def test_a_history_is_read_as_it_was_stored() -> None:
    history = SandboxHistory(start("full-cluster"))
    history = history.scheduled(run_queue(SandboxCluster(history.run_base), 2))
    cluster = SandboxCluster(history.objects)
    history = history.done(ActKind.REMOVED, "Node/node-1", without_node(cluster, "node-1"))
    again = decoded(json.loads(json.dumps(encoded(history))))

    assert again.objects == history.objects
    assert again.acts == history.acts


@pytest.mark.parametrize(
    ("documents", "problem"),
    [
        ([node(f"node-{number}") for number in range(61)], ManyInSituation("Node", 61, 60)),
        ([pod(f"pod-{number}") for number in range(501)], ManyInSituation("Pod", 501, 500)),
    ],
    ids=["nodes", "pods"],
)
def test_too_many_objects_are_refused(documents: list[Document], problem: object) -> None:
    with pytest.raises(SituationError) as error:
        hold_within_bounds(built(*documents).objects)
    assert error.value.problem == problem


def test_too_much_text_is_refused() -> None:
    long: list[Any] = [node(f"node-{number}", labels={f"l{at}": "x" * 60 for at in range(500)}) for number in range(40)]
    with pytest.raises(SituationError) as error:
        hold_within_bounds(built(*long).objects)
    assert isinstance(error.value.problem, LargeSandbox)
    assert error.value.problem.most == MOST_CHARACTERS


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a: 1", 0),
        (b"kind: Node\napiVersion: v1\nmetadata: {name: a}\nspec: {taints: 7}", 4),
        (b"kind: [", 1),
        (b"\xff\xfe\x00", 0),
        (b"x" * (MOST_BYTES + 1), 0),
    ],
    ids=["no object", "wrong field", "broken", "no text", "large"],
)
def test_a_bad_file_says_where_it_is_bad(data: bytes, line: int) -> None:
    with pytest.raises(BadLesson) as error:
        read_sandbox(data)
    assert error.value.faults[0].line >= line


def test_a_file_without_objects_is_none() -> None:
    with pytest.raises(BadLesson) as error:
        read_sandbox(b"# nothing\n")
    assert error.value.faults[0].problem == Empty()

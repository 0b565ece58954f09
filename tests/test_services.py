"""Which modules of the services write to the database: a new one is named here, or reads only."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

# It reads code and runs none.
pytestmark = pytest.mark.unmeasured

SERVICES = Path(settings.BASE_DIR) / "clusters" / "services"

# Everything in these brings something into the mirror, or holds a piece of work.
WRITERS = {"ingest", "lanes", "watching"}
# Beside them: what stores runs, studies, reviews and the journal. All other modules read.
WRITING = {
    "journal/writing": "decisions and judgements on them",
    "lessons/storing": "lessons that trainers upload",
    "mirror/snapshots": "locks a cluster that changes faster than it is read, and writes nothing",
    "reports/capacity_samples": "a sample every hour",
    "reports/making": "reviews, from the order to the document, and when they are made",
    "reports/sections/recommendations": "the simulations that prove a recommendation",
    "mirror/bases": "what runs begin with, shared by all of one revision",
    "runs/chunks": "the steps of a run, in the form in which they are read here",
    "runs/starting": "runs that are asked for, cancelled, resumed, deleted",
    "runs/working": "what comes of a run",
    "studies/asking": "studies that are asked for, and what comes of each part",
    "usage/keeping": "what pods and nodes use, by the hour, and how reading it ended",
}

ALWAYS = {
    "save", "create", "get_or_create", "update_or_create", "bulk_create", "bulk_update", "select_for_update", "atomic",
}  # fmt: skip


def writes(call: ast.Call) -> bool:
    """Whether a call is one of the ORM's that write or lock; dictionaries have update(), snapshots delete(), too."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in ALWAYS:
        return True
    if name == "update":
        return not call.args and bool(call.keywords)
    return name == "delete" and not call.args and not call.keywords


def writes_in(source: str) -> bool:
    tree = ast.parse(source)
    decorated = {
        ast.unparse(decorator)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    }
    return "transaction.atomic" in decorated or any(
        isinstance(node, ast.Call) and writes(node) for node in ast.walk(tree)
    )


def test_only_modules_that_are_named_write() -> None:
    modules = {path.relative_to(SERVICES).with_suffix("").as_posix(): path for path in SERVICES.rglob("*.py")}
    found = {name for name, path in modules.items() if writes_in(path.read_text(encoding="utf-8"))}

    assert {name for name in found if name.partition("/")[0] not in WRITERS} == set(WRITING)


def test_a_write_is_told_from_what_looks_like_one() -> None:
    for source in (
        "Pod.objects.filter(pk=1).update(name='a')",
        "rows.delete()",
        "row.save(update_fields=['name'])",
        "@transaction.atomic\ndef f(): ...",
        "with transaction.atomic(): ...",
    ):
        assert writes_in(source), source
    for source in ("counts.update(other)", "snapshot.delete(document)", "found = rows.filter(name='update')"):
        assert not writes_in(source), source

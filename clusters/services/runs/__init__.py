"""Simulation runs: read what is asked, work on it in chunks, keep what came of it, and look at it again."""

from __future__ import annotations

from clusters.services.runs.cases import case_of, nodes_of
from clusters.services.runs.chunks import steps_of
from clusters.services.runs.comparing import compare_runs
from clusters.services.runs.results import decision_at, state_at
from clusters.services.runs.spec import Spec, SpecError, read_spec
from clusters.services.runs.starting import cancel, create_run, delete, resume
from clusters.services.runs.working import work

__all__ = [
    "Spec",
    "SpecError",
    "cancel",
    "case_of",
    "compare_runs",
    "create_run",
    "decision_at",
    "delete",
    "nodes_of",
    "read_spec",
    "resume",
    "state_at",
    "steps_of",
    "work",
]

"""Plans of drains, and how far those are that a worker makes: kept in Redis for a while, where all processes see them.

Nobody holds a plan: the progress of one that is being made lives as long as its worker tells of it, and where two
workers make the same plan, both find the same. So there is no token and no take-over here, but a time to live.

Redis being away costs time, not truth: plans that are made at once are then made again, others cannot be had.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError
from clusters.documents.frozen_values import UnreadableError, packed_values, read_values
from clusters.problems.answers import LongPlan, PlansNotKept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.disruption.drain_plan import Plan
    from clusters.engine.problems import Problem

_log = logging.getLogger(__name__)

KEPT_SECONDS = 3600
# What keeps a plan from being made may be mended soon.
PROBLEM_SECONDS = 60
# A worker tells of itself at least this often, or it is taken for dead and another one begins anew. The longest it is
# silent is at first, when it reads a large cluster's state.
SILENCE_SECONDS = 300
# Of the compressed text; ten thousand evictions take a tenth of it.
MOST_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan, and the revision whose state it is about; a ``problem`` instead where none could be made.

    ``field``: of the scheduler configuration, where the problem is with it. ``workloads``: what the plan does to them,
    a document of ``clusters/documents/drained_workloads.py``.
    """

    revision: int
    plan: Plan | None
    problem: Problem | None = None
    field: str = ""
    workloads: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the nodes a worker is done with."""

    done: int
    total: int


class StoreAwayError(Exception):
    """Redis is unavailable."""

    problem = PlansNotKept()


def find(key: str) -> StoredPlan | None:
    """Return what is kept; None also while Redis is away, and where another version of Berth kept it otherwise."""
    try:
        text = shared_redis.ask(lambda client: client.get(_plan(key)))
    except AwayError:
        return None
    try:
        found = read_values(text) if isinstance(text, bytes) else None
    except UnreadableError as error:
        _log.warning("A plan of a drain is kept in a form that is not read: %s", error)
        return None
    return found if isinstance(found, StoredPlan) else None


def keep(key: str, stored: StoredPlan) -> None:
    """Keep a plan for an hour, and end its progress; without Redis it is not kept."""
    text = packed_values(stored)
    if len(text) > MOST_BYTES:
        text = packed_values(StoredPlan(stored.revision, None, LongPlan()))
    seconds = PROBLEM_SECONDS if stored.plan is None else KEPT_SECONDS
    try:
        shared_redis.ask(lambda client: client.set(_plan(key), text, ex=seconds))
        shared_redis.ask(lambda client: client.delete(_progress(key)))
    except AwayError as error:
        _log.warning("Plans of drains are not kept: %s", error)


def begin(key: str, total: int) -> bool:
    """Note that a plan is wanted, and drop what was kept; False where that was done before. Raises StoreAwayError."""
    started = orjson.dumps(Progress(0, total))
    try:
        if not shared_redis.ask(lambda client: client.set(_progress(key), started, ex=SILENCE_SECONDS, nx=True)):
            return False
        shared_redis.ask(lambda client: client.delete(_plan(key)))
    except AwayError as error:
        raise StoreAwayError from error
    return True


def tell(key: str, progress: Progress) -> None:
    """Note how far a plan is."""
    try:
        shared_redis.ask(lambda client: client.set(_progress(key), orjson.dumps(progress), ex=SILENCE_SECONDS))
    except AwayError as error:
        _log.warning("The progress of a drain's plan is not told: %s", error)


def progress_of(key: str) -> Progress | None:
    """Return how far a plan is; None where none is being made. Raises StoreAwayError."""
    try:
        text = shared_redis.ask(lambda client: client.get(_progress(key)))
    except AwayError as error:
        raise StoreAwayError from error
    return Progress(**orjson.loads(text)) if isinstance(text, bytes) else None


def give_up(key: str) -> None:
    """Note that nobody makes the plan."""
    try:
        shared_redis.ask(lambda client: client.delete(_progress(key)))
    except AwayError as error:
        _log.warning("The progress of a drain's plan is not told: %s", error)


def _plan(key: str) -> str:
    return f"berth:drain:plan:{key}"


def _progress(key: str) -> str:
    return f"berth:drain:progress:{key}"

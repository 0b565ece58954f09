"""How long runs are kept, and how much of them: what is old goes first."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Q, Sum
from django.utils import timezone

from clusters.models import SimulationRun
from clusters.services.mirror.bases import free_unused
from clusters.services.runs.starting import delete

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.contrib.auth.models import User

# No review is written for so long.
_LONGEST_WRITING = timedelta(days=1)
_AT_ONCE = 1_000


def pods_kept(user: User) -> int:
    """Return how many pods the simulations of a user have together, those of studies and reviews among them."""
    return SimulationRun.objects.filter(created_by=user).aggregate(pods=Sum("pods_done"))["pods"] or 0


def prune(*, spared: Collection[int] = ()) -> int:
    """Delete runs that are older, or of more pods, than is kept, and bases without runs; return how many runs.

    A run that a review is about stays as long as the review, and so do those that are ``spared``, by primary key. Of
    those that were made for reviews, the ones that no review refers to were left behind by a worker that died.
    """
    now = timezone.now()
    is_old = Q(finished_at__lt=now - settings.BERTH_RUNS_KEPT)
    is_left_behind = Q(is_of_review=True, finished_at__lt=now - _LONGEST_WRITING)
    ended = SimulationRun.objects.filter(finished_at__isnull=False, reports__isnull=True, study__isnull=True)
    may_go = {run.pk: run for run in ended.only("pk", "base_id") if run.pk not in spared}
    gone = may_go.keys() & {*ended.filter(is_old | is_left_behind).values_list("pk", flat=True)}
    gone |= may_go.keys() & {*_too_many(gone)}
    for key in gone:
        delete(may_go[key])
    free_unused()
    return len(gone)


def _too_many(gone: Collection[int]) -> Iterator[int]:
    """Yield the runs before which, newest first, as many pods are kept as may be: of their users, or of all.

    The newest one of a user stays, however large: somebody may be looking at it.
    """
    every, of_user = 0, dict[int, int]()
    newest = SimulationRun.objects.order_by("-created_at", "-pk").values_list("pk", "created_by_id", "pods_done")
    for key, user, pods in newest.iterator(_AT_ONCE):
        if key in gone:
            continue
        is_newest, before = user not in of_user, of_user.get(user, 0)
        every, of_user[user] = every + pods, before + pods
        is_too_many = before + pods > settings.BERTH_RUN_PODS_PER_USER or every > settings.BERTH_RUN_PODS
        if is_too_many and not is_newest:
            yield key

"""Asks for what a mirrored cluster's upgrade changes: at once, or of a worker where that takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from clusters.documents.explanation import Part
from clusters.documents.stored_problems import encoded
from clusters.documents.upgrades import UpgradeDocument, upgrade_document
from clusters.engine import ConfigurationError
from clusters.models import Node, Pod
from clusters.services.evaluation.questions import Question, WorkersAwayError
from clusters.services.mirror.snapshots import ChangingTooFastError, revision_of, snapshot_of
from clusters.services.upgrading.previews import preview_of_state

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.versions import Release
    from clusters.models import Cluster

# While somebody waits no more pairs of a node and a pod are looked at.
MOST_AT_ONCE: Final = 100_000
QUESTION: Final[Question[dict[str, Any]]] = Question("upgrade", is_shared=True)


class KeptUpgrade(Part, frozen=True, kw_only=True):
    """A preview; a ``problem``, as rows store it, where there is none.

    ``field``: of the scheduler's configuration, where the problem is with it.
    """

    document: UpgradeDocument | None
    problem: dict[str, Any] | None = None
    field: str = ""


class ClusterUpgrade(NamedTuple):
    """A preview of the state of a revision, read ``at`` that time, where it is known.

    None while a worker finds out the first; ``is_evaluating`` also while one finds out a later one.
    """

    made: KeptUpgrade | None
    revision: int
    at: datetime | None = None
    is_evaluating: bool = False


def upgrade_of(*, cluster: Cluster, target: Release, again: int | None = None) -> ClusterUpgrade:
    """Return what an upgrade changes.

    One that takes long stays although the cluster changed, until its revision is asked for ``again`` and a worker has
    found out the next. Raises WorkersAwayError.
    """
    kept = QUESTION.last(cluster, target.minor)
    earlier = None if kept is None else _read(kept.answers.get(b""))
    is_long = _pairs(cluster) > MOST_AT_ONCE
    if kept is not None and earlier is not None:
        is_long = is_long or kept.is_long
        found = ClusterUpgrade(earlier, kept.revision, kept.at)
        if kept.revision == cluster.revision:
            return found
        if is_long:
            if kept.revision == again:
                QUESTION.hand_over(cluster, target.minor)
            return found._replace(is_evaluating=QUESTION.progress(cluster, target.minor) is not None)
    if is_long:
        QUESTION.hand_over(cluster, target.minor)
        return ClusterUpgrade(None, cluster.revision, is_evaluating=True)
    try:
        return make_preview(cluster=cluster, target=target)
    except ChangingTooFastError as error:
        return ClusterUpgrade(KeptUpgrade(document=None, problem=encoded(error.problem)), cluster.revision)


def make_preview(*, cluster: Cluster, target: Release) -> ClusterUpgrade:
    """Find out what an upgrade changes in the cluster's present state, or ask a worker where there is no time for it.

    Raises WorkersAwayError and ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    with QUESTION.answered(cluster, target.minor, snapshot=snapshot) as answers:
        made = answers.of(b"", lambda: _made(cluster, snapshot, target, answers.check))
    if made is not None:
        return ClusterUpgrade(_read(made), revision_of(snapshot))
    if not answers.is_asked:
        raise WorkersAwayError
    return ClusterUpgrade(None, revision_of(snapshot), is_evaluating=True)


def _made(cluster: Cluster, snapshot: Snapshot, target: Release, alive: Callable[[], object]) -> dict[str, Any]:
    try:
        preview = preview_of_state(cluster=cluster, snapshot=snapshot, target=target, alive=alive)
    except ConfigurationError as error:
        made = KeptUpgrade(document=None, problem=encoded(error.problem), field=error.path)
    else:
        made = KeptUpgrade(document=upgrade_document(preview))
    found: dict[str, Any] = msgspec.to_builtins(made)
    return found


def _read(made: object) -> KeptUpgrade | None:
    try:
        return msgspec.convert(made, KeptUpgrade | None)
    except msgspec.ValidationError:
        # Another release kept it.
        return None


def _pairs(cluster: Cluster) -> int:
    return Node.objects.filter(cluster=cluster).count() * Pod.objects.filter(cluster=cluster).count()

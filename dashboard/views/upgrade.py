"""What an upgrade of a cluster's Kubernetes changes in scheduling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.views.decorators.http import require_safe

from clusters.documents.stored_problems import decoded
from clusters.documents.upgrade_words import (
    defaults_in_words,
    drains_headline_of,
    headline_of,
    notes_of,
    obstacles_in_words,
)
from clusters.documents.upgrades import UpgradeDocument, pod_groups_headline_of
from clusters.engine.upgrading import AnswerAspect
from clusters.services.evaluation import NOTICE, WorkersAwayError
from clusters.services.mirror.snapshots import release_of
from clusters.services.upgrading import later_releases, upgrade_of
from clusters.wording import lists
from clusters.wording.problems import both_sentences, placed_sentence
from clusters.wording.upgrades import differences as words
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import PageRequest, render_page
from dashboard.live.parts import live_part
from dashboard.presenters.upgrades import (
    FIRST_ROWS,
    MOST_ROWS,
    drains_figure,
    group_views,
    pod_group_rows,
    pool_views,
    upgrade_figure,
)
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster


class UpgradeParameters(Parameters):
    """``to``: the later minor, the newest where none is named; ``again``: the revision that is not wanted any more.

    ``rows``: the most that each table has.
    """

    to = forms.CharField(required=False, max_length=20)
    again = whole_number()
    rows = whole_number(least=FIRST_ROWS, most=MOST_ROWS)


@require_safe
@of_cluster
def upgrade(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show what changes when the cluster is upgraded to a later minor."""
    release = release_of(cluster)
    context = answer_context(cluster, request.GET) | {
        "before": release.minor,
        "targets": [each.minor for each in later_releases(release)],
    }
    response = render_page(request, "upgrade/page.html", "upgrade/_answer.html", context)
    response.status_code = 503 if context.get("is_away") else 200
    return response


@live_part(
    "upgrade.answer", template="upgrade/_answer.html", pages=["upgrade"], kinds=[NOTICE], parameters=["to", "rows"]
)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present what an upgrade changes, or that a worker finds out."""
    targets = later_releases(release_of(cluster))
    if not targets:
        return {"cluster": cluster, "no_later": words.NO_LATER}
    asked = UpgradeParameters.read(query)
    target = next((each for each in targets if each.minor == asked["to"]), targets[-1])
    context = {"cluster": cluster, "target": target.minor}
    try:
        found = upgrade_of(cluster=cluster, target=target, again=asked["again"])
    except WorkersAwayError as error:
        return {
            **context,
            "problem_title": words.NOT_EVALUATED,
            "problem": both_sentences(error.problem),
            "is_away": True,
        }
    context |= {"progress": words.IN_PROGRESS if found.is_evaluating else ""}
    if found.made is None:
        return context
    if found.made.document is None:
        problem = "" if found.made.problem is None else placed_sentence(decoded(found.made.problem), found.made.field)
        return {**context, "problem_title": words.NOT_EVALUATED, "problem": problem}
    is_old = found.at is not None and found.revision != cluster.revision
    told = {"revision": found.revision, "at": found.at, "is_old": is_old}
    return context | told | _view(cluster, found.made.document, asked["rows"] or FIRST_ROWS)


def _view(cluster: Cluster, document: UpgradeDocument, rows: int) -> dict[str, Any]:
    groups, reworded = group_views(cluster, document, rows)
    return {
        "headline": headline_of(document),
        "notes": notes_of(document),
        "obstacles": obstacles_in_words(document),
        "defaults": defaults_in_words(document),
        "figure": upgrade_figure(document) if document.differences else None,
        "groups": groups,
        "reworded": reworded,
        "reworded_word": words.ASPECTS[AnswerAspect.MESSAGE],
        "pod_groups": pod_groups_headline_of(document),
        "pod_group_rows": pod_group_rows(cluster, document, rows),
        "more_pod_groups": lists.and_more(len(document.pod_groups) - rows),
        "more_rows": MOST_ROWS if rows < MOST_ROWS else None,
        "drains": drains_headline_of(document),
        "drains_figure": drains_figure(document),
        "pools": pool_views(cluster, document, rows),
    }

"""What an upgrade of a cluster's Kubernetes changes in scheduling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clusters.documents.stored_problems import decoded
from clusters.documents.upgrade_drain_words import drains_headline_of
from clusters.documents.upgrade_pod_groups import pod_groups_headline_of
from clusters.documents.upgrade_words import defaults_in_words, headline_of, notes_of, obstacles_in_words
from clusters.models import Cluster
from clusters.services.mirror.configurations import release_of
from clusters.services.upgrading.asking import PreviewsAwayError, upgrade_of
from clusters.services.upgrading.targets import later_releases
from clusters.wording.problems import both_sentences, placed_sentence
from clusters.wording.upgrades import page as words
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import render_page, wants_fragment
from dashboard.presenters.upgrades.drains import drains_figure, pool_views
from dashboard.presenters.upgrades.page import group_views, upgrade_figure
from dashboard.presenters.upgrades.pod_groups import pod_group_rows
from dashboard.presenters.upgrades.rows import FIRST_ROWS, MOST_ROWS, rows_left

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.documents.upgrades import UpgradeDocument
    from clusters.engine.versions import Release
    from dashboard.http import PageRequest


class UpgradeParameters(Parameters):
    """``to``: the later minor, the newest where none is named; ``again``: the revision that is not wanted any more.

    ``rows``: the most that each table has.
    """

    to = forms.CharField(required=False, max_length=20)
    again = whole_number()
    rows = whole_number(least=FIRST_ROWS, most=MOST_ROWS)


@require_safe
def upgrade(request: PageRequest, cluster: str) -> HttpResponse:
    """Show what changes when the cluster is upgraded to a later minor."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    release = release_of(mirrored)
    targets = later_releases(release)
    context: dict[str, Any] = {"cluster": mirrored, "before": release.minor, "no_later": words.NO_LATER}
    status = 200
    if targets:
        asked = UpgradeParameters.read(request.GET)
        target = next((each for each in targets if each.minor == asked["to"]), targets[-1])
        context |= {"targets": [each.minor for each in targets], "target": target.minor}
        try:
            context |= _answer(mirrored, target, asked["again"], asked["rows"] or FIRST_ROWS)
        except PreviewsAwayError as error:
            context |= {"problem_title": words.NOT_EVALUATED, "problem": both_sentences(error.problem)}
            status = 503
    response = render_page(request, "upgrade/page.html", "upgrade/_answer.html", context)
    # htmx puts only what succeeded into the page.
    response.status_code = 200 if wants_fragment(request) else status
    return response


def _answer(cluster: Cluster, target: Release, again: int | None, rows: int) -> dict[str, Any]:
    found = upgrade_of(cluster=cluster, target=target, again=again)
    if found is None:
        return {"progress": words.IN_PROGRESS}
    if found.document is None:
        problem = "" if found.problem is None else placed_sentence(decoded(found.problem), found.field)
        return {"problem_title": words.NOT_EVALUATED, "problem": problem}
    is_old = found.revision != cluster.revision
    return {**_view(cluster, found.document, rows), "revision": found.revision, "is_old": is_old}


def _view(cluster: Cluster, document: UpgradeDocument, rows: int) -> dict[str, Any]:
    return {
        "headline": headline_of(document),
        "notes": notes_of(document),
        "obstacles": obstacles_in_words(document),
        "defaults": defaults_in_words(document),
        "figure": upgrade_figure(document) if document.differences else None,
        "groups": group_views(cluster, document, rows),
        "pod_groups": pod_groups_headline_of(document),
        "pod_group_rows": pod_group_rows(cluster, document, rows),
        "more_pod_groups": rows_left(len(document.pod_groups), rows),
        "more_rows": MOST_ROWS if rows < MOST_ROWS else None,
        "drains": drains_headline_of(document),
        "drains_figure": drains_figure(document),
        "pools": pool_views(cluster, document, rows),
    }

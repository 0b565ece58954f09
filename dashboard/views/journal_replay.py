"""A stretch of the journal scheduled again under another configuration, beside what was recorded."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.core.paginator import Paginator
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from clusters.services.journal.replays import MOST_DECISIONS, StretchError, StretchReplay, replay_of
from clusters.services.mirror.past import UnknownPastError, known_since
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import existing_nodes
from clusters.services.studies.asking import AS_IS, preset_configuration
from clusters.wording.amounts import grouped
from clusters.wording.journal import decisions as words
from clusters.wording.problems import both_sentences
from dashboard.filters.journal import TimeSpan
from dashboard.forms.journal_replay import NAMES, ReplayForm
from dashboard.http import PageRequest, render_page
from dashboard.pictures.verdict_map.pair import DrawnPair
from dashboard.pictures.verdict_map.spec import NodeAddresses
from dashboard.presenters.journal import timeline as presenter
from dashboard.presenters.runs.compare import SideAddresses, moves_view
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.models import Cluster


ROWS_PER_PAGE: Final = 50
# Offered where nobody has chosen a stretch.
_USUAL: Final = timedelta(hours=6)
# Where the page lists the decisions, those that differ first.
_DECISIONS: Final = "#replay-decisions"


@require_safe
@of_cluster
def journal_replay(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Ask for a stretch of the journal and a configuration, and show what the replay came to."""
    since = known_since(cluster)
    context: dict[str, Any] = {
        "cluster": cluster,
        "known": since,
        "never": str(words.NEVER_RECORDED),
        "most": grouped(MOST_DECISIONS),
        "zone": timezone.get_current_timezone_name(),
    }
    if since is None:
        return render(request, "journal/replay.html", context)
    if "preset" not in request.GET:
        asked, until = TimeSpan(request.GET).span()
        end = until or last_moment(cluster) or timezone.now()
        start = asked or max(since, end - _USUAL)
        initial = {"since": _whole_minute(start), "until": _whole_minute(end), "preset": AS_IS}
        return render(request, "journal/replay.html", {**context, "form": ReplayForm(initial=initial)})
    form = ReplayForm(request.GET)
    if form.is_valid():
        try:
            context |= _shown(request, cluster, form.cleaned_data)
        except StretchError as error:
            form.add_error(None, both_sentences(error.problem))
        except UnknownPastError:
            known = timezone.localtime(since).strftime("%Y-%m-%d %H:%M:%S")
            form.add_error("since", words.UNKNOWN_BEFORE(since=known))
    if "replay" in context:
        return render_page(request, "journal/replay.html", "journal/_replay_decisions.html", {**context, "form": form})
    return render(request, "journal/replay.html", {**context, "form": form}, status=400)


def _whole_minute(at: datetime) -> datetime:
    """Return the first whole minute from a moment on, as fields know no seconds."""
    begun = at.replace(second=0, microsecond=0)
    return begun if begun == at else begun + timedelta(minutes=1)


def _shown(request: PageRequest, cluster: Cluster, asked: dict[str, Any]) -> dict[str, Any]:
    preset = asked["preset"]
    replay = replay_of(
        cluster=cluster,
        start=asked["since"],
        end=asked["until"],
        configuration=preset_configuration(cluster, preset),
        name=preset,
    )
    page = Paginator(presenter.in_order(replay), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    workloads, more_workloads = presenter.workloads(cluster, replay)
    return {
        "replay": replay,
        "summary": presenter.summary(replay),
        "share": presenter.share(replay) if preset == AS_IS else "",
        "notes": presenter.notes(replay),
        "workloads": workloads,
        "more_workloads": more_workloads,
        "page": page,
        "rows": presenter.rows(page, cluster.name),
        "configuration": NAMES[preset],
        **_moves(request, cluster, replay, str(NAMES[preset])),
    }


def _moves(request: PageRequest, cluster: Cluster, replay: StretchReplay, name: str) -> dict[str, Any]:
    """Return the two maps, and the address to which a choice of a workload is added."""
    address = _addresses(cluster, replay)
    titles = str(words.RECORDED), name
    moves = moves_view(replay.moved, titles, request.GET.get("workload", ""), (address, address))
    kept = [(key, request.GET[key]) for key in ("since", "until", "preset")]
    return {
        "moves": moves,
        "none_elsewhere": "" if moves else words.NONE_ELSEWHERE,
        "pair": None if moves is None else DrawnPair("moves-map", moves.pair),
        "address": f"{reverse('journal-replay', kwargs={'cluster': cluster.name})}?{urlencode(kept)}",
        "kept": kept,
    }


def _addresses(cluster: Cluster, replay: StretchReplay) -> SideAddresses:
    """Return where the maps lead: to nodes that the cluster still has, and to the decisions that differ."""
    names = {node.name for node in replay.moved.nodes}
    begin = reverse("nodes", kwargs={"cluster": cluster.name})
    nodes = NodeAddresses(begin, "/", frozenset(names - set(existing_nodes(cluster, names))))
    return SideAddresses(nodes, _DECISIONS, _DECISIONS)

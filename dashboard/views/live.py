"""Live clusters: adding one, how it is doing, and another name for any; and live parts of pages, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.db import IntegrityError
from django.http import Http404, HttpResponse, HttpResponseGone
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clusters.adapters.kube import BadConnectionError
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.watching.connections import add_live_cluster, rename_cluster
from clusters.wording import clusters as clusters_words
from clusters.wording.clusters import RENAMED
from clusters.wording.problems import both_sentences
from dashboard.access import audit
from dashboard.forms.live_clusters import LiveClusterForm, NameForm, Offer, offer
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.live.rendering import render as render_part
from dashboard.live.topics import GoneError, RefusedError, check, topic_of
from dashboard.presenters.shared.page import unanswered
from dashboard.reader_zone import zone_of
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from clusters.models import Cluster
    from dashboard.http import PageRequest


def _added(form: LiveClusterForm, offered: Offer) -> Cluster | None:
    """Add the cluster of a valid form; without one, the form says why."""
    choice = offered.choices[form.cleaned_data["connection"]]
    try:
        return add_live_cluster(name=form.cleaned_data["name"], kubeconfig=choice.kubeconfig, context=choice.context)
    except BadConnectionError as error:
        form.add_error("connection", both_sentences(error.problem))
    except IntegrityError:
        form.add_error("name", clusters_words.NAME_TAKEN(name=form.cleaned_data["name"]))
    return None


@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: PageRequest) -> HttpResponse:
    """Add a cluster that is followed live."""
    offered = offer()
    form = LiveClusterForm(offered, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (cluster := _added(form, offered)):
        audit.note(request, audit.Action.FOLLOWED, cluster=cluster.name)
        return redirect("cluster", cluster=cluster.name)
    return render(request, "live/follow.html", {"form": form, "offer": offered}, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def rename(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Give a cluster another name."""
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": cluster.name})
    if request.method == "POST" and form.is_valid():
        try:
            old = cluster.name
            rename_cluster(cluster=cluster, name=form.cleaned_data["name"])
        except IntegrityError:
            form.add_error("name", clusters_words.NAME_TAKEN(name=form.cleaned_data["name"]))
        else:
            audit.note(request, audit.Action.RENAMED, cluster=old, subject=cluster.name)
            messages.success(request, RENAMED(old=old, new=cluster.name))
            return redirect("cluster", cluster=cluster.name)
    return render(
        request, "clusters/rename.html", {"form": form, "cluster": cluster}, status=400 if form.errors else 200
    )


class PartParameters(Parameters):
    """The cluster's primary key, and the address of the page that the part stands on."""

    cluster = whole_number()
    page = forms.CharField(required=False)


@require_safe
def part(request: PageRequest, part: str) -> HttpResponse:
    """Answer with one live part as the websocket would bring it, for pages that have none: `cluster` and `page`."""
    given = PartParameters.read(request.GET)
    try:
        topic = topic_of(part, given["cluster"] or 0, given["page"], zone_of(request.COOKIES))
        check(topic, request.user)
        return HttpResponse(render_part(topic).html)
    except RefusedError as refusal:
        raise Http404(str(refusal)) from None
    except GoneError:
        return HttpResponseGone()
    except ChangingTooFastError as error:
        return HttpResponse(unanswered(error), status=503, content_type="text/plain; charset=utf-8")

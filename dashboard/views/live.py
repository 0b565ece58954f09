"""Live clusters: adding one, how it is doing, and another name for any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import IntegrityError
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clusters.adapters.kube.port import BadConnectionError
from clusters.models import Cluster
from clusters.services.connections import add_live_cluster, rename_cluster
from clusters.services.status import watch_states
from dashboard.live_forms import LiveClusterForm, NameForm, Offer, offer
from dashboard.permissions import changes_clusters
from dashboard.presenters.live import live_status

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest

_TAKEN = "Somebody took this name a moment ago. Take another one."


def _added(form: LiveClusterForm, offered: Offer) -> Cluster | None:
    """Add the cluster of a valid form; without one, the form says why."""
    choice = offered.choices[form.cleaned_data["connection"]]
    try:
        return add_live_cluster(name=form.cleaned_data["name"], kubeconfig=choice.kubeconfig, context=choice.context)
    except BadConnectionError as error:
        form.add_error("connection", str(error))
    except IntegrityError:
        form.add_error("name", _TAKEN)
    return None


@require_http_methods(["GET", "HEAD", "POST"])
@changes_clusters
def follow(request: PageRequest) -> HttpResponse:
    """Add a cluster that is followed live."""
    offered = offer()
    form = LiveClusterForm(offered, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (cluster := _added(form, offered)):
        return redirect("cluster", cluster=cluster.name)
    return render(request, "live/follow.html", {"form": form, "offer": offered}, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@changes_clusters
def rename(request: PageRequest, cluster: str) -> HttpResponse:
    """Give a cluster another name."""
    found = get_object_or_404(Cluster, name=cluster)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": found.name})
    if request.method == "POST" and form.is_valid():
        try:
            rename_cluster(cluster=found, name=form.cleaned_data["name"])
        except IntegrityError:
            form.add_error("name", _TAKEN)
        else:
            messages.success(
                request, f"{cluster} is called {found.name} now. Addresses with the old name lead nowhere."
            )
            return redirect("cluster", cluster=found.name)
    return render(request, "clusters/rename.html", {"form": form, "cluster": found}, status=400 if form.errors else 200)


@never_cache
@require_safe
def status(request: PageRequest, cluster: str) -> HttpResponse:
    """Answer with the part of the overview that says how the following goes."""
    found = get_object_or_404(Cluster, name=cluster)
    state = watch_states([found]).get(found.pk)
    if state is None:
        raise Http404(f"{cluster} is not followed live.")
    live = live_status(state.lease, state.kinds, now=timezone.now())
    return render(request, "live/_status.html", {"live": live, "cluster": found})

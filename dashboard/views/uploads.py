"""Uploading a dump and following its ingest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clusters.adapters.bad_input import BadInput
from clusters.services.ingest import ingest as ingest_runs
from clusters.services.ingest.uploads import receive
from clusters.wording import clusters as words
from clusters.wording.amounts import BINARY_UNITS
from clusters.wording.problems import input_sentence
from dashboard.access import audit
from dashboard.forms.live_clusters import DumpForm, NewClusterForm
from dashboard.presenters.clusters import ingest_view
from dashboard.presenters.dump_command import dump_command, optional_command
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from clusters.models import Cluster, Ingest
    from dashboard.http import PageRequest


def _wants_json(request: PageRequest) -> bool:
    """Tell the page's script, which shows the bytes go, from a browser that just sent the form."""
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def _started(form: DumpForm) -> Ingest | None:
    """Start the ingest of a valid form's file; without one, the form says why."""
    try:
        return receive(cluster=form.target, file=form.cleaned_data["file"])
    except BadInput as error:
        form.add_error(None, input_sentence(error.problem, **error.place))
    except IntegrityError:
        form.add_error("name", words.NAME_TAKEN(name=form.cleaned_data["name"]))
    return None


def _answer(request: PageRequest, form: DumpForm, cluster: Cluster | None) -> HttpResponse:
    """Start the ingest of a valid form's file, or show the form with what is wrong."""
    if request.method == "POST" and form.is_valid() and (run := _started(form)):
        audit.note(request, audit.Action.UPLOADED, cluster=run.cluster_name, subject=run.file_name)
        location = reverse("ingest", kwargs={"cluster": run.cluster_name, "pk": run.pk})
        return JsonResponse({"location": location}, status=201) if _wants_json(request) else redirect(location)
    if request.method == "POST" and _wants_json(request):
        problems = [str(problem) for field in form.errors.values() for problem in field]
        return JsonResponse({"error": " ".join(problems)}, status=400)
    context = {
        "form": form,
        "cluster": cluster,
        "units": " ".join(BINARY_UNITS),
        "limit_bytes": settings.BERTH_UPLOAD_LIMIT_BYTES,
        "core_command": dump_command(),
        "optional_command": optional_command(),
    }
    return render(request, "uploads/upload.html", context, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: PageRequest) -> HttpResponse:
    """Take the first dump of a new cluster."""
    form = NewClusterForm(request.POST, request.FILES) if request.method == "POST" else NewClusterForm()
    return _answer(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def upload_newer(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Take a newer dump of a cluster that is mirrored already."""
    form = DumpForm(request.POST, request.FILES) if request.method == "POST" else DumpForm()
    form.target = cluster
    return _answer(request, form, cluster)


def _found(cluster: str, pk: int) -> Ingest:
    run = ingest_runs.find(cluster=cluster, pk=pk)
    if run is None:
        raise Http404
    return run


@require_safe
def ingest(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Show where one ingest stands."""
    run = _found(cluster, pk)
    return render(request, "uploads/ingest.html", {"ingest": run, "view": ingest_view(run)})


@require_safe
def progress(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Answer with the fragment alone, for pages that no websocket reaches."""
    run = _found(cluster, pk)
    return render(request, "uploads/_progress.html", {"ingest": run, "view": ingest_view(run)})


@require_POST
def cancel(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Stop reading a dump."""
    run = _found(cluster, pk)
    if not ingest_runs.cancel(run) and not run.is_finished:
        messages.info(request, words.ALREADY_WRITTEN(file=run.file_name))
    return redirect("ingest", cluster=cluster, pk=pk)

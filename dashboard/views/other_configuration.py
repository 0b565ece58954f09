"""What would change under another configuration: named presets, or the present configuration edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from clusters.services.mirror.snapshots import release_of
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies.asking import create_sweep
from clusters.wording.problems import both_sentences
from clusters.wording.runs import changes
from dashboard.forms.runs.other_configuration import OFFERED, OtherConfigurationForm
from dashboard.limits.queued_work import refuse_too_much
from dashboard.views.configuration import written_down
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.models import Cluster
    from dashboard.http import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def other_configuration(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Ask for another configuration, and simulate the cluster with the present one and with it."""
    preset = request.GET.get("preset", "")
    initial = {"configuration": written_down(cluster)}
    if preset in OFFERED:
        initial["preset"] = preset
    form = OtherConfigurationForm(release_of(cluster), request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            refuse_too_much(request.user)
            made = create_sweep(
                cluster=cluster,
                spec=read_spec(form.spec()),
                variants=form.variants(),
                title=changes.preset_title(form.cleaned_data["preset"], form.minor()),
                user=request.user,
            )
            return redirect("study", pk=made.pk)
        except SpecError as error:
            form.add_error(None, both_sentences(error.problem, line=error.line))
    context = {"cluster": cluster, "form": form, "presets": form.meanings()}
    return render(request, "configuration/what_if.html", context, status=400 if form.errors else 200)

"""How a live cluster's scheduler is configured: which profiles are assumed, and another configuration for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from clusters.adapters.bad_input import BadInput
from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.configurations import MOST_BYTES, configure_from_text, use_default_configuration
from clusters.services.explain import configuration_of
from dashboard.permissions import changes_clusters, may_change_clusters

if TYPE_CHECKING:
    from django.http import QueryDict

    from clusters.engine import Profile
    from dashboard.http import PageRequest


class ConfigurationForm(forms.Form):
    """A KubeSchedulerConfiguration as text."""

    text = forms.CharField(
        label="KubeSchedulerConfiguration",
        help_text="In YAML or JSON, as kube-scheduler's --config takes it.",
        max_length=MOST_BYTES,
        strip=False,
        error_messages={"required": "Paste the configuration, or go back to the defaults."},
        widget=forms.Textarea(
            attrs={"class": "form-control code", "rows": 18, "spellcheck": "false", "autocomplete": "off"}
        ),
    )

    def __init__(self, data: QueryDict | None = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        self.fields["text"].widget.attrs["aria-describedby"] = "id_text_helptext"


@require_http_methods(["GET", "HEAD", "POST"])
def configuration(request: PageRequest, cluster: str) -> HttpResponse:
    """Show the profiles by which a live cluster's pods are explained, and take others."""
    found = get_object_or_404(Cluster, name=cluster)
    if not found.is_live:
        raise Http404(f"{cluster} is mirrored from dumps, which bring their configuration along.")
    if request.method == "POST":
        return _change(request, found)
    return _page(request, found, ConfigurationForm(initial={"text": _written_down(found)}))


@changes_clusters
def _change(request: PageRequest, cluster: Cluster) -> HttpResponse:
    if "default" in request.POST:
        use_default_configuration(cluster=cluster)
        messages.success(request, f"{cluster.name} is explained by kube-scheduler's defaults.")
        return redirect("cluster-configuration", cluster=cluster.name)
    form = ConfigurationForm(request.POST)
    if form.is_valid():
        try:
            configure_from_text(cluster=cluster, text=form.cleaned_data["text"])
        except BadInput as error:
            form.add_error("text", str(error))
        else:
            messages.success(
                request, f"{cluster.name} is explained, and its decisions are judged, by this from now on."
            )
            return redirect("cluster-configuration", cluster=cluster.name)
    return _page(request, cluster, form, status=400)


def _page(request: PageRequest, cluster: Cluster, form: ConfigurationForm, *, status: int = 200) -> HttpResponse:
    profiles: tuple[Profile, ...] = ()
    problem = ""
    try:
        profiles = tuple(configuration_of(cluster).profiles)
    except ConfigurationError as error:
        problem = str(error)
    context = {
        "cluster": cluster,
        "form": form,
        "profiles": [
            {
                "name": profile.scheduler_name,
                "filters": ", ".join(profile.filter),
                "scores": ", ".join(f"{plugin} ({profile.weights[plugin]})" for plugin in profile.score),
            }
            for profile in profiles
        ],
        "problem": problem,
        "is_default": cluster.chosen_configuration is None,
        "may_change": may_change_clusters(request.user),
    }
    return render(request, "clusters/configuration.html", context, status=status)


def _written_down(cluster: Cluster) -> str:
    document = cluster.chosen_configuration
    return "" if document is None else yaml.safe_dump(document, sort_keys=False)

"""How a cluster's scheduler is configured: the profiles in force, who uses them, and another configuration for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clusters.adapters.bad_input import BadInput
from clusters.adapters.schema.checking import Lines, line_named
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.configuration import compare_configurations, compare_profiles, spelled_out
from clusters.models import Cluster, Node
from clusters.services.files import MOST_BYTES, plugins_disabled_in_vain, read_configuration_text, translation_of_text
from clusters.services.ingest.configurations import (
    configure_from_text,
    set_feature_gates,
    use_default_configuration,
    use_default_feature_gates,
)
from clusters.services.mirror.snapshots import (
    Origin,
    configuration_of,
    document_of,
    gates_of,
    origin_of,
    release_of,
    scheduler_uses,
)
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies.asking import create_sweep
from clusters.wording import configuration as configuration_words, releases as releases_words
from clusters.wording.configuration import UNKNOWN_DISABLED, extender_sentences
from clusters.wording.lists import listed
from clusters.wording.problems import both_sentences, problem_sentence, remedy_sentence
from clusters.wording.runs import changes
from dashboard.access import audit
from dashboard.access.rights import may_change_clusters
from dashboard.forms.runs.studies import OFFERED, OtherConfigurationForm
from dashboard.limits.computing import refuse_too_much
from dashboard.live.parts import live_part
from dashboard.presenters import configuration as presenter
from dashboard.presenters.shared.page import unanswered
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from django.utils.datastructures import MultiValueDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest

# Where nothing was given yet, writing starts from this.
_BEGINNING = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
"""
_LINES_AROUND = 2


class ConfigurationForm(forms.Form):
    """A KubeSchedulerConfiguration as text, or as a file, which then counts instead of the text."""

    text = forms.CharField(
        label="KubeSchedulerConfiguration",
        help_text=configuration_words.TEXT_HELP,
        max_length=MOST_BYTES,
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "class": "form-control code",
                "rows": 16,
                "spellcheck": "false",
                "autocomplete": "off",
                "data-editor": "yaml",
                "aria-describedby": "id_text_helptext",
            }
        ),
    )
    file = forms.FileField(
        label=configuration_words.FILE_LABEL,
        required=False,
        widget=forms.FileInput(attrs={"class": "form-control", "accept": ".yaml,.yml,.json"}),
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        files: MultiValueDict[str, Any] | None = None,
        *,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, files, initial=initial, label_suffix="")

    def clean(self) -> dict[str, Any]:
        """Put the file's text in the place of what was written."""
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if file is not None:
            if file.size > MOST_BYTES:
                raise forms.ValidationError(configuration_words.FILE_TOO_LONG(size=file.size, most=MOST_BYTES))
            cleaned["text"] = file.read().decode(errors="replace")
        if not (cleaned.get("text") or "").strip():
            raise forms.ValidationError(str(configuration_words.NOTHING_GIVEN))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def configuration(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the profiles by which a cluster's pods are explained, and take others."""
    if request.method == "POST":
        return _change(request, cluster)
    return _page(request, cluster, ConfigurationForm(initial={"text": written_down(cluster)}))


def _change(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Go back to what was in force, or check what was written, and keep it once its changes were seen."""
    if "default" in request.POST:
        use_default_configuration(cluster=cluster)
        return _changed(request, cluster, str(configuration_words.GIVEN_ONE_REMOVED))
    if "gates" in request.POST:
        return _set_gates(request, cluster)
    form = ConfigurationForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, cluster, form, status=400)
    text = form.cleaned_data["text"]
    release = release_of(cluster)
    try:
        if "use" in request.POST:
            configure_from_text(cluster=cluster, text=text)
            return _changed(request, cluster, str(configuration_words.NEW_ONE_IN_FORCE))
        proposed = read_configuration_text(text, release)
    except BadInput as error:
        extra = {"fault": _fault(error, text)}
        return _page(request, cluster, ConfigurationForm(initial={"text": text}), extra, status=400)
    unknown = plugins_disabled_in_vain(text, release)
    remark = (
        UNKNOWN_DISABLED(number=len(unknown), names=listed(unknown), minor=proposed.release.minor) if unknown else ""
    )
    translation = translation_of_text(text, release)
    extra = {
        "proposal": {
            "text": text,
            "changes": _changes(cluster, proposed),
            "remark": remark,
            "translation": presenter.translated(translation) if translation is not None else None,
        }
    }
    return _page(request, cluster, ConfigurationForm(initial={"text": text}), extra)


def _set_gates(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Set the feature gates, or go back to those that the dump brought along or that are the defaults."""
    try:
        if request.POST["gates"] == "default":
            use_default_feature_gates(cluster=cluster)
        else:
            set_feature_gates(cluster=cluster, settings=presenter.posted_settings(request.POST.dict()))
    except BadInput as error:
        fault = {"problem": problem_sentence(error.problem), "remedy": remedy_sentence(error.problem)}
        form = ConfigurationForm(initial={"text": written_down(cluster)})
        return _page(request, cluster, form, {"gates_fault": fault}, status=400)
    return _changed(request, cluster, str(releases_words.GATES_IN_FORCE))


def _changed(request: PageRequest, cluster: Cluster, what: str) -> HttpResponse:
    audit.note(request, audit.Action.CONFIGURED, cluster=cluster.name, subject=what)
    messages.success(request, what)
    return redirect("cluster-configuration", cluster=cluster.name)


def _fault(error: BadInput, text: str) -> dict[str, Any]:
    """Say what is wrong, and show the lines around it."""
    line = line_named(error.problem) or (Lines(text).of(error.field) if error.field else 0)
    problem, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
    lines = text.splitlines()
    around = range(max(1, line - _LINES_AROUND), min(len(lines), line + _LINES_AROUND) + 1) if line else ()
    return {
        "problem": problem,
        "remedy": remedy,
        "field": error.field,
        "line": line,
        # As static/js/editor.js marks them.
        "marks": [[line, error.field, problem, remedy]],
        "lines": [{"number": number, "text": lines[number - 1], "is_meant": number == line} for number in around],
    }


def _changes(cluster: Cluster, proposed: SchedulerConfiguration) -> list[tuple[str, str, str, str]] | None:
    """Return what would change; None where the present configuration cannot be read."""
    try:
        present = configuration_of(cluster)
    except ConfigurationError:
        return None
    default = SchedulerConfiguration.default(proposed.release).profiles[0]
    new = {profile.scheduler_name: compare_profiles(default, profile) for profile in proposed.profiles}
    pods = {use.name: use.pods for use in scheduler_uses(cluster)}
    return list(presenter.configuration_changes(compare_configurations(present, proposed), new, pods))


def _page(
    request: PageRequest,
    cluster: Cluster,
    form: ConfigurationForm,
    extra: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    where, release = origin_of(cluster), release_of(cluster)
    context = {
        "gates": presenter.gate_rows(release, gates_of(cluster)),
        "gates_origin": presenter.gates_origin(cluster, release.minor),
        "gates_differ": presenter.differing(cluster),
        "gates_refused": presenter.refused(cluster, release.minor),
        "gates_changed": releases_words.changed_gates(release.changed_gates),
        "are_gates_chosen": cluster.chosen_feature_gates is not None,
        "cluster": cluster,
        "form": form,
        "origin": presenter.origin(cluster, where),
        "is_chosen": where is Origin.CHOSEN,
        "is_given": where is not Origin.DEFAULT,
        "restore": (
            str(configuration_words.RESTORED_DUMP)
            if cluster.scheduler_configuration is not None
            else str(configuration_words.RESTORED_DEFAULTS)
        ),
        "may_change": may_change_clusters(request.user, cluster.pk),
        **(extra or {}),
    }
    try:
        context |= _in_force(cluster, configuration_of(cluster), request.GET.get("profile", ""))
        context |= pods_context(cluster, request.GET)
    except ConfigurationError as error:
        context["unreadable"] = unanswered(error)
    return render(request, "configuration/page.html", context, status=status)


def _in_force(cluster: Cluster, found: SchedulerConfiguration, asked: str) -> dict[str, Any]:
    """Present what is in force: one profile in full, and what holds for all of them."""
    default = SchedulerConfiguration.default(found.release)
    differences = {profile.scheduler_name: compare_profiles(default.profiles[0], profile) for profile in found.profiles}
    profile = next((each for each in found.profiles if each.scheduler_name == asked), found.profiles[0])
    difference = differences[profile.scheduler_name]
    return {
        "minor": found.release.minor,
        "other_minor": _other_minor(cluster, found.release.minor),
        "profiles": found.profiles,
        "changed_profiles": [name for name, each in differences.items() if not each.is_empty],
        "profile": profile,
        "changes": list(presenter.profile_changes(difference)),
        "points": presenter.POINTS,
        "matrix": presenter.matrix(profile, difference),
        "settings": presenter.setting_rows(setting for setting in difference.settings if setting.plugin),
        "whole": presenter.setting_rows(
            (
                *(setting for setting in difference.settings if not setting.plugin),
                *compare_configurations(default, found).settings,
            )
        ),
        "sampling": presenter.sampling(
            profile.percentage_of_nodes_to_score, Node.objects.filter(cluster=cluster).count()
        ),
        "extenders": [extender_sentences(each) for each in found.extenders],
    }


def _other_minor(cluster: Cluster, minor: str) -> str:
    """Return the cluster's version where its minor is not the one whose defaults are known here."""
    version = cluster.kube_version
    return version if version and not version.removeprefix("v").startswith(f"{minor}.") else ""


@live_part(
    "configuration.pods", template="configuration/_pods.html", pages=["cluster-configuration"], kinds=["Pod"], ages=None
)
def pods_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present which pods use which profile."""
    return {
        "cluster": cluster,
        "uses": presenter.use_rows(configuration_of(cluster), scheduler_uses(cluster)),
    }


@require_safe
@of_cluster
def download(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the configuration in force as a file: as it was given, or with every default written out (`?full=1`)."""
    try:
        present = configuration_of(cluster)
    except ConfigurationError as error:
        raise Http404(unanswered(error)) from None
    given = document_of(cluster)
    document = given if given is not None and "full" not in request.GET else spelled_out(present)
    return HttpResponse(
        yaml.safe_dump(document, sort_keys=False),
        content_type="application/yaml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{cluster.name}-scheduler.yaml"'},
    )


def written_down(cluster: Cluster) -> str:
    """Return the configuration of a cluster as somebody may edit it."""
    document = document_of(cluster)
    return _BEGINNING if document is None else yaml.safe_dump(document, sort_keys=False)


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

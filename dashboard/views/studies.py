"""Studies: the list, one with its parts, and the sweep of a run over several changes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clusters.documents.words import note_in_words
from clusters.engine import ConfigurationError
from clusters.engine.owners import Workload
from clusters.engine.problems import NoPodToCopy
from clusters.engine.workloads import with_own_claims
from clusters.models import SimulationRun, Study, StudyPart
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies import asking as services
from clusters.services.studies.asking import (
    create_headroom,
    create_nodes_needed,
    create_removable,
    create_sweep,
    labelled_runs,
)
from clusters.services.workloads import workloads_of
from clusters.services.workloads.owners import sample_of
from clusters.wording.problems import both_sentences
from clusters.wording.runs import changes, comparing as words, progress as progress_words, summary as titles
from dashboard.access.rights import may_end, visible
from dashboard.forms.parameters import Parameters
from dashboard.forms.runs.base import CHANGE, Known, listed
from dashboard.forms.runs.studies import HeadroomForm, NeededForm, SweepForm, sized
from dashboard.limits.computing import refuse_too_much
from dashboard.lists.files import csv_file
from dashboard.presenters.runs import compare as presenter
from dashboard.presenters.runs.listing import change_sentence, like_pod, offers_of
from dashboard.presenters.shared.page import unanswered
from dashboard.views.of_cluster import of_cluster
from dashboard.views.run import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.models import Cluster
    from dashboard.http import PageRequest

STUDIES_PER_PAGE = 25
# What files have.
SWEEP_COLUMNS = ("configuration", "state", "placed", "newly pending", "nodes in use", "CPU requested", "largest skew")
REMOVAL_COLUMNS = ("node", "requested", "removable", "why not")
PART_COLUMNS = ("shape", "state", "answer", "what stops more")


class ListParameters(Parameters):
    """The cluster whose studies are listed, all where none is named."""

    cluster = forms.SlugField(required=False)


@require_safe
def studies(request: PageRequest) -> HttpResponse:
    """List all studies, or those of one cluster."""
    every = visible(Study.objects.select_related("cluster", "created_by").defer("spec"), request.user)
    cluster = ListParameters.read(request.GET)["cluster"]
    if cluster:
        every = every.filter(cluster__name=cluster)
    page = Paginator(every, STUDIES_PER_PAGE).get_page(request.GET.get("page"))
    shown = list(page)
    states = _states(shown)
    rows = [presenter.study_row(study, states[study.pk]) for study in shown]
    return render(request, "studies/list.html", {"rows": rows, "page": page, "of": cluster})


def _states(shown: Iterable[Study]) -> dict[int, list[str]]:
    keys = [study.pk for study in shown]
    states: dict[int, list[str]] = defaultdict(list)
    for model in (StudyPart, SimulationRun):
        for study, state in model._default_manager.filter(study__in=keys).values_list("study", "state"):
            states[study].append(state)
    return states


def _study(request: PageRequest, pk: int) -> Study:
    rows = Study.objects.select_related("cluster", "base", "created_by")
    found = get_object_or_404(rows, pk=pk)
    if found.cluster is not None:
        request.framed_cluster = found.cluster.name
    if found.kind == Study.Kind.SWEEP:
        request.framed_section = "run"
    return found


def answers_context(found: Study) -> dict[str, Any]:
    """Present the parts of a study, or the runs of a sweep."""
    kind = Study.Kind(found.kind)
    run = found.spec.get("run") or {}
    context: dict[str, Any] = {
        "study": found,
        "cluster": found.cluster,
        "kind": words.KINDS[kind],
        "notes": list(map(note_in_words, run.get("notes", []))),
        "changes": [change_sentence(each) for each in run.get("changes", [])],
        "revision": found.base.revision if found.base else None,
    }
    if kind is Study.Kind.SWEEP:
        runs = labelled_runs(found)
        states = [run.state for _, run in runs]
        context["sweep"] = presenter.sweep_rows(runs)
        context["pair"] = presenter.pair_of(runs)
    else:
        answered = list(found.parts.all())
        states = [part.state for part in answered]
        if kind is Study.Kind.REMOVABLE and answered and answered[0].result:
            context["removal"] = presenter.removal(answered[0].result)
        elif kind is Study.Kind.REMOVABLE:
            context["parts"] = [presenter.part_view(part, kind) for part in answered if part.error]
        else:
            context["parts"] = [presenter.part_view(part, kind) for part in answered]
    context["is_over"] = presenter.state_of(states) in ("done", "failed")
    context["progress"] = presenter.progress_sentence(states)
    context["done"], context["total"] = sum(state not in ("queued", "running") for state in states), len(states)
    return context


@require_safe
def study(request: PageRequest, pk: int) -> HttpResponse:
    """Show one study."""
    found = _study(request, pk)
    return render(request, "studies/study.html", {**answers_context(found), "may_end": may_end(request.user, found)})


@require_safe
def progress(request: PageRequest, pk: int) -> HttpResponse:
    """Answer with the answers so far, for a page that stands already."""
    context = answers_context(_study(request, pk))
    if context["is_over"]:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "studies/_answers.html", context)


@require_safe
def study_csv(request: PageRequest, pk: int) -> HttpResponse:
    """Return the answers as a file."""
    found = _study(request, pk)
    context = answers_context(found)
    name = f"study-{pk}"
    if "sweep" in context:
        rows = [
            (row.label, row.badge[0], row.placed, row.newly_pending, row.nodes_in_use, row.cpu, row.skew)
            for row in context["sweep"]
        ]
        return csv_file(name, SWEEP_COLUMNS, rows)
    if "removal" in context:
        return csv_file(name, REMOVAL_COLUMNS, presenter.removal_cells(found.parts.get().result or {}))
    parts = context.get("parts", [])
    answers = [(part.label, part.badge[0], part.sentence, part.stop) for part in parts]
    return csv_file(name, PART_COLUMNS, answers)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest, pk: int) -> HttpResponse:
    """Ask once, then delete a study with its parts and runs."""
    found = _study(request, pk)
    if not may_end(request.user, found):
        raise PermissionDenied
    if request.method != "POST":
        return render(request, "studies/delete.html", {"study": found})
    services.delete(found)
    messages.success(request, progress_words.DELETED(title=found.title))
    return redirect("studies")


@require_http_methods(["GET", "HEAD", "POST"])
def sweep_new(request: PageRequest, pk: int) -> HttpResponse:
    """Ask under which configurations a run is to be tried, and order them."""
    run = run_of(pk, request)
    form = SweepForm(request.POST or None, prefix="sweep", initial={"built_in": ["as-is", "most-allocated"]})
    if request.method == "POST" and form.is_valid():
        try:
            refuse_too_much(request.user)
            made = create_sweep(
                cluster=run.cluster,
                spec=read_spec(run.spec),
                variants=form.cleaned_data["variants"],
                title=changes.STUDY_TITLE(simulation=run.title)[:200],
                user=request.user,
            )
            return redirect("study", pk=made.pk)
        except SpecError as error:
            form.add_error(None, both_sentences(error.problem, line=error.line))
    status = 400 if form.errors else 200
    return render(request, "studies/sweep.html", {"run": run, "form": form}, status=status)


_ASKED = ("headroom", "needed", "removable")


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def headroom(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the three questions, and ask the one whose button was pressed."""
    asked = request.POST.get("ask", "") if request.method == "POST" else ""
    offers = offers_of(cluster)
    first = {"workloads": request.GET.get("workload", "")}
    forms: dict[str, Any] = {
        "headroom": HeadroomForm(request.POST, prefix="headroom", offers=offers)
        if asked == "headroom"
        else HeadroomForm(prefix="headroom", offers=offers, initial=first),
        "needed": NeededForm(request.POST, prefix="needed", offers=offers)
        if asked == "needed"
        else NeededForm(prefix="needed", offers=offers),
    }
    problem = ""
    if asked in _ASKED and (asked == "removable" or forms[asked].is_valid()):
        try:
            return redirect("study", pk=_headroom_study(request, cluster, asked, forms).pk)
        except SpecError as error:
            said = both_sentences(error.problem, line=error.line)
            form = forms.get(asked)
            if form is not None and error.field in form.fields:
                form.add_error(error.field, said)
            else:
                problem = said
        except (ConfigurationError, ChangingTooFastError) as error:
            problem = unanswered(error)
    context = {
        "cluster": cluster,
        "forms": forms,
        "problem": problem,
        "offers_lists": offers.lists(),
    }
    is_wrong = bool(problem or any(form.errors for form in forms.values()))
    return render(request, "studies/headroom.html", context, status=400 if is_wrong else 200)


def _headroom_study(request: PageRequest, cluster: Cluster, asked: str, forms: dict[str, Any]) -> Study:
    """Order what was asked. Raises SpecError."""
    refuse_too_much(request.user)
    if asked == "removable":
        title = str(titles.REMOVABLE_NODES)
        return create_removable(cluster=cluster, spec=_spec(()), title=title, user=request.user)
    given = forms[asked].cleaned_data
    if asked == "headroom":
        gang = {"gang": given["gang"]} if given.get("gang") else {}
        shapes = [{**shape, **gang} for shape in _shapes(cluster, given)]
        title = titles.HEADROOM_OF_SHAPES(shapes=len(shapes))
        if given["is_mix"]:
            shapes = [{"mix": [each for shape in shapes for each in shape["mix"]]}]
            title = str(titles.HEADROOM_OF_MIX)
        elif len(shapes) == 1:
            title = titles.HEADROOM_OF(pods=shapes[0]["label"])
        return create_headroom(
            cluster=cluster, spec=_spec((), given["notes"]), shapes=shapes, title=title, user=request.user
        )
    if given.get("of"):
        kind, namespace, name = given["of"]
        changes = [{CHANGE: "scale", "kind": kind, "namespace": namespace, "name": name, "by": given["count"]}]
        _check(cluster, "workload", changes[0])
        title = titles.NODES_FOR_REPLICAS(replicas=given["count"], workload=f"{namespace}/{name}")
    else:
        changes = [{CHANGE: "add-workload", "text": given["manifest"]}]
        title = str(titles.NODES_FOR_MANIFEST)
    names = ("like", "cpu", "memory")
    template: dict[str, Any] = {name: given[name] for name in names if given.get(name)}
    _check(cluster, "like", {CHANGE: "add-nodes", **template})
    if given.get("zones"):
        template["zones"] = listed(given["zones"])
    return create_nodes_needed(
        cluster=cluster, spec=_spec(changes), templates=[template], title=title, user=request.user
    )


def _check(cluster: Cluster, field: str, change: dict[str, Any]) -> None:
    """Raise SpecError where a change names what the cluster has not got."""
    problem = Known(cluster).problem(change)
    if problem:
        raise SpecError(field, problem, "")


def _spec(changes: Sequence[dict[str, Any]], notes: Sequence[dict[str, Any]] = ()) -> Any:
    return read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": list(changes), "notes": list(notes)})


def _shapes(cluster: Cluster, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a shape for each pod that was asked about. Raises SpecError."""
    shapes = []
    if given["of_workloads"]:
        found = workloads_of(cluster=cluster)
        for share, (kind, namespace, name) in given["of_workloads"]:
            workload = Workload(namespace, kind, name)
            sample = sample_of(cluster, found, workload) if workload in found.states else None
            if sample is None:
                raise SpecError("workloads", NoPodToCopy(f"{kind} {namespace}/{name}"))
            pod = with_own_claims(found.snapshot, sample)
            like = like_pod({**pod, "metadata": {**pod["metadata"], "name": name}}, "more")
            shapes.append(_shape(f"{namespace}/{name}", like, share))
    for number, (share, (cpu, memory)) in enumerate(given["of_sizes"], 1):
        shapes.append(_shape(titles.SHAPE_OF(cpu=cpu, memory=memory), sized(f"size-{number}", cpu, memory), share))
    for document in given["documents"]:
        metadata = document["metadata"]
        shapes.append(_shape(f"{metadata.get('namespace', 'default')}/{metadata['name']}", document, 1))
    return shapes


def _shape(label: str, manifest: dict[str, Any], share: int) -> dict[str, Any]:
    return {"label": label, "mix": [{"manifest": manifest, "share": share}]}

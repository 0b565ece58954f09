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
from clusters.models import SimulationRun, Study, StudyPart
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies import asking as services
from clusters.services.studies.asking import create_sweep, labelled_runs
from clusters.wording.problems import both_sentences
from clusters.wording.runs import changes, comparing as words, removal
from dashboard.access.permissions import may_end
from dashboard.forms.parameters import Parameters
from dashboard.forms.runs.studies import SweepForm
from dashboard.limits.queued_work import refuse_too_much
from dashboard.lists.files import csv_file
from dashboard.presenters.runs import compare as presenter
from dashboard.presenters.runs.listing import change_sentence
from dashboard.views.run import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dashboard.http import PageRequest

STUDIES_PER_PAGE = 25


class ListParameters(Parameters):
    """The cluster whose studies are listed, all where none is named."""

    cluster = forms.SlugField(required=False)


@require_safe
def studies(request: PageRequest) -> HttpResponse:
    """List all studies, or those of one cluster."""
    every = Study.objects.select_related("cluster", "created_by").defer("spec")
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
    rows = Study.objects.select_related("cluster", "base", "created_by").defer("base__packed_objects")
    found = get_object_or_404(rows, pk=pk)
    if found.cluster is not None:
        request.framed_cluster = found.cluster.name
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
    context = answers_context(_study(request, pk))
    name = f"study-{pk}"
    if "sweep" in context:
        rows = [
            (row.label, row.badge[0], row.placed, row.newly_pending, row.nodes_in_use, row.cpu, row.skew)
            for row in context["sweep"]
        ]
        return csv_file(name, changes.COLUMNS, rows)
    if "removal" in context:
        view = context["removal"]
        yes, no = str(removal.YES), str(removal.NO)
        gone = [(each.name, each.share, yes, "") for each in view.removed]
        kept = [(each.name, each.share, no, each.why) for each in view.kept]
        return csv_file(name, removal.COLUMNS, [*gone, *kept])
    parts = context.get("parts", [])
    answers = [(part.label, part.badge[0], part.sentence, part.stop) for part in parts]
    return csv_file(name, words.PART_COLUMNS, answers)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest, pk: int) -> HttpResponse:
    """Ask once, then delete a study with its parts and runs."""
    found = _study(request, pk)
    if not may_end(request.user, found):
        raise PermissionDenied
    if request.method != "POST":
        return render(request, "studies/delete.html", {"study": found})
    services.delete(found)
    messages.success(request, words.DELETED(title=found.title))
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

"""Asking for room: how many more pods fit, how many nodes a workload needs, which nodes could go."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from clusters.engine import ConfigurationError
from clusters.engine.owners import Workload
from clusters.engine.problems import NoPodToCopy
from clusters.engine.workloads import with_own_claims
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies.asking import create_headroom, create_nodes_needed, create_removable
from clusters.services.workloads import workloads_of
from clusters.services.workloads.owners import sample_of
from clusters.wording.problems import both_sentences
from clusters.wording.runs import summary as titles
from dashboard.forms.runs.base import CHANGE, listed
from dashboard.forms.runs.known import Known
from dashboard.forms.runs.studies import HeadroomForm, NeededForm, sized
from dashboard.limits.queued_work import refuse_too_much
from dashboard.presenters.runs.listing import Offers, like_pod, offers_of
from dashboard.presenters.shared.page import unanswered
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from clusters.models import Cluster, Study
    from dashboard.http import PageRequest

_ASKED = ("headroom", "needed", "removable")


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def headroom(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the three questions, and ask the one whose button was pressed."""
    asked = request.POST.get("ask", "") if request.method == "POST" else ""
    first = {"workloads": request.GET.get("workload", "")}
    forms: dict[str, Any] = {
        "headroom": HeadroomForm(request.POST, prefix="headroom")
        if asked == "headroom"
        else HeadroomForm(prefix="headroom", initial=first),
        "needed": NeededForm(request.POST, prefix="needed") if asked == "needed" else NeededForm(prefix="needed"),
    }
    problem = ""
    if asked in _ASKED and (asked == "removable" or forms[asked].is_valid()):
        try:
            return redirect("study", pk=_study(request, cluster, asked, forms).pk)
        except SpecError as error:
            said = both_sentences(error.problem, line=error.line)
            form = forms.get(asked)
            if form is not None and error.field in form.fields:
                form.add_error(error.field, said)
            else:
                problem = said
        except (ConfigurationError, ChangingTooFastError) as error:
            problem = unanswered(error)
    try:
        offers = offers_of(cluster)
    except (ConfigurationError, ChangingTooFastError):
        offers = Offers()
    context = {
        "cluster": cluster,
        "forms": forms,
        "problem": problem,
        "offers_lists": list(asdict(offers).items()),
    }
    is_wrong = bool(problem or any(form.errors for form in forms.values()))
    return render(request, "studies/headroom.html", context, status=400 if is_wrong else 200)


def _study(request: PageRequest, cluster: Cluster, asked: str, forms: dict[str, Any]) -> Study:
    """Order what was asked. Raises SpecError."""
    refuse_too_much(request.user)
    if asked == "removable":
        title = str(titles.REMOVABLE_NODES)
        return create_removable(cluster=cluster, spec=_spec(()), title=title, user=request.user)
    given = forms[asked].cleaned_data
    if asked == "headroom":
        shapes = _shapes(cluster, given)
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

"""What a node's kubelet does by itself: as a given configuration says, which is not stored, the dump's, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clusters.adapters.bad_input import BadInput
from clusters.adapters.schema.checking import Lines, line_named
from clusters.engine.kubelet import FilesystemLayout, KubeletSettings, SettingsOrigin
from clusters.models import Cluster, Node
from clusters.services.files import read_kubelet_text
from clusters.services.mirror.state import mirrored_kubelet
from clusters.services.usage.history import DiskSample, newest_disks, newest_memory
from clusters.wording import nodes as words
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.forms.kubelet import KubeletQuestion, posted_question, question_of
from dashboard.forms.what_if import BadAddress
from dashboard.http import PageRequest, render_page
from dashboard.presenters.nodes.kubelet import eviction_order, excess_rows, shutdown_view, signals_of, thresholds_view
from dashboard.presenters.runs.listing import LONGEST
from dashboard.presenters.what_if import FaultView
from dashboard.views.nodes import holding
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrOrPromise

    Build = Callable[[Node, KubeletSettings, SettingsOrigin, KubeletQuestion], dict[str, Any]]


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def pressure(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell at which fullness the kubelet evicts, and whom first."""
    return _part(request, cluster, name, "node-pressure", words.PRESSURE, "nodes/_pressure.html", _pressure)


def _pressure(
    node: Node, settings: KubeletSettings, origin: SettingsOrigin, question: KubeletQuestion
) -> dict[str, Any]:
    sample = newest_disks(cluster=node.cluster, node=node.name)
    layout = question.layout or _assumed_layout(sample)
    signals = signals_of(layout)
    signal = question.signal if question.signal in signals else signals[0]
    pods = list(holding(node.cluster, [node.name]).order_by("pk").values_list("object", flat=True))
    return {
        "thresholds": thresholds_view(node.object, settings, layout, origin, sample),
        "has_disks": sample is not None,
        "excesses": excess_rows(pods, sample.disks, layout) if sample else [],
        "order": eviction_order(pods, signal, layout, settings, newest_memory(cluster=node.cluster), sample),
        "signals": [(question._replace(signal=each).query, words.SHORT_OF[each], each is signal) for each in signals],
    }


def _assumed_layout(sample: DiskSample | None) -> FilesystemLayout:
    """How a node's file systems lie where nobody says: as its kubelet's report tells, else as one."""
    return (sample.disks.layout if sample else None) or FilesystemLayout.ONE


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def shutdown(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell how long each pod gets when the node shuts down gracefully."""
    return _part(request, cluster, name, "node-shutdown", words.SHUTDOWN, "nodes/_shutdown.html", _shutdown)


def _shutdown(
    node: Node, settings: KubeletSettings, origin: SettingsOrigin, _question: KubeletQuestion
) -> dict[str, Any]:
    pods = holding(node.cluster, [node.name]).order_by("pk").values_list("object", flat=True)
    return {"found": shutdown_view(node.name, pods, settings, origin)}


def _part(
    request: PageRequest,
    cluster: Cluster,
    name: str,
    address: str,
    title: _StrOrPromise,
    fragment: str,
    build: Build,
) -> HttpResponse:
    """Answer with one part of a node's page for the configuration that an address or a form holds."""
    node = Node.objects.filter(cluster=cluster, name=name).first()
    if node is None:
        raise Http404(words.MISSING(cluster=cluster.name, node=name))
    action = reverse(address, kwargs={"cluster": cluster.name, "name": name})
    is_posted = request.method == "POST"
    question, found, fault = KubeletQuestion(), None, None
    assumed = _assumed_layout(newest_disks(cluster=cluster, node=name))
    try:
        question = posted_question(request.POST) if is_posted else question_of(request.GET)
        if question.layout is assumed:
            question = question._replace(layout=None)
        if is_posted and len(question.query) <= LONGEST:
            return redirect(f"{action}?{question.query}" if question.query else action)
        found = _settings(node, question)
    except BadAddress as error:
        fault = FaultView(0, "", str(error), str(words.GIVE_IT_BELOW))
    except BadInput as error:
        fault = _fault(error, question.text)
    context = {
        "cluster": cluster,
        "name": name,
        "title": title,
        "fragment": fragment,
        "action": action,
        "question": question,
        "layouts": [(str(each), label, each is (question.layout or assumed)) for each, label in words.LAYOUTS.items()],
        "fault": fault,
        **(build(node, *found, question) if found else {}),
    }
    response = render_page(request, "nodes/part.html", fragment, context)
    # At an address a wrong text is shown as it was asked for; sent by a form, it is refused.
    response.status_code = 400 if fault and is_posted else 200
    return response


def _settings(node: Node, question: KubeletQuestion) -> tuple[KubeletSettings, SettingsOrigin]:
    """Return what the kubelet of a node does, and by whose configuration. Raises BadInput."""
    info = (node.object.get("status") or {}).get("nodeInfo") or {}
    is_windows = info.get("operatingSystem") == "windows"
    if question.text:
        return read_kubelet_text(question.text, is_windows=is_windows), SettingsOrigin.GIVEN
    mirrored = mirrored_kubelet(cluster=node.cluster, node=node.name, is_windows=is_windows)
    return mirrored or (KubeletSettings.default(is_windows=is_windows), SettingsOrigin.DEFAULT)


def _fault(error: BadInput, text: str) -> FaultView:
    line = line_named(error.problem) or (Lines(text).of(error.field) if error.field else 0)
    return FaultView(line, error.field, problem_sentence(error.problem), remedy_sentence(error.problem))

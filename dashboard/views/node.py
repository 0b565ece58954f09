"""One node: its page, and each part of it, also what its kubelet does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from clusters.adapters.bad_input import BadInput
from clusters.adapters.schema.checking import Lines, line_named
from clusters.engine.disruption import taint_eviction
from clusters.engine.kubelet import FilesystemLayout, KubeletSettings, SettingsOrigin, reported
from clusters.engine.nodes import node_health
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.volumes import drivers_on
from clusters.models import Cluster, Node, Pod
from clusters.services.decisions.takers import takers_of
from clusters.services.disruption import DrainChoice, drains_of, plan_of
from clusters.services.evaluation import NOTICE, Progress
from clusters.services.files import read_kubelet_text
from clusters.services.journal.timeline import decisions_of
from clusters.services.mirror.past import node_named, pods_of, with_objects
from clusters.services.mirror.snapshots import last_moment, release_of, snapshot_of
from clusters.services.mirror.state import devices_of, evicted_from_node, mirrored_kubelet
from clusters.services.usage.history import DiskSample, newest_disks, newest_memory, newest_pods, usage_of
from clusters.wording import absent, nodes as words
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.forms.what_if import BadAddress, KubeletQuestion, posted_question, question_of
from dashboard.http import PageRequest, render_page
from dashboard.lists.columns import rows_in_order
from dashboard.live.parts import live_part
from dashboard.presenters.devices import evictions_view, node_devices
from dashboard.presenters.drains import plan as plans
from dashboard.presenters.drains.plan import course, headline
from dashboard.presenters.journal.timeline import COLUMNS as DECISION_COLUMNS, decision_rows
from dashboard.presenters.nodes import page as presenter
from dashboard.presenters.nodes.kubelet import (
    eviction_order,
    excess_rows,
    oom_rows,
    shutdown_view,
    signals_of,
    thresholds_view,
)
from dashboard.presenters.nodes.listing import badges
from dashboard.presenters.nodes.page import drain_sentence, node_faults, node_usage
from dashboard.presenters.pods import COLUMNS, pod_row
from dashboard.presenters.runs.listing import LONGEST
from dashboard.presenters.shared import page as shared_page
from dashboard.presenters.shared.page import earlier_sentence
from dashboard.presenters.what_if import FaultView
from dashboard.tables.pods import IN_ORDER, OF_NODE, in_order
from dashboard.views.drain import state_of
from dashboard.views.nodes import holding
from dashboard.views.of_cluster import at_any_moment, of_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrOrPromise

    Build = Callable[[Node, KubeletSettings, SettingsOrigin, KubeletQuestion], dict[str, Any]]

PODS_PER_PAGE = 50
CANDIDATES_PER_PAGE = 20
IMAGES_SHOWN = 50
DECISIONS_SHOWN = 5
# Among so many of the cluster's latest decisions those about the node are looked for.
DECISIONS_SEARCHED = 2_000
# What the first part of the page depends on.
_KINDS = (
    *("Node", "Pod", "CSINode", "VolumeAttachment", "PersistentVolume", "PersistentVolumeClaim", "StorageClass"),
    *("PodDisruptionBudget", "DaemonSet", "Namespace"),
    *("ResourceSlice", "ResourceClaim", "DeviceClass", "DeviceTaintRule"),
)


@live_part("node.glance", template="nodes/_glance.html", pages=["node"], kinds=_KINDS)
def glance_context(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    """Present how full a node is, its taints, conditions and volumes. Raises Http404."""
    node = _node(cluster, name)
    snapshot = snapshot_of(cluster)
    if name not in snapshot.nodes.index:
        raise Http404(words.REMOVED(cluster=cluster.name, node=name))
    found, health = presenter.resources_of(snapshot, name), node_health(snapshot)
    images = presenter.images(node.object, snapshot)
    return {
        "cluster": cluster,
        "node": node,
        "badges": badges(node),
        "sentence": presenter.fullness_sentence(found, is_closed=not health.usable[snapshot.nodes.index[name]]),
        "drain": drain_sentence(drains_of(cluster=cluster), name),
        "resources": presenter.rows(found, node.object),
        "to_scale": presenter.figure(snapshot, name, drawing="node-pods"),
        "taints": presenter.taints(node.object),
        "withheld": presenter.withheld(snapshot, name),
        "leaving": presenter.leaving(taint_eviction(snapshot, name)),
        "conditions": shared_page.conditions(node.object),
        "drivers": presenter.drivers(drivers_on(snapshot, name)),
        **_devices(cluster, name),
        "images": images[:IMAGES_SHOWN],
        "images_title": words.IMAGES(number=len(images)),
        "more_images": max(0, len(images) - IMAGES_SHOWN),
        "labels": presenter.labels(node.object),
        "labels_title": words.LABELS(number=len(presenter.labels(node.object))),
    }


def _node(cluster: Cluster, name: str) -> Node:
    """Return the node, as it was at the moment that is asked about. Raises Http404."""
    node = node_named(cluster, name)
    if node is None:
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="node", name=name))
    return node


def _devices(cluster: Cluster, name: str) -> dict[str, Any]:
    """Present the devices of a node; of the past it is not known who had them."""
    if cluster.past is not None:
        return {"devices": None, "device_evictions": None}
    offered = devices_of(cluster=cluster)
    return {
        "devices": node_devices(offered, name),
        "device_evictions": evictions_view(evicted_from_node(cluster=cluster, found=offered, node=name)),
    }


@live_part("node.pods", template="nodes/_pods.html", pages=["node"], kinds=["Pod"], parameters=["page", "sort"])
def pods_context(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    """Present the pods that are on a node, finished ones too."""
    sorting, counting = OF_NODE.sorting(query), release_of(cluster).counting
    page: Page[Any]
    if cluster.past is not None:
        page = Paginator(sorting.past(in_order(pods_of(cluster, [name]))), PODS_PER_PAGE).get_page(query.get("page"))
        listed = with_objects(list(page))
    else:
        here = Pod.objects.filter(cluster=cluster, node_name=name).annotate(**IN_ORDER)
        keys = here.order_by(*sorting.order()).values_list("pk", flat=True)
        page = Paginator(keys, PODS_PER_PAGE).get_page(query.get("page"))
        listed = rows_in_order(Pod.objects.only(*COLUMNS, "qos_class", "object"), list(page))
    return {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "page": page,
        "pods": OF_NODE.of((pod_row(pod, counting) for pod in listed), sorting),
    }


@live_part("node.decisions", template="nodes/_decisions.html", pages=["node"], kinds=["Decision"], ages=20.0)
def decisions_context(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    """Present the latest decisions about a node, as far as the cluster's latest ones reach."""
    latest = decisions_of(cluster).order_by("-heard_at", "-pk")
    recent = latest.filter(pk__in=latest.values("pk")[:DECISIONS_SEARCHED], node_name=name)
    return {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "name": name,
        "rows": decision_rows(cluster, recent.only(*DECISION_COLUMNS, "event")[:DECISIONS_SHOWN]),
    }


@require_safe
@at_any_moment
def node(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Show one node."""
    context = {
        **pods_context(cluster, request.GET, name),
        **glance_context(cluster, request.GET, name),
        "decisions": decisions_context(cluster, request.GET, name)["rows"],
    }
    context |= {
        "pending_title": words.PENDING,
        "drain_title": words.DRAIN,
        "faults_title": words.FAULTS,
        "usage_title": words.USAGE,
        "pressure_title": words.PRESSURE,
        "oom_title": words.OOM,
        "shutdown_title": words.SHUTDOWN,
    }
    return render_page(request, "nodes/detail.html", "nodes/_pods.html", context)


def _part(
    request: PageRequest,
    cluster: Cluster,
    name: str,
    title: _StrOrPromise,
    fragment: str,
    build: Callable[[Cluster, QueryDict, str], dict[str, Any]],
) -> HttpResponse:
    """Answer htmx with a part of a node's page, and everybody else with a page of its own."""
    _node(cluster, name)
    context = {"cluster": cluster, "name": name, "title": title, "fragment": fragment}
    return render_page(request, "nodes/part.html", fragment, context | build(cluster, request.GET, name))


@require_safe
@at_any_moment
def pending(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell which of the pending pods fit on the node."""
    return _part(request, cluster, name, words.PENDING, "nodes/_takers.html", candidates_context)


@live_part("node.candidates", template="nodes/_candidates.html", pages=["node", "node-pending"], parameters=["page"])
def candidates_context(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    """Present which of the pending pods fit on a node. Raises Http404."""
    try:
        takers = takers_of(cluster=cluster, node=name)
    except KeyError:
        raise Http404(words.REMOVED(cluster=cluster.name, node=name)) from None
    page = Paginator(takers.candidates, CANDIDATES_PER_PAGE).get_page(query.get("page"))
    return {
        "cluster": cluster,
        "name": name,
        "page": page,
        "evaluating": takers.evaluating,
        "sentence": presenter.takers_sentence(takers, name),
        "earlier": earlier_sentence(takers.earlier, node=name),
        "candidates": list(map(presenter.taker_view, page)),
    }


@require_safe
@at_any_moment
def drain(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell what a drain of the node meets now."""
    return _part(request, cluster, name, words.DRAIN, "nodes/_drain.html", drain_context)


@live_part("node.drain", template="nodes/_evictions.html", pages=["node", "node-drain"], kinds=[NOTICE])
def drain_context(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    """Present the plan of a drain of the node alone, or that a worker makes it; shown anew once that has an end."""
    answer = plan_of(cluster=cluster, choice=DrainChoice(nodes=(name,)))
    shown = {"cluster": cluster, "name": name}
    if isinstance(answer, Progress):
        return {**shown, "evaluating": True, "sentence": words.DRAIN_BY_WORKER}
    return {
        **shown,
        **state_of(cluster, answer),
        "sentence": headline(answer.plan, answer.workloads),
        "course": course(answer.plan),
        "rows": [plans.asked_row(each) for each in answer.plan.asked],
    }


@require_safe
@at_any_moment
def oom(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell which container the kernel kills first when memory runs out."""
    return _part(request, cluster, name, words.OOM, "nodes/_oom.html", _oom)


def _oom(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    pods = [pod.object for pod in holding(cluster, [name])]
    return {"rows": oom_rows(pods, reported(_node(cluster, name).object, "capacity", MEMORY))}


@require_safe
@of_cluster
def usage(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell what the node and its pods use, beside what they request."""
    return _part(request, cluster, name, words.USAGE, "nodes/_usage.html", _usage)


def _usage(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    snapshot, found = snapshot_of(cluster), usage_of(cluster=cluster)
    if name not in snapshot.nodes.index:
        raise Http404(words.REMOVED(cluster=cluster.name, node=name))
    history = None if found is None else found.nodes.get(name)
    pods = holding(cluster, [name])
    samples = newest_pods(cluster=cluster)
    used = {
        f"{pod.namespace}/{pod.name}": {CPU: sample.usage.total.cpu_milli, MEMORY: sample.usage.total.memory_bytes}
        for pod in pods
        if (sample := samples.get(f"{pod.namespace}/{pod.name}")) is not None and sample.uid == pod.uid
    }
    return {
        "usage": node_usage(snapshot, name, history, pods, samples),
        "figure": presenter.figure(snapshot, name, drawing="node-usage-pods", used=used) if used else None,
    }


@require_safe
@at_any_moment
def faults(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell when the pods of the node are evicted once it fails."""
    return _part(request, cluster, name, words.FAULTS, "nodes/_faults.html", _faults)


def _faults(cluster: Cluster, query: QueryDict, name: str) -> dict[str, Any]:
    try:
        return {"found": node_faults(snapshot_of(cluster), name, cluster.kube_version)}
    except KeyError:
        raise Http404(words.REMOVED(cluster=cluster.name, node=name)) from None


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def pressure(request: PageRequest, cluster: Cluster, name: str) -> HttpResponse:
    """Tell at which fullness the kubelet evicts, and whom first."""
    return _answered(request, cluster, name, "node-pressure", words.PRESSURE, "nodes/_pressure.html", _pressure)


def _pressure(
    node: Node, settings: KubeletSettings, origin: SettingsOrigin, question: KubeletQuestion
) -> dict[str, Any]:
    sample = newest_disks(cluster=node.cluster, node=node.name)
    layout = question.layout or _assumed_layout(sample)
    signals = signals_of(layout)
    signal = question.signal if question.signal in signals else signals[0]
    pods = [pod.object for pod in holding(node.cluster, [node.name])]
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
    return _answered(request, cluster, name, "node-shutdown", words.SHUTDOWN, "nodes/_shutdown.html", _shutdown)


def _shutdown(
    node: Node, settings: KubeletSettings, origin: SettingsOrigin, _question: KubeletQuestion
) -> dict[str, Any]:
    pods = [pod.object for pod in holding(node.cluster, [node.name])]
    return {"found": shutdown_view(node.name, pods, settings, origin)}


def _answered(
    request: PageRequest,
    cluster: Cluster,
    name: str,
    address: str,
    title: _StrOrPromise,
    fragment: str,
    build: Build,
) -> HttpResponse:
    """Answer with one part of a node's page for the configuration that an address or a form holds."""
    node = _node(cluster, name)
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

"""What if a pod, or the scheduler's configuration, were another: edited, judged again, and shown beside what is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from msgspec import Struct

from clusters.engine.analysis import offered
from clusters.engine.plugin import Effort
from clusters.engine.problems import Quoted
from clusters.services.decisions.explain import (
    MOST_BYTES,
    BadText,
    Fault,
    as_is,
    as_text,
    authored,
    configuration_text,
    editable,
    parsed,
    read_configuration,
    read_pod,
    state_of,
    what_if,
)
from clusters.services.mirror.snapshots import configuration_of, release_as, snapshot_as
from clusters.services.studies.asking import PRESETS, preset_document
from clusters.wording.advice import edit_label, edits_label
from clusters.wording.amounts import size
from clusters.wording.decisions import what_if as texts
from clusters.wording.limits import A_MINUTE, ASK_AGAIN
from clusters.wording.runs.changes import configuration_name
from dashboard.explained import pod_of
from dashboard.forms.runs.nodes import KUBERNETES_CHOICES, offered_version
from dashboard.forms.what_if import MOST_CHANGES, BadAddress, WhatIfState, posted, state_of as state_in
from dashboard.limits import windows
from dashboard.limits.windows import JUDGED, RUNS_PER_MINUTE
from dashboard.presenters import what_if as presenter
from dashboard.presenters.decisions import page as relaxation_presenter
from dashboard.presenters.runs.listing import LONGEST
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.http import HttpResponse

    from clusters.engine import Explanation, SchedulerConfiguration, Snapshot
    from clusters.engine.admission import Admission
    from clusters.engine.edits import Edit
    from clusters.models import Cluster, Pod
    from dashboard.http import PageRequest
    from dashboard.presenters.what_if import FaultView

_LIFTS_OFFERED = 6
_LEFT = "left-"


class WhatIfSide(Struct):
    """One side as far as it could be judged; `problems` say why it could not, by the text that they are about."""

    pod_text: str
    configuration_text: str
    explanation: Explanation | None = None
    admission: Admission | None = None
    document: dict[str, Any] | None = None
    pod_problems: list[FaultView] | None = None
    configuration_problems: list[FaultView] | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether a text cannot be taken."""
        return bool(self.pod_problems or self.configuration_problems)


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def what_if_page(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show the editors, and beside the pod's explanation that of the changed one. Nothing is stored."""
    pod = pod_of(cluster, namespace, name)
    try:
        earlier = state_in(request.GET, _LEFT)
        state = state_in(request.GET)
    except BadAddress as error:
        problem = f"{error} {texts.START_OVER}"
        return _page(request, pod, WhatIfState(), WhatIfState(), {"bad_address": problem}, status=400)
    if request.method == "POST":
        own = offered_version(pod.cluster.kube_version)
        state = posted(request.POST, editable(pod), configuration_text(pod.cluster), own)
        query = "&".join(part for part in (state.query(), earlier.query(_LEFT)) if part)
        if len(query) <= LONGEST and state.is_small:
            return redirect(f"{_address(pod)}?{query}" if query else _address(pod))
    judged = windows.add(JUDGED, request.user.pk, 1) if state.is_changed else None
    if judged is not None and judged.number > RUNS_PER_MINUTE:
        problem = f"{A_MINUTE(most=RUNS_PER_MINUTE)} {ASK_AGAIN(seconds=judged.seconds_left)}"
        response = _page(request, pod, state, earlier, {"bad_address": problem}, status=429)
        response["Retry-After"] = str(judged.seconds_left)
        return response
    return _page(request, pod, state, earlier, {})


def _page(
    request: PageRequest,
    pod: Pod,
    state: WhatIfState,
    earlier: WhatIfState,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Judge what there is to be judged, and render it; `context` says where that is not to be done."""
    snapshot = state_of(pod.cluster)
    present = _present(pod, snapshot)
    side = WhatIfSide(state.pod or editable(pod), state.configuration or configuration_text(pod.cluster))
    presets = {as_text(preset_document(pod.cluster, preset)): configuration_name(preset) for preset in PRESETS}
    if not context and state.is_changed:
        side = _judged(pod, state, snapshot)
        # At an address a wrong text is shown as it was asked for; sent by a form, it is refused.
        status = 400 if side.is_wrong and request.method == "POST" else status
        context = _result(pod, state, earlier, side, present, snapshot)
    return render(
        request,
        "what_if/page.html",
        {
            "cluster": pod.cluster,
            "pod": pod,
            "state": state,
            "side": side,
            "address": _address(pod),
            "action": f"{_address(pod)}?{earlier.query(_LEFT)}" if earlier.is_changed else _address(pod),
            "is_configuration_open": state.configuration is not None,
            "versions": KUBERNETES_CHOICES,
            "made": _made(pod, state, earlier, presets),
            "presets": [
                _link(pod, state._replace(configuration=text), earlier, preset)
                for text, preset in presets.items()
                if text != state.configuration
            ],
            **_offers(pod, state, earlier, side, present),
            "limit": size(MOST_BYTES),
            **context,
        },
        status=status,
    )


def _present(pod: Pod, snapshot: Snapshot) -> Explanation | None:
    return as_is(cluster=pod.cluster, pod=pod, configuration=configuration_of(pod.cluster), snapshot=snapshot)


def _result(
    pod: Pod,
    state: WhatIfState,
    earlier: WhatIfState,
    side: WhatIfSide,
    present: Explanation | None,
    snapshot: Snapshot,
) -> dict[str, Any]:
    """Present the changed pod beside the other side: as it is, or an earlier what-if."""
    left, left_text = present, editable(pod)
    if earlier.is_changed:
        other = _judged(pod, earlier, snapshot)
        left, left_text = other.explanation, other.pod_text
    context: dict[str, Any] = {
        "lines": presenter.changed_lines(left_text, side.pod_text),
        "is_earlier": earlier.is_changed,
        "has_address": len(state.query()) + len(earlier.query(_LEFT)) <= LONGEST,
    }
    if side.admission is not None:
        context |= {"additions": presenter.additions(side.admission), "refusals": presenter.refusals(side.admission)}
    if side.document is not None and not side.is_wrong and (state.pod is not None or state.changes):
        context["update"] = presenter.update(pod.object, side.document)
    if side.explanation is not None and left is not None:
        context["comparison"] = presenter.comparison(left, side.explanation, earlier=earlier.is_changed)
        context["compared_versions"] = presenter.versions(left, side.explanation)
        if len(state.query()) * 2 <= LONGEST:
            context["onwards"] = f"{_address(pod)}?{state.query()}&{state.query(_LEFT)}"
        context["from_now"] = f"{_address(pod)}?{state.query()}" if earlier.is_changed else ""
    elif side.explanation is not None:
        context["alone"] = presenter.side(side.explanation)
    return context


def _judged(pod: Pod, state: WhatIfState, snapshot: Snapshot) -> WhatIfSide:
    """Read the texts of one side and explain the pod that they make."""
    side = WhatIfSide(state.pod or editable(pod), state.configuration or configuration_text(pod.cluster))
    configuration: SchedulerConfiguration | None = None
    try:
        configuration = configuration_of(pod.cluster)
        if state.configuration is not None or state.kubernetes:
            release = release_as(pod.cluster, state.kubernetes)
            configuration = read_configuration(side.configuration_text, release)
            snapshot = snapshot_as(pod.cluster, snapshot, release)
    except BadText as error:
        side.configuration_problems = presenter.faults(error.problems)
    try:
        if state.changes:
            document = parsed(side.pod_text)
            for number, change in enumerate(state.changes):
                edited = change.apply(document)
                if edited == document:
                    raise BadText([_without_effect(change, document, state.changes[:number])])
                document = edited
            side.pod_text = as_text(document)
        side.document = document = read_pod(side.pod_text, pod)
        if configuration is not None and not side.is_wrong:
            found = what_if(
                cluster=pod.cluster,
                document=document,
                configuration=configuration,
                snapshot=snapshot,
                mirrored=pod.object,
            )
            side.admission, side.explanation = found
    except BadText as error:
        side.pod_problems = presenter.faults(error.problems)
    return side


def _without_effect(change: Edit, document: dict[str, Any], made: Iterable[Edit]) -> Fault:
    """Say that a change of an address finds nothing to change: made already, or the pod itself changed."""
    say = texts.CHANGE_MADE_ALREADY if change in made else texts.CHANGE_WITHOUT_EFFECT
    return Fault(0, "", Quoted(say(change=edit_label(change, document)), str(texts.TAKE_CHANGE_BACK)))


def _address(pod: Pod) -> str:
    return reverse("what-if", kwargs={"cluster": pod.cluster.name, "namespace": pod.namespace, "name": pod.name})


def _link(pod: Pod, state: WhatIfState, earlier: WhatIfState, text: str) -> tuple[str, str]:
    query = "&".join(part for part in (state.query(), earlier.query(_LEFT)) if part)
    return (f"{_address(pod)}?{query}" if query else _address(pod)), text


def _made(pod: Pod, state: WhatIfState, earlier: WhatIfState, presets: Mapping[str, str]) -> list[tuple[str, str]]:
    """Name the changes so far, each with the address of the state without it; `presets`: names by their texts."""
    found = []
    if preset := presets.get(state.configuration or ""):
        found.append(_link(pod, state._replace(configuration=None), earlier, preset))
    try:
        document = parsed(state.pod) if state.pod is not None else authored(pod)
    except BadText:
        document = {}
    for number, change in enumerate(state.changes):
        found.append(_link(pod, state.without(number), earlier, edit_label(change, document)))
        document = change.apply(document)
    return found


def _offers(
    pod: Pod, state: WhatIfState, earlier: WhatIfState, side: WhatIfSide, present: Explanation | None
) -> dict[str, Any]:
    """Offer further changes that need no YAML: those that would help the pod as it is changed so far, and the usual."""
    explanation = side.explanation or present
    if explanation is None or (state.is_changed and side.explanation is None):
        # To what could not be evaluated nothing is added.
        return {"offered_for": explanation, "helpful": [], "usual": []}
    document, room = side.document or authored(pod), MOST_CHANGES - len(state.changes)
    # One change may be a way by itself, and all of a lower request.
    ways: dict[tuple[Edit, ...], str] = {}
    for changes, text in _helpful(explanation):
        ways.setdefault(changes, text)
    helpful = [
        (*_link(pod, state.and_also(*changes), earlier, edits_label(changes, document)), text)
        for changes, text in ways.items()
        if len(changes) <= room
    ]
    usual = [change for change in offered(document, explanation) if (change,) not in ways] if room else []
    return {
        "offered_for": explanation,
        "helpful": helpful[:_LIFTS_OFFERED],
        "usual": [_link(pod, state.and_also(change), earlier, edit_label(change, document)) for change in usual],
    }


def _helpful(explanation: Explanation) -> Iterator[tuple[tuple[Edit, ...], str]]:
    """Yield the changes to the pod that its relaxations come to, with what each would gain, the easiest first."""
    found = explanation.relaxations
    for reduction in found.reductions:
        yield (reduction.edit,), texts.FITS_ON(node=explanation.snapshot.nodes.names[reduction.row])
    if found.together:
        node = explanation.snapshot.nodes.names[found.together[0].row]
        yield tuple(reduction.edit for reduction in found.together), texts.FITS_ON(node=node)
    for lift in sorted((*found.singles, *found.pairs), key=lambda lift: lift.effort):
        # What would be done to a node is not a change of the pod, though a toleration would do it.
        if lift.edits and lift.effort not in (Effort.NODE, Effort.HEALTH):
            yield lift.edits, relaxation_presenter.gain(explanation, lift)

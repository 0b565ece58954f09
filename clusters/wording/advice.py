"""What would make a pod schedulable in words: edits, what lifts constraints, ways, and advice of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.analysis import (
    Advice,
    ClaimRemedy,
    LargerThanNodes,
    LowerRequests,
    NumberedLift,
    Realism,
    Remedy,
    Way,
    awaited,
    circumstances,
)
from clusters.engine.edits import (
    AdjustSpread,
    DoubleRequests,
    Edit,
    EntryEdit,
    HalveRequests,
    LowerRequest,
    RemoveGates,
    RemoveHostPort,
    RemoveHostPorts,
    RemoveNodeAffinity,
    RemoveNodeName,
    RemoveNodeRequirement,
    RemoveNodeSelector,
    RemovePodAffinity,
    RemovePodAntiAffinity,
    RemoveSelectorLabel,
    RemoveSpread,
    SetPriorityClass,
    Tolerate,
    TolerateEverything,
)
from clusters.engine.plugin import Constraint, Effort
from clusters.engine.registry import effort_of
from clusters.engine.scheduling import GroupVerdict, Lift, NodeRemedy, Reduction, requested_resource
from clusters.engine.selectors import LabelSelector, Operator, Requirement, SelectorError
from clusters.engine.simulation import OneMoreNode
from clusters.wording.amounts import grouped
from clusters.wording.lists import begun, listed
from clusters.wording.messages import message, plural
from clusters.wording.pending import add_node, await_nomination, takes
from clusters.wording.plugins import lifting
from clusters.wording.pod_groups import SEE_GROUP
from clusters.wording.remedies import remedy_sentence
from clusters.wording.resources import (
    request_up_to,
    requirement_text,
    resource_amount,
    resource_name,
    resource_names,
    selector_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.objects import Document


# -- Edits of a pod's manifest in words, as a link or a button names them ---------------------------------------------


def edit_label(edit: Edit, document: Document) -> str:
    """Name an edit of a document: `Remove the host port 0.0.0.0:80/TCP`."""
    return begun(_edit(edit, document))


def edits_label(edits: Sequence[Edit], document: Document) -> str:
    """Name edits of a document that are made together."""
    return begun(listed([_edit(each, document) for each in edits]))


# Edits that need no value.
_WHOLE: Final = {
    DoubleRequests: gettext_lazy("double the requests"),
    HalveRequests: gettext_lazy("halve the requests"),
    RemoveGates: gettext_lazy("remove the scheduling gates"),
    RemoveHostPorts: gettext_lazy("remove all host ports"),
    RemoveNodeAffinity: gettext_lazy("remove the required node affinity"),
    RemoveNodeName: gettext_lazy("remove nodeName"),
    RemoveNodeSelector: gettext_lazy("remove the node selector"),
    RemovePodAffinity: gettext_lazy("remove the required pod affinity"),
    RemovePodAntiAffinity: gettext_lazy("remove the required pod anti-affinity"),
    RemoveSpread: gettext_lazy("remove all spread constraints"),
    TolerateEverything: gettext_lazy("tolerate every taint"),
}


def _edit(edit: Edit, document: Document) -> str:
    match edit:
        case LowerRequest(resource, 0):
            return _("request no %(resource)s") % {"resource": resource_name(resource)}
        case LowerRequest(resource, amount):
            return _("request at most %(amount)s") % {"amount": request_up_to(resource, amount)}
        case RemoveHostPort(port):
            return _("remove the host port %(port)s") % {"port": port}
        case RemoveSelectorLabel(key, value):
            return _("remove the node selector %(key)s=%(value)s") % {"key": key, "value": value}
        case SetPriorityClass(name):
            return _("set the priority class %(name)s") % {"name": name}
        case Tolerate(taint):
            return _("tolerate %(taint)s") % {"taint": taint}
        case EntryEdit(entry) if entry is not None:
            return _entry(edit, edit.entry_in(document))
        case _:
            return str(_WHOLE[type(edit)])


def _entry(edit: EntryEdit, entry: dict[str, Any] | None) -> str:
    if entry is None:
        return _("remove a missing entry (%(entry)s)") % {"entry": edit.entry}
    match edit:
        case RemoveNodeRequirement():
            requirement = Requirement.of(entry["key"], Operator(entry["operator"]), entry.get("values") or ())
            return _("remove the node affinity %(requirement)s") % {"requirement": requirement_text(requirement)}
        case RemovePodAffinity():
            return _("remove the pod affinity to %(pods)s per %(key)s") % {
                "pods": _pods(entry),
                "key": entry.get("topologyKey", ""),
            }
        case RemovePodAntiAffinity():
            return _("remove the pod anti-affinity to %(pods)s per %(key)s") % {
                "pods": _pods(entry),
                "key": entry.get("topologyKey", ""),
            }
        case AdjustSpread(field=field, value=value):
            return _("set %(field)s: %(value)s in the spread constraint %(key)s for %(pods)s") % {
                "field": field,
                "value": value,
                "key": entry.get("topologyKey", ""),
                "pods": _pods(entry),
            }
        case RemoveSpread():
            return _("remove the spread constraint %(key)s with maxSkew %(skew)s for %(pods)s") % {
                "key": entry.get("topologyKey", ""),
                "skew": entry.get("maxSkew", ""),
                "pods": _pods(entry),
            }
        case _:
            raise TypeError(f"{type(edit).__name__} has no words")


def _pods(entry: dict[str, Any]) -> str:
    """Say which pods an entry is about; what was typed may be no selector."""
    try:
        return selector_text(LabelSelector.from_dict(entry.get("labelSelector")))
    except SelectorError:
        return _("a selector that cannot be read")


# -- What would make a pod schedulable, in sentences ------------------------------------------------------------------


def liftings(constraints: Iterable[Constraint]) -> str:
    """Say what lifts constraints, each once: `tolerate gpu:NoSchedule and uncordon the node`."""
    return listed(list(dict.fromkeys(map(lifting, constraints))))


def gain(lift: Lift, names: Sequence[str], *, fits: bool) -> str:
    """Say what lifting constraints would gain; ``names`` are all nodes', ``fits`` when there are nodes already."""
    # One resource alone is told as a Reduction.
    if len(lift.lifted) == 1 or not lift.enough or not all(each.fitting for each in lift.enough):
        return _gained(liftings(lift.lifted), lift, fits=fits)
    others = [each for each in lift.lifted if effort_of(each) is not Effort.RESOURCE]
    parts = listed([*dict.fromkeys(map(lifting, others)), lower_requests(lift.enough)])
    resources = resource_names(each.resource for each in lift.enough)
    return " ".join(
        (
            _FITS_ON(change=begun(parts), node=names[lift.enough[0].row]),
            _WITHOUT_REQUEST(resources=resources, nodes=lift.gained),
        )
    )


def _gained(change: str, lift: Lift, *, fits: bool) -> str:
    if fits:
        said = ngettext(
            "%(change)s: it fits on %(nodes)s more node.", "%(change)s: it fits on %(nodes)s more nodes.", lift.gained
        ) % {"change": begun(change), "nodes": grouped(lift.gained)}
    else:
        said = ngettext(
            "%(change)s: it fits on %(nodes)s node.", "%(change)s: it fits on %(nodes)s nodes.", lift.gained
        ) % {"change": begun(change), "nodes": grouped(lift.gained)}
    if not lift.lost:
        return said
    lost = ngettext("%(nodes)s other node no longer fits.", "%(nodes)s other nodes no longer fit.", lift.lost) % {
        "nodes": grouped(lift.lost)
    }
    return f"{said} {lost}"


_WITHOUT_REQUEST = plural(
    "If it requests no %(resources)s, it fits on %(nodes)s node.",
    "If it requests no %(resources)s, it fits on %(nodes)s nodes.",
    by="nodes",
)


_FITS_ON = message("%(change)s: it fits on %(node)s.")


def lower_requests(found: Iterable[Reduction]) -> str:
    """Say which requests would do, as a request without its capital letter: `request at most 2 CPU`."""
    amounts = listed([request_up_to(each.resource, each.fitting) for each in found])
    return _("request at most %(amount)s") % {"amount": amounts}


def reduction(found: Sequence[Reduction], names: Sequence[str]) -> str:
    """Say how much less, of one resource or of several together, would fit, and where."""
    return _("Request at most %(fitting)s instead of %(requested)s: it fits on %(node)s.") % {
        "fitting": listed([request_up_to(each.resource, each.fitting) for each in found]),
        "requested": listed([resource_amount(each.resource, each.asked) for each in found]),
        "node": names[found[0].row],
    }


def node_remedy(found: NodeRemedy, node: str) -> str:
    """Say what would have to change for one node to accept the pod; empty where nothing rejects it there."""
    if not found.lifted:
        return ""
    reduced = {each.resource for each in found.reductions}
    others = [each for each in found.lifted if requested_resource(each) not in reduced]
    less = [each for each in found.reductions if each.fitting]
    none = [each.resource for each in found.reductions if not each.fitting]
    parts = list(dict.fromkeys(map(lifting, others)))
    if less:
        parts.append(lower_requests(less))
    if none:
        parts.append(_("request no %(resource)s") % {"resource": resource_names(none)})
    if found.suffices:
        return _FITS_ON(change=begun(listed(parts)), node=node)
    return _("%(change)s: not enough for %(node)s.") % {"change": begun(listed(parts)), "node": node}


# -- Ways to make a pod schedulable, or to widen its choice -----------------------------------------------------------


LOWER_REQUESTS_TITLE: Final = gettext_lazy("Lower requests")
REQUEST_NONE_TITLE: Final = gettext_lazy("Request none of a resource")
VOLUMES_TITLE: Final = gettext_lazy("Provide its volumes")
PAIRS_TITLE: Final = gettext_lazy("Two changes together")
PINNED_TITLE: Final = gettext_lazy("Without its DaemonSet's node")
FILTERS_TITLE: Final = gettext_lazy("Without a whole filter")


# By how likely they are to be done; the others have another title.
REALISM_TITLES: Final = {
    Realism.ADD_NODE: gettext_lazy("Add a node"),
    Realism.AWAIT: gettext_lazy("Wait"),
    Realism.UNBLOCK: gettext_lazy("Change how its workload updates"),
    Realism.CORRECT: gettext_lazy("Correct a spread constraint"),
    Realism.LOOSEN: gettext_lazy("Loosen a spread constraint"),
    Realism.MOVE_PODS: gettext_lazy("Move other pods"),
    Realism.TOLERATE: gettext_lazy("Tolerate a taint"),
    Realism.PREFER: gettext_lazy("Prefer instead of require"),
    Realism.REMOVE: gettext_lazy("Remove a requirement"),
    Realism.CHANGE_NODE: gettext_lazy("Change a node"),
    Realism.REPAIR_NODE: gettext_lazy("Repair a node"),
    Realism.CONTROL_PLANE: gettext_lazy("Use nodes of the control plane"),
}
# What to know of them first.
REALISM_NOTES: Final = {
    Realism.ADD_NODE: gettext_lazy("The new node copies an existing one with its DaemonSet pods; smallest first."),
    Realism.LOWER_UNUSED: gettext_lazy("The workload uses less than it requests."),
    Realism.MOVE_PODS: gettext_lazy("The pods may be evicted now, and are recreated."),
    Realism.TOLERATE: gettext_lazy("The taint reserves the nodes for others."),
    Realism.PREFER: gettext_lazy("As preferred terms, or whenUnsatisfiable: ScheduleAnyway."),
    Realism.REPAIR_NODE: gettext_lazy("These taints say that the node is unhealthy."),
}
WITHOUT_NODES: Final = gettext_lazy("Upload the nodes too.")
FITS_ALREADY = message("It fits; more nodes: %(way)s")
NOTHING_GAINS: Final = gettext_lazy("No single change would gain a node.")
FITS_ON_PINNED: Final = gettext_lazy("It fits on the node that its DaemonSet created it for.")
PREEMPTION_HELPS: Final = gettext_lazy("Preemption would make room.")
ONE_CHANGE = message("One change is enough. %(way)s")
TWO_CHANGES = message("Two changes together are enough. %(way)s")
OFFER_RESOURCE = message("Add a node with %(resource)s, or repair what offers it, such as a device plugin.")
LOWER_IS_NOT_ENOUGH = message("Lower requests are not enough. %(way)s")
ENDED_BEFORE_NODES = message("%(plugin)s rejects the pod before Filter: %(reasons)s.")
NOTHING_HELPS_PINNED: Final = gettext_lazy("No change that was tried makes it fit on its DaemonSet's node.")
NOTHING_HELPS: Final = gettext_lazy("No change, nor two tried together, makes it fit anywhere.")
HIDDEN = plural(
    "%(ways)s further way is not listed.",
    "%(ways)s further ways are not listed.",
    by="ways",
)


# -- What would make a pod schedulable, in words ----------------------------------------------------------------------


def advice_title(advice: Advice) -> str:
    """Title ways of one sort; empty for those that are told as details alone."""
    if advice.realism in (Realism.LOWER_UNUSED, Realism.LOWER, Realism.REQUEST_NONE):
        return str(LOWER_REQUESTS_TITLE)
    if advice.realism is Realism.TWO_CHANGES:
        return str(PAIRS_TITLE)
    if advice.ways and all(isinstance(each, ClaimRemedy) for each in advice.ways):
        return str(VOLUMES_TITLE)
    return str(REALISM_TITLES.get(advice.realism, ""))


def details_title(advice: Advice) -> str:
    """Title the lifts that are told as details; empty where there are none."""
    if not advice.details:
        return ""
    if advice.realism is Realism.UNWANTED:
        return str(FILTERS_TITLE) if advice.details[0].kind == "filter" else str(PINNED_TITLE)
    return str(REQUEST_NONE_TITLE)


def way_sentence(explanation: Explanation, way: Way) -> str:
    """Say one way in a sentence or two."""
    names = explanation.snapshot.nodes.names
    match way:
        case Remedy():
            return remedy_sentence(way)
        case OneMoreNode(like, pool):
            return takes(begun(add_node(like, pool)), 1, 1, is_whole=True)
        case LowerRequests(reduced):
            return reduction(reduced, names)
        case NumberedLift():
            return gain(way.lift, names, fits=explanation.fits)


def advice_summary(explanation: Explanation, found: Sequence[Advice]) -> str:
    """Say what to do in one sentence: the first way, or why there is none."""
    way = next((each.ways[0] for each in found if each.ways), None)
    first = "" if way is None else way_sentence(explanation, way)
    unwanted = [each for advice in found if advice.realism is Realism.UNWANTED for each in advice.details]
    is_pinned = any(each.kind != "filter" for each in unwanted)
    if not explanation.node_count:
        return str(WITHOUT_NODES)
    if explanation.fits:
        if first:
            return FITS_ALREADY(way=first)
        return str(FITS_ON_PINNED) if is_pinned else str(NOTHING_GAINS)
    waits = awaited(explanation)
    if waits is not None:
        return await_nomination(waits.node, waits.leaving)
    group = explanation.group
    is_preempting = group is not None and group.verdict is GroupVerdict.PREEMPTS
    if is_preempting or (explanation.preemption is not None and explanation.preemption.selected is not None):
        return str(PREEMPTION_HELPS)
    if group is not None and group.is_blocking and (explanation.finds_node or group.least is not None):
        return str(SEE_GROUP)
    match way:
        case NumberedLift(kind="pair"):
            return TWO_CHANGES(way=first)
        case NumberedLift():
            return ONE_CHANGE(way=first)
        case LowerRequests(reduced) if len(reduced) == 1:
            return ONE_CHANGE(way=first)
        case Remedy() | OneMoreNode() | LowerRequests():
            return first
    none = next((each for each in found if each.realism is Realism.REQUEST_NONE), None)
    larger = [each for each in circumstances(explanation) if isinstance(each, LargerThanNodes)]
    nowhere = next((each.resource for each in larger if not each.node), "")
    if nowhere:
        return OFFER_RESOURCE(resource=resource_name(nowhere))
    if none is not None:
        return LOWER_IS_NOT_ENOUGH(way=way_sentence(explanation, none.details[0]))
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return ENDED_BEFORE_NODES(plugin=stopped.plugin or "PreFilter", reasons=stopped.status.reported)
    return str(NOTHING_HELPS_PINNED) if is_pinned else str(NOTHING_HELPS)

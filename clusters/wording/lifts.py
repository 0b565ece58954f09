"""What would make a pod schedulable, in sentences: constraints to lift, and requests to lower."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.plugin import Constraint, Effort
from clusters.engine.registry import effort_of
from clusters.engine.scheduling import Lift, NodeRemedy, Reduction, requested_resource
from clusters.wording.amounts import grouped
from clusters.wording.lists import begun, listed
from clusters.wording.messages import message, plural
from clusters.wording.plugins import lifting
from clusters.wording.resources import request_up_to, resource_amount, resource_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
    return _("request at most %(amounts)s") % {"amounts": amounts}


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

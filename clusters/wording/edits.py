"""Edits of a pod's manifest in words, as a link or a button names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

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
from clusters.engine.selectors import LabelSelector, Operator, Requirement, SelectorError
from clusters.wording.lists import begun, listed
from clusters.wording.resources import request_up_to, resource_name
from clusters.wording.selectors import requirement_text, selector_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Document


def edit_label(edit: Edit, document: Document) -> str:
    """Name an edit of a document: `Remove the host port 0.0.0.0:80/TCP`."""
    return begun(_edit(edit, document))


def edits_label(edits: Sequence[Edit], document: Document) -> str:
    """Name edits of a document that are made together."""
    return begun(listed([_edit(each, document) for each in edits]))


def _edit(edit: Edit, document: Document) -> str:
    match edit:
        case LowerRequest(resource, 0):
            return _("request no %(resource)s") % {"resource": resource_name(resource)}
        case LowerRequest(resource, amount):
            return _("request at most %(amount)s") % {"amount": request_up_to(resource, amount)}
        case DoubleRequests():
            return _("double the requests")
        case HalveRequests():
            return _("halve the requests")
        case RemoveGates():
            return _("remove the scheduling gates")
        case RemoveHostPort(port):
            return _("remove the host port %(port)s") % {"port": port}
        case RemoveHostPorts():
            return _("remove all host ports")
        case RemoveNodeAffinity():
            return _("remove the required node affinity")
        case RemoveNodeName():
            return _("remove nodeName")
        case RemoveNodeSelector():
            return _("remove the node selector")
        case RemoveSelectorLabel(key, value):
            return _("remove the node selector %(key)s=%(value)s") % {"key": key, "value": value}
        case SetPriorityClass(name):
            return _("set the priority class %(name)s") % {"name": name}
        case Tolerate(taint):
            return _("tolerate %(taint)s") % {"taint": taint}
        case TolerateEverything():
            return _("tolerate every taint")
        case EntryEdit(entry):
            return _whole_list(edit) if entry is None else _entry(edit, edit.entry_in(document))
        case _:
            raise TypeError(f"{type(edit).__name__} has no words")


def _whole_list(edit: EntryEdit) -> str:
    match edit:
        case RemovePodAffinity():
            return _("remove the required pod affinity")
        case RemovePodAntiAffinity():
            return _("remove the required pod anti-affinity")
        case RemoveSpread():
            return _("remove all spread constraints")
        case _:
            raise TypeError(f"{type(edit).__name__} has no words")


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

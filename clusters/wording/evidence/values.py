"""Named values that the evidence of several plugins shows alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.wording import amounts
from clusters.wording.evidence.views import FactView
from clusters.wording.lists import listed
from clusters.wording.selectors import requirement_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.evidence import CountedPod, NodeTerm


def resource_fact(name: str, resource: str, value: int) -> FactView:
    """Show an amount of a resource."""
    if amounts.resource_unit(resource) is amounts.Unit.BYTES:
        return bytes_fact(name, value)
    return FactView(name, amounts.quantity(resource, value))


def bytes_fact(name: str, value: int) -> FactView:
    """Show bytes, to the byte too where they are rounded."""
    text = amounts.size(value)
    return FactView(name, text, amounts.exactly(value) if "." in text else "")


def count_fact(name: str, value: int) -> FactView:
    """Show a whole number."""
    return FactView(name, amounts.grouped(value))


def yes_no(value: bool) -> str:
    """Word a fact that is so or not."""
    return _("yes") if value else _("no")


def node_value(value: str | None) -> str:
    """Word the value of a node's label; None is a label that the node lacks."""
    return _("no such label") if value is None else value or _("empty")


def pod_name(pod: CountedPod) -> str:
    """Name a pod that counts on a node."""
    return _("%(pod)s, nominated for this node") % {"pod": pod.key} if pod.nominated else pod.key


def pod_facts(name: str, pods: Iterable[CountedPod]) -> tuple[FactView, ...]:
    """Show pods one by one under one name."""
    return tuple(FactView(name, pod_name(pod)) for pod in pods)


def pod_list(pods: Iterable[CountedPod]) -> str:
    """Name pods in a list."""
    return listed([pod.key for pod in pods])


def requirements(term: NodeTerm) -> str:
    """Write all requirements of a term; one without any that can be read matches no node."""
    return ", ".join(map(requirement_text, term.requirements)) or _("matches no node")

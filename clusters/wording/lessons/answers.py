"""Answers in words: what a learner can say, what somebody said, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.resources import CPU
from clusters.wording import states
from clusters.wording.amounts import localised
from clusters.wording.lists import alternatives, first_of, listed
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NOWHERE: Final = pgettext_lazy("answer of a lesson", "No node")
NO_POD: Final = pgettext_lazy("answer of a lesson", "No pod")
FITS: Final = states.FITS
NOT_CHOSEN: Final = pgettext_lazy("answer of a lesson", "Choose…")
NOTHING_CHOSEN: Final = gettext_lazy("Choose an answer first.")
NO_NUMBER: Final = gettext_lazy("Write a number first.")
NO_MANIFEST: Final = gettext_lazy("Write the manifest first.")
TOO_LONG: Final = gettext_lazy("The answer is too long.")

OUTCOMES: Final = {
    "scheduled": pgettext_lazy("outcome of a pod", "It is scheduled to a node"),
    "preempts": pgettext_lazy("outcome of a pod", "Other pods are removed for it (preemption)"),
    "unschedulable": pgettext_lazy("outcome of a pod", "It stays pending: it is unschedulable"),
    "gated": pgettext_lazy("outcome of a pod", "The scheduler does not try it: it is gated"),
    "refused": pgettext_lazy("outcome of a pod", "The API server does not create it"),
}
EVICTIONS: Final = {
    "allowed": pgettext_lazy("answer to an eviction", "Allowed (200)"),
    "refused": pgettext_lazy("answer to an eviction", "Refused by a budget (429)"),
    "error": pgettext_lazy("answer to an eviction", "Misconfigured: never allowed (500)"),
}

# Numbers that show every form of a word in the languages that there are.
_FORMS: Final = (1, 2, 5)
# What stands beside the field of a number, by the unit.
UNITS: Final = {
    "points": pgettext_lazy("unit of a number", "points"),
    "cpu": pgettext_lazy("unit of a number", "CPU, such as 1500m or 1.5"),
    "bytes": pgettext_lazy("unit of a number", "bytes, or a quantity such as 2Gi"),
    "count": "",
    "pods": pgettext_lazy("unit of a number", "pods"),
    "nodes": pgettext_lazy("unit of a number", "nodes"),
    "percent": "%",
    "seconds": pgettext_lazy("unit of a number", "seconds"),
    "nodes-per-second": pgettext_lazy("unit of a number", "nodes per second"),
}
ANY_CHANGE: Final = gettext_lazy("any change that meets every goal")


def number(text: str, unit: str) -> str:
    """Write a number with what it counts; amounts are quantities as manifests have them."""
    written = localised(text)
    match unit:
        case "cpu":
            return " ".join((as_code(text), resource_name(CPU)))
        case "percent":
            return f"{written} %"
        case "points":
            return ngettext("%(number)s point", "%(number)s points", _plural(text)) % {"number": written}
        case "pods":
            return ngettext("%(number)s pod", "%(number)s pods", _plural(text)) % {"number": written}
        case "nodes":
            return ngettext("%(number)s node", "%(number)s nodes", _plural(text)) % {"number": written}
        case "seconds":
            return ngettext("%(number)s second", "%(number)s seconds", _plural(text)) % {"number": written}
        case "nodes-per-second":
            return _("%(number)s nodes per second") % {"number": written}
        case _other:
            return as_code(text)


def unit_words(unit: str) -> frozenset[str]:
    """Return what may stand behind a number of a unit: the forms of a word in the language of the page."""
    forms = (number(str(count), unit).partition(" ")[2] for count in _FORMS)
    return frozenset() if unit in ("cpu", "bytes") else frozenset(filter(None, forms))


def _plural(text: str) -> int:
    """Return the number by which a language chooses its form; a fraction is none of one."""
    return int(text) if text.lstrip("-").isdecimal() else 0


def as_code(name: str) -> str:
    """Write a name as the texts of lessons do."""
    return f"`{name}`"


def one_of(names: Iterable[str]) -> str:
    """Name the nodes of which any is right; none where no node is."""
    return alternatives(map(as_code, names)) or str(NOWHERE)


def all_nodes(names: Iterable[str]) -> str:
    """Name the nodes that are right together."""
    return listed(map(as_code, names)) or str(NOWHERE)


def any_pods(sets: Iterable[Iterable[str]], most: int | None = None) -> str:
    """Name the pods that are right together, the first ``most``; where several sets are right, each of them."""
    return alternatives(_first(map(as_code, names), most) or str(NO_POD) for names in sets)


def in_order(names: Iterable[str], most: int | None = None) -> str:
    """Name things in their order, the first one first, and no more than ``most``."""
    placed = [f"{number}. {as_code(name)}" for number, name in enumerate(names, 1)]
    whole = ", ".join(placed) if most is None or len(placed) <= most else first_of(placed, most=most)
    return whole or str(NO_POD)


def _first(names: Iterable[str], most: int | None) -> str:
    every = list(names)
    return listed(every) if most is None else first_of(every, most=most)


def by_node(answers: Mapping[str, str | None]) -> str:
    """Name for each node the plugin that rejects the pod there, or say that it fits."""
    return ", ".join(
        f"{as_code(node)}: {FITS if plugin is None else as_code(plugin)}" for node, plugin in answers.items()
    )


MANIFEST: Final = gettext_lazy("the manifest below")

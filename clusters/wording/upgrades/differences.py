"""What an upgrade changes, in words: the headline, whom a difference is about, and the answers before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.upgrading import AnswerAspect
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import conclusion_word
from clusters.wording.lists import first_of, listed, side_by_side
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.conclusion import Conclusion

ASPECTS: Final = {
    AnswerAspect.ADMISSION: gettext_lazy("Admission"),
    AnswerAspect.VERDICT: gettext_lazy("Result"),
    AnswerAspect.PREEMPTION: gettext_lazy("Preemption"),
    AnswerAspect.NODES: gettext_lazy("Best nodes"),
    AnswerAspect.MESSAGE: gettext_lazy("FailedScheduling message"),
}
CONFIGURATION: Final = gettext_lazy("Scheduler configuration")
SETTING_ABSENT: Final = pgettext_lazy("value of a setting", "absent")
CREATED: Final = pgettext_lazy("answer of the API server", "The API server creates the pod.")
BEFORE: Final = pgettext_lazy("under the release that runs", "Before")
AFTER: Final = pgettext_lazy("under the later release", "After")


def headline(*, after: str, workloads: int, pending: int, results: int, nodes: int, messages: int) -> str:
    """Say how many answers an upgrade changes: results first, messages alone last."""
    if not results and not nodes and not messages:
        return _("Upgrade to %(after)s: nothing changes for %(workloads)s and %(pending)s.") % {
            "after": after,
            "workloads": counts.workloads(workloads),
            "pending": counts.pending_pods(pending),
        }
    return _(
        "Upgrade to %(after)s: %(results)s with another result, %(nodes)s with other best nodes and %(messages)s with "
        "another message, of %(workloads)s and %(pending)s."
    ) % {
        "after": after,
        "workloads": counts.workloads(workloads),
        "pending": counts.pending_pods(pending),
        "results": grouped(results),
        "nodes": grouped(nodes),
        "messages": grouped(messages),
    }


LEFT_OUT = plural(
    "%(number)s pod or workload is not evaluated: the preview is limited.",
    "%(number)s pods or workloads are not evaluated: the preview is limited.",
    by="number",
)
NOT_COMPUTED = plural("%(number)s pod could not be evaluated.", "%(number)s pods could not be evaluated.", by="number")


def ties(*, after: str, workloads: int, pending: int) -> str:
    """Say that one of several best nodes is no longer taken at random, and how many pods have several."""
    return _(
        "Of equally good nodes Kubernetes %(after)s nearly always takes the first in the order of its search, not a "
        "random one, so the first nodes fill up sooner. %(workloads)s and %(pending)s have several best nodes."
    ) % {"after": after, "workloads": counts.workloads(workloads), "pending": counts.pending_pods(pending)}


REFUSED = message("kube-scheduler %(release)s does not start with this configuration. %(problem)s")
REFUSED_PODS = plural(
    "The API server refuses the next pod of %(number)s workload under either minor. %(workload)s: %(why)s",
    "The API server refuses the next pod of %(number)s workloads under either minor, first %(workload)s: %(why)s",
    by="number",
)


def counted(*, workloads: int, pending: int) -> str:
    """Say for how many workloads and pending pods something changes."""
    return side_by_side((counts.workloads(workloads), counts.pending_pods(pending)))


NEXT_POD = message("next pod of %(kind)s %(namespace)s/%(name)s")


def pending_pods(pods: Sequence[str], *, total: int) -> str:
    """Name pending pods that are alike."""
    return first_of(pods, total=total, most=1)


MORE = plural("and %(number)s more", "and %(number)s more", by="number")


def plugin(*, release: str, profile: str, plugin: str, point: str) -> str:
    """Say that a plugin takes part at an extension point since a release."""
    return _("%(release)s: %(plugin)s takes part in %(point)s of profile %(profile)s.") % {
        "release": release,
        "plugin": plugin,
        "point": point,
        "profile": profile,
    }


def weighted_plugin(*, release: str, profile: str, plugin: str, point: str, weight: int) -> str:
    """Say with which weight a plugin takes part at an extension point since a release."""
    return _("%(release)s: %(plugin)s takes part in %(point)s of profile %(profile)s with weight %(weight)s.") % {
        "release": release,
        "plugin": plugin,
        "point": point,
        "profile": profile,
        "weight": grouped(weight),
    }


def plugin_gone(*, release: str, profile: str, plugin: str, point: str) -> str:
    """Say that a plugin no longer takes part at an extension point."""
    return _("%(release)s: %(plugin)s no longer takes part in %(point)s of profile %(profile)s.") % {
        "release": release,
        "plugin": plugin,
        "point": point,
        "profile": profile,
    }


def reordered(*, release: str, profile: str, point: str, first: Sequence[str]) -> str:
    """Say that the plugins of an extension point have another order, and which come first."""
    return _("%(release)s: plugins have another order in %(point)s of profile %(profile)s, first %(first)s.") % {
        "release": release,
        "point": point,
        "profile": profile,
        "first": listed(first),
    }


def setting(*, release: str, profile: str, plugin: str, name: str, value: str) -> str:
    """Say which value a setting of a plugin has since a release."""
    return _("%(release)s: %(plugin)s of profile %(profile)s has %(name)s %(value)s.") % {
        "release": release,
        "plugin": plugin,
        "profile": profile,
        "name": name,
        "value": value,
    }


def verdict(conclusion: Conclusion, message: str | None) -> str:
    """Name a verdict, with the scheduler's message where there is one."""
    if message is None:
        return conclusion_word(conclusion)
    return _("%(verdict)s: %(message)s") % {"verdict": conclusion_word(conclusion), "message": message}


def best_nodes(nodes: Sequence[str], *, total: int) -> str:
    """Name the nodes of which the scheduler takes one."""
    return first_of(nodes, total=total)


def preemption(node: str | None, victims: Sequence[str]) -> str:
    """Say on which node preemption makes room, if not for a whole group of pods, and which pods it removes."""
    if node is None and not victims:
        return pgettext("outcome of preemption", "not helpful")
    if node is None:
        return _("for its whole group, victims: %(victims)s") % {"victims": first_of(victims)}
    return _("on %(node)s, victims: %(victims)s") % {"node": node, "victims": first_of(victims)}


def tip(*, plugin: str, node_before: str, node_after: str, lead_before: int, lead_after: int) -> str:
    """Say which plugin tips the choice, by how many points: of all plugins its lead grows most, so it never shrinks."""
    before, after = grouped(abs(lead_before)), grouped(abs(lead_after))
    if lead_after > 0 and lead_before > 0:
        return ngettext(
            "%(plugin)s gives %(node_after)s %(after)s point more than %(node_before)s, before %(before)s more.",
            "%(plugin)s gives %(node_after)s %(after)s points more than %(node_before)s, before %(before)s more.",
            lead_after,
        ) % {"plugin": plugin, "node_after": node_after, "node_before": node_before, "after": after, "before": before}
    if lead_after > 0 and lead_before < 0:
        return ngettext(
            "%(plugin)s gives %(node_after)s %(after)s point more than %(node_before)s, before %(before)s fewer.",
            "%(plugin)s gives %(node_after)s %(after)s points more than %(node_before)s, before %(before)s fewer.",
            lead_after,
        ) % {"plugin": plugin, "node_after": node_after, "node_before": node_before, "after": after, "before": before}
    if lead_after > 0:
        return ngettext(
            "%(plugin)s gives %(node_after)s %(after)s point more than %(node_before)s, before as many.",
            "%(plugin)s gives %(node_after)s %(after)s points more than %(node_before)s, before as many.",
            lead_after,
        ) % {"plugin": plugin, "node_after": node_after, "node_before": node_before, "after": after}
    if lead_after < 0:
        return ngettext(
            "%(plugin)s gives %(node_after)s %(after)s point fewer than %(node_before)s, before %(before)s fewer.",
            "%(plugin)s gives %(node_after)s %(after)s points fewer than %(node_before)s, before %(before)s fewer.",
            -lead_after,
        ) % {"plugin": plugin, "node_after": node_after, "node_before": node_before, "after": after, "before": before}
    if lead_before < 0:
        return _("%(plugin)s gives %(node_after)s as many points as %(node_before)s, before %(before)s fewer.") % {
            "plugin": plugin,
            "node_after": node_after,
            "node_before": node_before,
            "before": before,
        }
    return _("%(plugin)s gives %(node_after)s as many points as %(node_before)s, as before.") % {
        "plugin": plugin,
        "node_after": node_after,
        "node_before": node_before,
    }

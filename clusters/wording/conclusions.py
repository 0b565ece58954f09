"""Conclusions about pods, and why one stays open, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.conclusion import (
    AppliedQuota,
    Conclusion,
    FailedComputation,
    FilteringExtender,
    ForeignPlugin,
    PossibleError,
    Uncertainty,
    UncomputedField,
    UncomputedObject,
)
from clusters.engine.scheduling import foreign_scorers, unknown_preempting
from clusters.wording import states
from clusters.wording.extenders import silence_sentence
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation


def conclusion_word(conclusion: Conclusion) -> str:
    """Return the name of a conclusion as a badge shows it."""
    return str(states.CONCLUSIONS[conclusion])


def uncertainty_clause(each: Uncertainty) -> str:
    """Say in a few words, as in a list, why a conclusion stays open."""
    match each:
        case UncomputedField(field="spec.resourceClaims"):
            return _("resource claims are not computed (%(plugin)s)") % {"plugin": each.plugin}
        case UncomputedField(field="spec.resourceClaims (cost)"):
            return _("resource claims are too costly to compute (%(plugin)s)") % {"plugin": each.plugin}
        case UncomputedField():
            return _("%(field)s is not computed (%(plugin)s)") % {"field": each.field, "plugin": each.plugin}
        case UncomputedObject():
            return _("%(kind)s %(namespace)s/%(name)s is not computed (%(plugin)s)") % {
                "kind": each.object_kind,
                "namespace": each.namespace,
                "name": each.name,
                "plugin": each.plugin,
            }
        case ForeignPlugin():
            return _("the plugin %(plugin)s is not part of Kubernetes") % {"plugin": each.plugin}
        case FilteringExtender():
            return _filtering_clause(each)
        case AppliedQuota():
            return _("a ResourceQuota applies (%(namespace)s/%(name)s)") % {
                "namespace": each.namespace,
                "name": each.name,
            }
        case FailedComputation():
            return _("it could not be computed (error %(reference)s in Berth's log)") % {"reference": each.reference}
        case PossibleError():
            return _("%(plugin)s fails on %(node)s, if the scheduler reaches it") % {
                "plugin": each.plugin,
                "node": each.node,
            }


def _filtering_clause(each: FilteringExtender) -> str:
    extender = extender_name(each.url_prefix)
    if each.resources:
        return _("%(extender)s filters the nodes for %(resources)s") % {
            "extender": extender,
            "resources": listed(each.resources),
        }
    return _("%(extender)s filters the nodes") % {"extender": extender}


def extender_name(url_prefix: str) -> str:
    """Name an extender by its address, as far as that was kept."""
    if url_prefix:
        return _("the extender %(address)s") % {"address": url_prefix}
    return _("an extender")


def uncertainty_clauses(uncertainties: Iterable[Uncertainty]) -> str:
    """List why a conclusion stays open, as it stands after a colon."""
    return "; ".join(uncertainty_clause(each) for each in uncertainties)


def uncertainty_sentence(each: Uncertainty) -> str:
    """Say why a conclusion stays open, and what would settle it."""
    return " ".join((_("Uncertain: %(reason)s.") % {"reason": uncertainty_clause(each)}, _meaning(each)))


def uncertain_sentence(uncertainties: Iterable[Uncertainty]) -> str:
    """Say that a conclusion stays open, and why."""
    return _("Uncertain: %(reasons)s.") % {"reasons": uncertainty_clauses(uncertainties)}


def _meaning(each: Uncertainty) -> str:
    match each:
        case UncomputedField() | UncomputedObject():
            return _("%(plugin)s may reject every node.") % {"plugin": each.plugin}
        case ForeignPlugin():
            return _("It may reject nodes or the pod.")
        case FilteringExtender():
            return _("It may reject any of them.")
        case AppliedQuota():
            return _("The API server may refuse the pod by this quota.")
        case FailedComputation():
            return _("This is a defect of Berth: please report it.")
        case PossibleError():
            return _("That ends the attempt, unless enough nodes were found before.")


def doubts(explanation: Explanation) -> list[str]:
    """Say what is not computed about a pod, and where that leaves the best node or preemption open."""
    profile = explanation.profile
    found = [uncertainty_sentence(each) for each in explanation.uncertainties]
    preempting = unknown_preempting(explanation)
    if preempting:
        names = listed(map(extender_name, preempting))
        found.append(_("%(extenders)s may preempt other pods.") % {"extenders": names})
    found += dict.fromkeys(silence_sentence(call.silence) for call in explanation.calls if call.silence)
    scorers = (*foreign_scorers(profile), *map(extender_name, explanation.unknown_scorers))
    if scorers and explanation.fits:
        found.append(
            _("Scores of %(scorers)s are not computed: another node may be best.") % {"scorers": listed(scorers)}
        )
    return found

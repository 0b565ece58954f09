"""What a decision amounts to in words, what ends an attempt, and what is worth knowing beside the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.analysis import (
    Circumstance,
    HeldTemplate,
    LargerThanNodes,
    ReservedForResource,
    TaintedNodes,
    TooFewDomains,
    UnreachedMinimum,
    circumstances,
)
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
from clusters.engine.scheduling import ExtenderCall, Silence, Verb, foreign_scorers, unknown_preempting
from clusters.engine.status import CycleError, Phase
from clusters.engine.taints import TaintMeaning
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.lists import ON, first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.plugins.reasons import reason_phrases
from clusters.wording.resources import resource_amount, resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation


# -- How an attempt to schedule a pod ends, in words ------------------------------------------------------------------


_PHASES: Final = {
    Phase.PRE_FILTER: "PreFilter",
    Phase.FILTER: "Filter",
    Phase.PRE_SCORE: "PreScore",
    Phase.SCORE: "Score",
    Phase.WEIGHING: "Score",
}


def nomination_sentence(explanation: Explanation) -> str:
    """Say why the node that a pod is nominated for is taken."""
    return _("%(node)s is taken without scoring: status.nominatedNodeName names it.") % {
        "node": explanation.pod.nominated_node_name
    }


def error_sentence(error: CycleError) -> str:
    """Say what ends an attempt in an error, and what that means for the pod."""
    phase = str(_PHASES[error.phase])
    return _("Scheduler error: %(plugin)s fails in %(phase)s, which ends the attempt.") % {
        "plugin": error.plugin,
        "phase": ON(what=phase, where=error.node) if error.node else phase,
    }


def passing_sentence(explanation: Explanation) -> str:
    """Say on how many nodes the filters of an attempt that ends in an error find nothing."""
    passing = len(explanation.cycle.feasible)
    return ngettext(
        "%(passing)s of %(nodes)s node passes every filter.",
        "%(passing)s of %(nodes)s nodes pass every filter.",
        explanation.node_count,
    ) % {"passing": grouped(passing), "nodes": grouped(explanation.node_count)}


# -- Words for extenders that were asked about a pod ------------------------------------------------------------------


_SILENCES: Final[Mapping[Silence, object]] = {
    Silence.NOT_LISTED: gettext_lazy(
        "Not asked: add its host to BERTH_EXTENDER_HOSTS and upload the configuration again."
    ),
    Silence.TIMED_OUT: gettext_lazy("It did not answer in time."),
    Silence.UNREACHABLE: gettext_lazy("It could not be reached."),
    Silence.REFUSED: gettext_lazy("Its HTTP status was not 200."),
    Silence.UNREADABLE: gettext_lazy("Its answer is no extender's."),
    Silence.TOO_LARGE: gettext_lazy("Its answer is too large."),
    Silence.TOO_MANY_VICTIMS: gettext_lazy("Not asked about preemption: too many victims."),
    Silence.UNIDENTIFIED: gettext_lazy("Not asked about preemption: a victim has no UID."),
}


def answer_sentences(explanation: Explanation) -> Iterable[str]:
    """Say what each extender that was asked about a pod answered."""
    return (_answer(call) for call in explanation.calls if call.is_answered)


_GAVE_UP = message("The extender %(extender)s gave up, so the attempt fails: %(error)s")
_GAVE_UP_IGNORED = message("The extender %(extender)s gave up (ignored): %(error)s")
_PREEMPTION_UNUSABLE = message("The extender %(extender)s on preemption, unusable: %(error)s")
_PREEMPTION_IGNORED = message("The extender %(extender)s on preemption (ignored): %(error)s")
_KEEPS = plural(
    "The extender %(extender)s keeps %(kept)s of %(asked)s node.",
    "The extender %(extender)s keeps %(kept)s of %(asked)s nodes.",
    by="asked",
)
_SCORES = plural(
    "The extender %(extender)s scores %(kept)s of %(asked)s node.",
    "The extender %(extender)s scores %(kept)s of %(asked)s nodes.",
    by="asked",
)
_KEEPS_CANDIDATES = plural(
    "The extender %(extender)s keeps %(kept)s of %(asked)s candidate for preemption.",
    "The extender %(extender)s keeps %(kept)s of %(asked)s candidates for preemption.",
    by="asked",
)
_ALTERS = plural(
    "On %(nodes)s node it changes victims or violated budgets.",
    "On %(nodes)s nodes it changes victims or violated budgets.",
    by="nodes",
)
_ADDS = plural("It adds %(nodes)s node.", "It adds %(nodes)s nodes.", by="nodes")


def _answer(call: ExtenderCall) -> str:
    extender, preempts = call.extender.address, call.verb is Verb.PREEMPT
    if call.error:
        if call.extender.ignorable:
            return (_PREEMPTION_IGNORED if preempts else _GAVE_UP_IGNORED)(extender=extender, error=call.error)
        return (_PREEMPTION_UNUSABLE if preempts else _GAVE_UP)(extender=extender, error=call.error)
    if not preempts:
        return (_KEEPS if call.verb is Verb.FILTER else _SCORES)(extender=extender, kept=call.kept, asked=call.asked)
    removed = sum(change.after is None for change in call.changes)
    added = sum(change.before is None for change in call.changes)
    altered = len(call.changes) - removed - added
    said = [_KEEPS_CANDIDATES(extender=extender, kept=call.asked - removed, asked=call.asked)]
    if altered:
        said.append(_ALTERS(nodes=altered))
    if added:
        said.append(_ADDS(nodes=added))
    return " ".join(said)


# -- Conclusions about pods, and why one stays open, in words ---------------------------------------------------------


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
            named = f"{each.object_kind} {each.namespace}/{each.name}"
            return _("%(field)s is not computed (%(plugin)s)") % {"field": named, "plugin": each.plugin}
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
    found += dict.fromkeys(str(_SILENCES[call.silence]) for call in explanation.calls if call.silence)
    scorers = (*foreign_scorers(profile), *map(extender_name, explanation.unknown_scorers))
    if scorers and explanation.fits:
        found.append(
            _("Scores of %(scorers)s are not computed: another node may be best.") % {"scorers": listed(scorers)}
        )
    return found


# -- What is worth knowing beside the verdict of a pod that fits nowhere, in sentences --------------------------------


def circumstance_sentences(explanation: Explanation) -> list[str]:
    """Say what is worth knowing of a pod that fits nowhere."""
    return list(map(_sentence, circumstances(explanation)))


def _sentence(each: Circumstance) -> str:
    match each:
        case LargerThanNodes(resource, asked, most, node) if node:
            return _("The pod requests %(asked)s; the largest node has %(most)s (%(node)s).") % {
                "asked": resource_amount(resource, asked),
                "most": resource_amount(resource, most),
                "node": node,
            }
        case LargerThanNodes(resource):
            return _("No node has %(resource)s.") % {"resource": resource_name(resource)}
        case ReservedForResource(resource, nodes, number):
            return ngettext(
                "%(nodes)s is tainted for pods that request %(resource)s; ExtendedResourceToleration, "
                "off by default, adds the toleration.",
                "%(nodes)s are tainted for pods that request %(resource)s; ExtendedResourceToleration, "
                "off by default, adds the toleration.",
                number,
            ) % {"nodes": first_of(nodes, total=number, most=len(nodes)), "resource": resource}
        case TaintedNodes():
            return _tainted(each)
        case HeldTemplate(namespace, name, True):
            return _(
                "StatefulSet %(name)s replaces only deleted pods (OnDelete): delete this one after each "
                "change of the template."
            ) % {"name": f"{namespace}/{name}"}
        case HeldTemplate(namespace, name):
            return _(
                "StatefulSet %(name)s waits until this pod is Ready (OrderedReady): delete it after each "
                "change of the template."
            ) % {"name": f"{namespace}/{name}"}
        case TooFewDomains(key, domains, least):
            return ngettext(
                "Spread over %(key)s: the minimum counts as 0, as there is %(domains)s domain of minDomains %(least)s.",
                "Spread over %(key)s: the minimum counts as 0, as there are %(domains)s domains of "
                "minDomains %(least)s.",
                domains,
            ) % {"key": key, "least": least, "domains": grouped(domains)}
        case UnreachedMinimum():
            return ngettext(
                "Spread over %(key)s: limit %(limit)s = minimum %(minimum)s + maxSkew %(skew)s. "
                "%(domains)s holds the minimum, but rejects the pod: %(why)s.",
                "Spread over %(key)s: limit %(limit)s = minimum %(minimum)s + maxSkew %(skew)s. "
                "%(domains)s hold the minimum, but reject the pod: %(why)s.",
                each.number,
            ) % {
                "key": each.topology_key,
                "limit": grouped(each.minimum + each.max_skew),
                "skew": grouped(each.max_skew),
                "minimum": grouped(each.minimum),
                "domains": first_of(each.domains, total=each.number, most=len(each.domains)),
                "why": reason_phrases(each.status.reasons),
            }


def _tainted(each: TaintedNodes) -> str:
    values = {
        "nodes": first_of(each.nodes, total=each.number, most=len(each.nodes)),
        "setter": each.setter,
        "taint": each.taint,
    }
    match each.meaning:
        case TaintMeaning.LEAVING if each.setter:
            return (
                ngettext(
                    "%(setter)s is removing %(nodes)s (taint %(taint)s).",
                    "%(setter)s is removing %(nodes)s (taint %(taint)s).",
                    each.number,
                )
                % values
            )
        case TaintMeaning.VIRTUAL:
            return (
                ngettext(
                    "%(nodes)s is only for pods that %(setter)s binds (taint %(taint)s).",
                    "%(nodes)s are only for pods that %(setter)s binds (taint %(taint)s).",
                    each.number,
                )
                % values
            )
        case _:
            return (
                ngettext(
                    "%(nodes)s is not ready yet (taint %(taint)s).",
                    "%(nodes)s are not ready yet (taint %(taint)s).",
                    each.number,
                )
                % values
            )

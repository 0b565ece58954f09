"""Words for why feature gates cannot be set."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.versions import problems as wrong
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(wrong.NotAGateSetting)
def not_a_gate_setting(problem: wrong.NotAGateSetting) -> Words:
    """Say how a gate is set."""
    said = _("%(found)s does not set a feature gate.") % {"found": problem.found}
    return Words(said, _("Write the name of a gate and true or false, as in DRADeviceTaints=true."))


@words.register(wrong.UnknownGate)
def unknown_gate(problem: wrong.UnknownGate) -> Words:
    """Name the gate that is written most alike, or all of them."""
    if problem.minor:
        said = _("Kubernetes %(minor)s has no feature gate of scheduling that is called %(found)s.") % {
            "minor": problem.minor,
            "found": problem.found,
        }
    else:
        said = _("No feature gate of scheduling is called %(found)s.") % {"found": problem.found}
    if problem.close:
        return Words(said, _("Did you mean %(close)s?") % {"close": problem.close})
    return Words(said, _("Known gates: %(known)s.") % {"known": listed(problem.known)})


@words.register(wrong.LockedGate)
def locked_gate(problem: wrong.LockedGate) -> Words:
    """Say that kube-scheduler would not start."""
    remedy = _("Leave %(gate)s out.") % {"gate": problem.gate}
    if problem.is_on:
        said = _("Kubernetes %(minor)s locks %(gate)s to true: kube-scheduler does not start with another value.") % {
            "minor": problem.minor,
            "gate": problem.gate,
        }
    else:
        said = _("Kubernetes %(minor)s locks %(gate)s to false: kube-scheduler does not start with another value.") % {
            "minor": problem.minor,
            "gate": problem.gate,
        }
    return Words(said, remedy)

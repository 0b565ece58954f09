"""Words for why feature gates cannot be set."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.versions import GateWithoutDependency, LockedGate, NotAGateSetting, UnknownGate
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(NotAGateSetting)
def not_a_gate_setting(problem: NotAGateSetting) -> Words:
    """Say how a gate is set."""
    said = _("%(found)s does not set a feature gate.") % {"found": problem.found}
    return Words(said, _("Write the name of a gate and true or false, as in DRADeviceTaints=true."))


@words.register(UnknownGate)
def unknown_gate(problem: UnknownGate) -> Words:
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


@words.register(LockedGate)
def locked_gate(problem: LockedGate) -> Words:
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


@words.register(GateWithoutDependency)
def gate_without_dependency(problem: GateWithoutDependency) -> Words:
    """Say which gates a gate needs: kube-scheduler would not start."""
    said = ngettext(
        "%(gate)s is on and depends on a feature gate that is off in Kubernetes %(minor)s: %(missing)s. "
        "kube-scheduler does not start with it.",
        "%(gate)s is on and depends on feature gates that are off in Kubernetes %(minor)s: %(missing)s. "
        "kube-scheduler does not start with it.",
        len(problem.missing),
    ) % {"gate": problem.gate, "minor": problem.minor, "missing": listed(problem.missing)}
    return Words(said, _("Set %(missing)s to true as well.") % {"missing": listed(problem.missing)})

"""What a simulation has besides its changes: the labels, hints and choices of the form."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

TITLE: Final = gettext_lazy("Title")
TITLE_PLACEHOLDER: Final = gettext_lazy("named after its changes")
TITLE_HINT: Final = gettext_lazy("The name of the simulation in lists.")
BASE: Final = gettext_lazy("Begin with")
CLUSTER_NOW: Final = gettext_lazy("the cluster as it is now")
EMPTY_CLUSTER: Final = gettext_lazy("an empty cluster")
PLACE: Final = gettext_lazy("Pods of the cluster")
PENDING_FIRST: Final = gettext_lazy("pending pods are placed first")
ALL_AGAIN: Final = gettext_lazy("all pods but those of DaemonSets are removed from their nodes and placed again")
SCHEDULER: Final = gettext_lazy("Scheduler")
POD_BY_POD: Final = gettext_lazy("kube-scheduler: pod by pod")
ALL_AT_ONCE: Final = gettext_lazy("all at once: a flow over the same filters and scores")
NEEDS_SOLVER: Final = gettext_lazy("All at once needs OR-tools: install requirements-batch.lock.")
SAMPLES: Final = gettext_lazy("Look at as many nodes as the scheduler samples")
SAMPLES_HINT: Final = gettext_lazy("percentageOfNodesToScore, with its rotating start and zones in turn.")
RESCHEDULES: Final = gettext_lazy("All at once: placed pods may be moved")
GANGS: Final = gettext_lazy("All at once: groups whole or not at all")
GANGS_HINT: Final = gettext_lazy("The label scheduling.x-k8s.io/pod-group names a pod's group.")
SEED: Final = gettext_lazy("Seed")
KUBERNETES: Final = gettext_lazy("Kubernetes")
OWN_KUBERNETES: Final = gettext_lazy("the cluster's own version")
CONFIGURATION_HINT: Final = gettext_lazy("Only for this simulation. Empty: the cluster's own.")


def in_line(line: int, problem: str) -> str:
    """Say in which line of a configuration a problem is; ``problem`` is whole sentences."""
    return _("Line %(line)s: %(problem)s") % {"line": line, "problem": problem}

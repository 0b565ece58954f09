"""What a simulation has besides its changes: the labels, hints and choices of the form."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

TITLE: Final = gettext_lazy("Title")
TITLE_PLACEHOLDER: Final = gettext_lazy("after its changes")
TITLE_HINT: Final = gettext_lazy("Its name in lists.")
BASE: Final = gettext_lazy("Begin with")
CLUSTER_NOW: Final = gettext_lazy("the cluster now")
EMPTY_CLUSTER: Final = gettext_lazy("an empty cluster")
PLACE: Final = gettext_lazy("Pods of the cluster")
PENDING_FIRST: Final = gettext_lazy("pending pods first")
ALL_AGAIN: Final = gettext_lazy("all again, except those of DaemonSets")
SCHEDULER: Final = gettext_lazy("Scheduler")
POD_BY_POD: Final = gettext_lazy("kube-scheduler: pod by pod")
ALL_AT_ONCE: Final = gettext_lazy("all at once: a flow")
NEEDS_SOLVER: Final = gettext_lazy("All at once needs OR-tools: install requirements-batch.lock.")
SAMPLES: Final = gettext_lazy("Sample nodes as the scheduler does")
SAMPLES_HINT: Final = gettext_lazy("By percentageOfNodesToScore.")
RESCHEDULES: Final = gettext_lazy("All at once: placed pods may move")
GANGS: Final = gettext_lazy("All at once: whole groups only")
GANGS_HINT: Final = gettext_lazy("By the label scheduling.x-k8s.io/pod-group.")
SEED: Final = gettext_lazy("Seed")
KUBERNETES: Final = gettext_lazy("Kubernetes")
OWN_KUBERNETES: Final = gettext_lazy("the cluster's own version")
CONFIGURATION_HINT: Final = gettext_lazy("Empty: the cluster's own.")


def in_line(line: int, problem: str) -> str:
    """Say in which line of a configuration a problem is; ``problem`` is whole sentences."""
    return _("Line %(line)s: %(problem)s") % {"line": line, "problem": problem}

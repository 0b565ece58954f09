"""The builder of simulations: labels, hints and errors of its fields."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

ADD_CHANGE: Final = gettext_lazy("Add this change")
DAMAGED: Final = gettext_lazy("The changes are damaged or too large. Start over.")


TOO_SMALL = message("Write %(least)s or more.")


TOO_LARGE = message("Write %(most)s or less.")


FILE_TOO_LARGE = message("%(file)s has %(size)s; at most %(most)s.")
TOO_MANY_CHANGES = message("%(changes)s changes; at most %(most)s.")
MOST_CHANGES = message("At most %(most)s changes.")


# -- short texts -------------------------------------------------------------------------------------------------------


NO_RESOURCE = message("“%(text)s” is not name=amount.")


NO_LABEL = message("“%(text)s” is not key=value.")


NO_TAINT = message("“%(text)s” is not key=value:Effect, with %(effects)s.")


NO_WORKLOAD = message("“%(text)s” is not like shop/web.")
SEVERAL_WORKLOADS = message("Write %(workloads)s.")


# -- what is not there -------------------------------------------------------------------------------------------------


NO_SUCH_NODES = message("No such nodes: %(names)s.")


NO_SUCH_WORKLOAD = message("There is no %(workload)s.")


# Which nodes.
NODES: Final = gettext_lazy("Nodes")
BY_LABEL: Final = gettext_lazy("Or label selector")
BY_ZONE: Final = gettext_lazy("Or zone")
NO_CHOICE: Final = gettext_lazy("Choose one: names, a label selector or a zone.")

# A zone that is lost.
LOSE_ZONE: Final = gettext_lazy("Lose a zone")
LOSE_ZONE_ABOUT: Final = gettext_lazy("Removed: pods are recreated. Unreachable: nodes stop answering.")
ZONE: Final = gettext_lazy("Zone")
HOW: Final = pgettext_lazy("zone", "How")
REMOVED: Final = gettext_lazy("Nodes removed")
UNREACHABLE: Final = gettext_lazy("Nodes unreachable")

DRAIN: Final = gettext_lazy("Drain nodes")
DRAIN_ABOUT: Final = gettext_lazy("One by one, as far as disruption budgets allow.")
FAIL: Final = gettext_lazy("Fail nodes")
FAIL_ABOUT: Final = gettext_lazy("Tainted; pods are evicted as their tolerations end.")
STOP_REPORTING: Final = gettext_lazy("Unreachable")
REPORT_NOT_READY: Final = gettext_lazy("NotReady")
REMOVE: Final = gettext_lazy("Remove nodes")
REMOVE_ABOUT: Final = gettext_lazy("At once, without a drain.")
CORDON_OR_UNCORDON: Final = gettext_lazy("Cordon or uncordon nodes")
WHAT: Final = pgettext_lazy("nodes", "Action")
CORDON: Final = gettext_lazy("Cordon")
UNCORDON: Final = gettext_lazy("Uncordon")

TAINT: Final = gettext_lazy("Taint nodes")
TAINTS: Final = gettext_lazy("Taints")
KUBECTL_HINT: Final = gettext_lazy("As for kubectl; a final dash removes.")
LABEL: Final = gettext_lazy("Label nodes")
LABELS: Final = gettext_lazy("Labels")

# Nodes that are added.
ADD: Final = gettext_lazy("Add nodes")
ADD_ABOUT: Final = gettext_lazy("Like another node, or of a given size.")
COUNT: Final = gettext_lazy("Number of nodes")
LIKE: Final = gettext_lazy("Like node")
CPU: Final = gettext_lazy("Or with CPU")
MEMORY: Final = gettext_lazy("Memory")
PODS: Final = gettext_lazy("Pods")
RESOURCES: Final = gettext_lazy("Other resources")
ZONES: Final = gettext_lazy("In zones, in turn")
NO_SIZE: Final = gettext_lazy("Choose either a node to copy or CPU and memory.")


UNKNOWN_ZONE = message("There is no zone %(zone)s, only %(zones)s.")


WORKLOAD: Final = gettext_lazy("Workload")

# Another number of replicas.
SCALE: Final = gettext_lazy("Add replicas")
SCALE_ABOUT: Final = gettext_lazy("If fewer, its controller chooses which to delete.")
REPLICAS: Final = gettext_lazy("Replicas")
WORKLOADS_HOW: Final = pgettext_lazy("replicas", "How")
MORE: Final = pgettext_lazy("replicas", "more")
FEWER: Final = pgettext_lazy("replicas", "fewer")
IN_ALL: Final = pgettext_lazy("replicas", "in all")

WORKLOADS_REMOVE: Final = gettext_lazy("Remove a workload")

# Manifests.
MANIFEST: Final = gettext_lazy("Add from a manifest")
MANIFEST_ABOUT: Final = gettext_lazy("Pods, workloads, disruption budgets, priority classes, volumes.")
TEXT: Final = gettext_lazy("Manifest")
TEXT_HINT: Final = gettext_lazy("YAML or JSON.")
OTHER_REPLICAS: Final = gettext_lazy("Replicas, instead of its own")
NOT_UTF_8: Final = gettext_lazy("Not text in UTF-8. Choose YAML or JSON.")
NO_MANIFEST: Final = gettext_lazy("Paste a manifest, or choose a file.")

REMOVE_BUDGET: Final = gettext_lazy("Remove a disruption budget")
BUDGET: Final = gettext_lazy("Disruption budget")

# Traces.
TRACE: Final = gettext_lazy("Replay a trace")
TRACE_ABOUT: Final = gettext_lazy("CSV files in the openb format.")
TRACE_PODS: Final = gettext_lazy("Pods")
TRACE_NODES: Final = gettext_lazy("Nodes")
NO_TRACE: Final = gettext_lazy("Choose the file of pods.")


NOT_SCALED = message("Only %(kinds)s have replicas.")


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


IN_LINE = message("Line %(line)s: %(problem)s")


# Headroom.
LIKE_WORKLOADS: Final = gettext_lazy("Pods like those of")
LIKE_WORKLOADS_HINT: Final = gettext_lazy("One a line. In a mix, 3x web adds three of web in each turn.")
SIZES: Final = gettext_lazy("Pods that request")
SIZES_HINT: Final = gettext_lazy("CPU and memory, one a line.")
SHAPES_MANIFEST: Final = gettext_lazy("Or pods of a manifest")
SHAPES_MANIFEST_HINT: Final = gettext_lazy("Each Pod or workload is counted by itself.")
GANG: Final = gettext_lazy("Pods per gang")
MIX: Final = gettext_lazy("In turn, as one mix")
NO_SHAPES: Final = gettext_lazy("Choose a workload, requests or a manifest.")

# Nodes needed.
STUDIES_WORKLOAD: Final = gettext_lazy("More replicas of")
STUDIES_COUNT: Final = gettext_lazy("Replicas to add")
STUDIES_MANIFEST: Final = gettext_lazy("Or a manifest")
MANIFEST_HINT: Final = gettext_lazy("With its own replicas.")
STUDIES_LIKE: Final = gettext_lazy("On added nodes like")
STUDIES_NO_WORKLOAD: Final = gettext_lazy("Choose a workload, or paste a manifest.")

# Several configurations.
CONFIGURATIONS: Final = gettext_lazy("Configurations")
WEIGHTS: Final = gettext_lazy("Weights of scores")
WEIGHTS_HINT: Final = gettext_lazy("One configuration a line; 0 disables a score.")
NO_CONFIGURATION: Final = gettext_lazy("Choose at least one.")


TOO_MANY_LINES = message("At most %(most)s lines.")
STUDIES_NO_SIZE = message("“%(text)s” is not like 500m 1Gi.")
NO_WEIGHT = message("“%(text)s” is not like %(example)s.")

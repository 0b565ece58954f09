"""The forms of studies: headroom, the nodes that a workload needs, and several configurations."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

# Headroom.
LIKE_WORKLOADS: Final = gettext_lazy("Pods like those of")
LIKE_WORKLOADS_HINT: Final = gettext_lazy("One workload a line; 3x in front is its share of a mix.")
SIZES: Final = gettext_lazy("Pods that request")
SIZES_HINT: Final = gettext_lazy("CPU and memory, one pod a line.")
SHAPES_MANIFEST: Final = gettext_lazy("Or pods of a manifest")
SHAPES_MANIFEST_HINT: Final = gettext_lazy("Each Pod or workload in it is a shape.")
MIX: Final = gettext_lazy("All of them in turn, as one mix")
NO_SHAPES: Final = gettext_lazy("Write which pods: like a workload's, by requests, or by a manifest.")

# Nodes needed.
WORKLOAD: Final = gettext_lazy("More replicas of")
COUNT: Final = gettext_lazy("Number of replicas to add")
MANIFEST: Final = gettext_lazy("Or everything in a manifest")
MANIFEST_HINT: Final = gettext_lazy("With the manifest's own number of replicas.")
LIKE: Final = gettext_lazy("On added nodes like")
CPU: Final = gettext_lazy("Or with CPU")
NO_COUNT: Final = gettext_lazy("Write how many replicas to add.")
NO_WORKLOAD: Final = gettext_lazy("Write which workload gets replicas, or paste a manifest.")

# Several configurations.
CONFIGURATIONS: Final = gettext_lazy("Configurations")
WEIGHTS: Final = gettext_lazy("Weights of scores")
WEIGHTS_HINT: Final = gettext_lazy("One configuration a line. Weight 0 disables a score.")
NO_CONFIGURATION: Final = gettext_lazy("Choose one configuration at least.")


TOO_MANY_LINES = plural("At most %(most)s line is taken.", "At most %(most)s lines are taken.", by="most")
NO_SIZE = message("“%(text)s” is not CPU and memory. Write 500m 1Gi.")
NO_WEIGHT = message("“%(text)s” is not a weight. Write %(example)s.")

"""The forms of studies: headroom, the nodes that a workload needs, and several configurations."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

# Headroom.
LIKE_WORKLOADS: Final = gettext_lazy("Pods like those of")
LIKE_WORKLOADS_HINT: Final = gettext_lazy("One a line; 3x in front is a share of a mix.")
SIZES: Final = gettext_lazy("Pods that request")
SIZES_HINT: Final = gettext_lazy("CPU and memory, one a line.")
SHAPES_MANIFEST: Final = gettext_lazy("Or pods of a manifest")
SHAPES_MANIFEST_HINT: Final = gettext_lazy("Each Pod or workload is a shape.")
MIX: Final = gettext_lazy("In turn, as one mix")
NO_SHAPES: Final = gettext_lazy("Choose a workload, requests or a manifest.")

# Nodes needed.
WORKLOAD: Final = gettext_lazy("More replicas of")
COUNT: Final = gettext_lazy("Replicas to add")
MANIFEST: Final = gettext_lazy("Or a manifest")
MANIFEST_HINT: Final = gettext_lazy("With its own replicas.")
LIKE: Final = gettext_lazy("On added nodes like")
CPU: Final = gettext_lazy("Or with CPU")
NO_COUNT: Final = gettext_lazy("Write how many replicas.")
NO_WORKLOAD: Final = gettext_lazy("Choose a workload, or paste a manifest.")

# Several configurations.
CONFIGURATIONS: Final = gettext_lazy("Configurations")
WEIGHTS: Final = gettext_lazy("Weights of scores")
WEIGHTS_HINT: Final = gettext_lazy("One configuration a line; 0 disables a score.")
NO_CONFIGURATION: Final = gettext_lazy("Choose at least one.")


TOO_MANY_LINES = message("At most %(most)s lines.")
NO_SIZE = message("“%(text)s” is not like 500m 1Gi.")
NO_WEIGHT = message("“%(text)s” is not like %(example)s.")

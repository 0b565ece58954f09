"""The forms of studies: headroom, the nodes that a workload needs, and several configurations."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

# Headroom.
LIKE_WORKLOADS: Final = gettext_lazy("Pods like those of")
LIKE_WORKLOADS_HINT: Final = gettext_lazy("One workload a line. A share in front, as in 3x, counts in a mix.")
SIZES: Final = gettext_lazy("Pods that request")
SIZES_HINT: Final = gettext_lazy("CPU and memory, one pod a line.")
SHAPES_MANIFEST: Final = gettext_lazy("Or pods of a manifest")
SHAPES_MANIFEST_HINT: Final = gettext_lazy("Each Pod or workload in it is a shape.")
MIX: Final = gettext_lazy("All of them in turn, as one mix")
NO_SHAPES: Final = gettext_lazy("Write which pods: like those of a workload, by their requests, or by a manifest.")

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


def too_many_lines(most: int) -> str:
    """Say how many lines a field takes."""
    return ngettext("At most %(most)s line is taken.", "At most %(most)s lines are taken.", most) % {
        "most": grouped(most)
    }


def no_size(text: str) -> str:
    """Say that a text is no size of a pod."""
    return _("“%(text)s” is not CPU and memory. Write 500m 1Gi.") % {"text": text}


def no_weight(text: str, example: str) -> str:
    """Say that a text is no weight of a plugin; ``example`` is one."""
    return _("“%(text)s” is not a weight. Write %(example)s.") % {"text": text, "example": example}

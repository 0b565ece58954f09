"""What a review says of the simulation that it is about."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

NONE_NEWLY_PENDING: Final = gettext_lazy("No pod is newly pending.")
NONE_PENDING: Final = gettext_lazy("No pod is pending at its end.")
PODS_IN_FILES: Final = gettext_lazy("The CSV files name each pod.")
MESSAGES: Final = pgettext_lazy("table of a review", "kube-scheduler's messages")
FIRST_MESSAGE: Final = pgettext_lazy("column of a review", "Message of the first such pod")


def placed(pods: int) -> str:
    """Say how many pods a simulation placed."""
    return ngettext(
        "The simulation placed %(pods)s pod.",
        "The simulation placed %(pods)s pods.",
        pods,
    ) % {"pods": grouped(pods)}


def placed_in_part_uncertain(*, certain: int, uncertain: int) -> str:
    """Say how many pods a simulation placed for certain, and for how many more that is uncertain."""
    return ngettext(
        "The simulation placed %(pods)s pod for certain, and %(uncertain)s more that are uncertain.",
        "The simulation placed %(pods)s pods for certain, and %(uncertain)s more that are uncertain.",
        certain,
    ) % {"pods": grouped(certain), "uncertain": grouped(uncertain)}


def newly_pending(pods: int) -> str:
    """Say how many pods a change leaves newly pending."""
    return ngettext("%(pods)s pod is newly pending.", "%(pods)s pods are newly pending.", pods) % {
        "pods": grouped(pods)
    }


def forbidden(pods: int) -> str:
    """Say how many pods do not exist: the API server refuses them, or their StatefulSet waits for another pod."""
    return ngettext("%(pods)s pod is not created.", "%(pods)s pods are not created.", pods) % {"pods": grouped(pods)}


def still_pending(pods: int) -> str:
    """Say how many pods were pending before and still are."""
    return ngettext("%(pods)s pod is still pending.", "%(pods)s pods are still pending.", pods) % {
        "pods": grouped(pods)
    }


def only_cause(cause: str) -> str:
    """Say the one cause for which pods, which were counted just before, are pending."""
    return _("Cause: %(cause)s.") % {"cause": cause}


def main_cause(cause: str, pods: int) -> str:
    """Say the cause for which most of the pods are pending."""
    return ngettext(
        "Main cause: %(cause)s (%(pods)s pod).",
        "Main cause: %(cause)s (%(pods)s pods).",
        pods,
    ) % {"cause": cause, "pods": grouped(pods)}


def about(*, run: int, title: str, steps: int, seed: int) -> str:
    """Say which simulation a review is about, and that its other sections are about its end."""
    return ngettext(
        "Run %(run)s, “%(title)s”, took %(steps)s step with the seed %(seed)s. The sections below are about the "
        "cluster at its end.",
        "Run %(run)s, “%(title)s”, took %(steps)s steps with the seed %(seed)s. The sections below are about the "
        "cluster at its end.",
        steps,
    ) % {"run": str(run), "title": title, "steps": grouped(steps), "seed": str(seed)}

"""A stretch of the journal scheduled again, in words: what differs, what both came to, and what is not known."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

RECORDED: Final = pgettext_lazy("stretch", "as recorded")
PENDING: Final = pgettext_lazy("ending", "pending")
PREEMPTED: Final = pgettext_lazy("ending", "preempted")
ALIKE: Final = pgettext_lazy("decisions", "alike")
DIFFERS: Final = pgettext_lazy("decisions", "differs")
UNCERTAIN: Final = pgettext_lazy("decision", "uncertain")
SINCE: Final = gettext_lazy("From")
UNTIL: Final = gettext_lazy("Until")
ASSUMED: Final = gettext_lazy(
    "Pods that were deleted or finished go at that time, wherever they run. Victims go at once; those of the replay "
    "alone are not replaced. Ties go to the recorded node."
)
NONE_ELSEWHERE: Final = gettext_lazy("No pod is placed differently.")


SUMMARY = message(
    "Of %(pods)s pods, as recorded: %(same)s, on another node: %(elsewhere)s, pending only in the replay: %(there)s, "
    "only as recorded: %(here)s, preempted in one of both: %(others)s."
)
SHARE = message("Alike under the cluster's own configuration: %(alike)s of %(decisions)s decisions (%(percent)s %%).")
PREEMPTED_PODS = message("Preempted pods: %(here)s as recorded, %(there)s in the replay.")
# Pods that are left out, or of which less is known.
NOT_KEPT = message("Pods deleted while pending, left out, requests not kept: %(pods)s.")
OTHER_SCHEDULERS = message("Pods of other schedulers, left out, requests counted free: %(pods)s.")
WITHOUT_DECISION = message("Pods without recorded decision, left out, requests counted free: %(pods)s.")
NOT_COMPUTED = message("Pods left out, attempt not computed: %(pods)s.")
UNCERTAIN_PODS = message("Pods uncertain on their nodes: %(pods)s.")
CLAIMS = message("Pods with present claims, which may bind them to their nodes: %(pods)s.")
LATE = message("Pods that may have gone earlier than in the replay: %(pods)s.")
LOST = message("Pods on a removed node in the replay alone, gone with it: %(pods)s.")
MORE_WORKLOADS = message("%(workloads)s more are not listed.")

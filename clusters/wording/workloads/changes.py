"""More replicas of a workload, a rollout, and the loss of a zone: forms, badges, tables and pictures."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.admission import CreationRefusal, InvalidDefaults, LimitRangeRefusal
from clusters.engine.quotas import QuotaUncovered
from clusters.wording.amounts import grouped
from clusters.wording.messages import message

NO_SAMPLE: Final = gettext_lazy("There is no pod of this workload to copy.")
MORE_PODS: Final = pgettext_lazy("label of a field", "more pods")
NO_WHOLE_NUMBER: Final = gettext_lazy("Write a whole number of pods.")
TOO_FEW: Final = gettext_lazy("Write 1 or more.")
_TOO_MANY: Final = gettext_lazy("At most %(most)s.")

# What decides for a node.
ONLY_NODE: Final = pgettext_lazy("what decides for a node", "the only feasible node")
EQUAL_SCORES: Final = pgettext_lazy("what decides for a node", "equal scores")
DECIDED_FOR = message("%(reason)s (%(pods)s)", context="what decides for a node")

FIT_BADGE = message("%(fit)s of %(asked)s fit")
UNCERTAIN_BADGE = message("%(fit)s of %(asked)s uncertain")
PLACED_ON = message("Placed on %(nodes)s.")
PLACED_IN = message("Placed %(zones)s.")
PODS_IN = message("%(pods)s in %(zone)s", context="pods placed in a zone")
PODS_WITHOUT_ZONE = message("%(pods)s on nodes without a zone", context="pods placed in a zone")
PODS_ELSEWHERE = message("%(pods)s elsewhere", context="pods placed in a zone")

# Pictures.
GROWTH_TITLE: Final = gettext_lazy("More pods by zone")
NOW: Final = pgettext_lazy("part of a picture", "Now")
MORE: Final = pgettext_lazy("part of a picture", "More that fit")
SUMS = message("%(before)s + %(added)s", context="pods now and more")
LOSS_TITLE: Final = gettext_lazy("What the loss of a zone leaves")
LEFT: Final = pgettext_lazy("part of a picture", "Pods left")
LOST: Final = pgettext_lazy("part of a picture", "Pods lost")
ZONE_LOST: Final = pgettext_lazy("column", "Zone lost")
WITHOUT = message("without %(zone)s", context="row of a picture")
LEFT_OF = message("%(left)s of %(pods)s", context="pods left")
WORST_LOSS = message("Losing %(zone)s leaves %(left)s of %(pods)s, until pods are recreated elsewhere.")
ROLLOUT_TITLE: Final = gettext_lazy("Pods during the rollout")
ROUND: Final = pgettext_lazy("column", "Round")
OLD: Final = pgettext_lazy("line in a picture", "old")
NEW: Final = pgettext_lazy("line in a picture", "new")
FEWEST: Final = pgettext_lazy("line in a picture", "available at least")
BEFORE: Final = pgettext_lazy("moment of a rollout", "before")
UNIT: Final = pgettext_lazy("unit of a picture", "pods")
ROUND_NUMBER = message("round %(number)s")
ROLLOUT = message("At most %(most)s at once, at least %(fewest)s available.")

# Outcomes of a rollout and of a round.
COMPLETES: Final = pgettext_lazy("outcome of a rollout", "Completes")
STALLS: Final = pgettext_lazy("outcome of a rollout", "Stalls")
NOT_COMPUTED: Final = pgettext_lazy("outcome of a rollout", "Not computed to its end")
ROUND_DONE: Final = pgettext_lazy("outcome of a round", "Done")
ROUND_STALLED: Final = pgettext_lazy("outcome of a round", "Stalled")
PENDING_AND_REFUSED = message("%(waiting)s, and %(uncreated)s not created")
OLD_AND_NEW = message("%(old)s old, %(new)s new", context="pods of a rollout")
SKEW = message("%(skew)s, maxSkew %(max_skew)s")

_LIMIT_RANGE_REFUSES = message("LimitRange %(namespace)s/%(limit_range)s refuses it.")
_INVALID = message("It is invalid with the LimitRange defaults of namespace %(namespace)s.")
_UNCOVERED = message("No ResourceQuota of namespace %(namespace)s covers it, which is required.")
_QUOTA_REFUSES = message("ResourceQuota %(namespace)s/%(quota)s refuses it.")


def too_many(most: int) -> str:
    """Say how many pods can be tried at once."""
    return str(_TOO_MANY) % {"most": grouped(most)}


def refused_by(refusal: CreationRefusal) -> str:
    """Name what refuses a pod."""
    match refusal:
        case LimitRangeRefusal():
            return _LIMIT_RANGE_REFUSES(namespace=refusal.namespace, limit_range=refusal.limit_range)
        case InvalidDefaults():
            return _INVALID(namespace=refusal.namespace)
        case QuotaUncovered():
            return _UNCOVERED(namespace=refusal.namespace)
        case _quota:
            return _QUOTA_REFUSES(namespace=refusal.namespace, quota=refusal.quota)

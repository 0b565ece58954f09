"""What a cluster no longer has, in the place of the part of a page that showed it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

NO_GROUP: Final = gettext_lazy("The cluster has no such pod group.")


NO_BUDGET = message("%(cluster)s has no PodDisruptionBudget %(budget)s.")
NO_PODS = message("%(cluster)s has no pods of %(workload)s.")
NO_POD = message("%(cluster)s has no pod %(pod)s.")
NO_PROFILE = message("The configuration has no profile %(profile)s.")
NO_DEVICE_POOL = message("%(cluster)s has no device pool %(pool)s.")
NO_POD_GROUP = message("%(cluster)s has no pod group %(group)s.")
NO_RESOURCE_CLAIM = message("%(cluster)s has no ResourceClaim %(claim)s.")

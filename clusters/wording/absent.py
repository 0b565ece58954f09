"""What a cluster no longer has, in the place of the part of a page that showed it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

NO_GROUP: Final = gettext_lazy("The cluster has no such group of pods now.")


def no_budget(*, cluster: str, budget: str) -> str:
    """Say that a cluster has no budget of that namespace and name."""
    return _("%(cluster)s has no PodDisruptionBudget %(budget)s.") % {"cluster": cluster, "budget": budget}


def no_pods(*, cluster: str, workload: str) -> str:
    """Say that a cluster has no pods of a workload, which is written with its kind."""
    return _("%(cluster)s has no pods of %(workload)s now.") % {"cluster": cluster, "workload": workload}


def no_pod(*, cluster: str, pod: str) -> str:
    """Say that a cluster no longer has a pod."""
    return _("%(cluster)s has no pod %(pod)s now.") % {"cluster": cluster, "pod": pod}


def no_profile(profile: str) -> str:
    """Say that a scheduler configuration has no profile of that scheduler name."""
    return _("The configuration has no profile %(profile)s.") % {"profile": profile}


def no_device_pool(*, cluster: str, pool: str) -> str:
    """Say that a cluster has no pool of devices of that driver and name."""
    return _("%(cluster)s has no pool of devices %(pool)s now.") % {"cluster": cluster, "pool": pool}


def no_pod_group(*, cluster: str, group: str) -> str:
    """Say that a cluster has no group of pods of that namespace and name, and no pod names it."""
    return _("%(cluster)s has no pod group %(group)s now.") % {"cluster": cluster, "group": group}


def no_resource_claim(*, cluster: str, claim: str) -> str:
    """Say that a cluster has no ResourceClaim of that namespace and name."""
    return _("%(cluster)s has no ResourceClaim %(claim)s now.") % {"cluster": cluster, "claim": claim}

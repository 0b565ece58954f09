"""Lines that `manage.py` demo, configure, watch and ingest print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterable


DEMO_NAME_TAKEN = message("The cluster '%(cluster)s' is not the demo. Delete it to have the demo back.")
DEMO_IS_LOADED = message("The cluster '%(cluster)s' is loaded already.")


def demo_was_loaded(*, cluster: str, nodes: int, pods: int, revision: int | None) -> str:
    """Say what the demo cluster holds."""
    return _("The cluster '%(cluster)s' is loaded: %(nodes)s, %(pods)s, revision %(revision)s.") % {
        "cluster": cluster,
        "nodes": counts.nodes(nodes),
        "pods": counts.pods(pods),
        "revision": str(revision),
    }


def demo_day_was_recorded(decisions: int) -> str:
    """Say what a simulation put into the demo's journal."""
    return _("Its last day was simulated: %(decisions)s.") % {"decisions": counts.decisions(decisions)}


NO_CLUSTER_TO_CONFIGURE = message("There is no cluster %(cluster)s. Add one by manage.py ingest or watch.")
CLUSTER_GONE = message("The cluster %(cluster)s is gone, or no longer live.")
NO_CLUSTER_TO_WATCH = message("There is no cluster %(cluster)s. Add one with --kubeconfig PATH or --in-cluster.")
IS_OF_DUMPS = message("%(cluster)s is of dumps. Give the live cluster another name.")
CONFIGURED_BY_DEFAULT = message("%(cluster)s is explained with kube-scheduler's default configuration.")
CONFIGURED_BY_DUMP = message("%(cluster)s is explained with the configuration of its dump.")


def configured_by_file(*, cluster: str, profiles: Iterable[str], path: str) -> str:
    """Say that a cluster is explained with the profiles of a file."""
    names = tuple(profiles)
    return ngettext(
        "%(cluster)s is explained with the profile %(profiles)s of %(path)s.",
        "%(cluster)s is explained with the profiles %(profiles)s of %(path)s.",
        len(names),
    ) % {"cluster": cluster, "profiles": listed(names), "path": path}


def ingested(*, cluster: str, revision: int | None, version: str) -> str:
    """Name a cluster that was ingested, its revision and, where it is known, its Kubernetes version."""
    if version:
        return _("Cluster %(cluster)s, revision %(revision)s, Kubernetes %(version)s") % {
            "cluster": cluster,
            "revision": str(revision),
            "version": version,
        }
    return _("Cluster %(cluster)s, revision %(revision)s") % {"cluster": cluster, "revision": str(revision)}


ROWS = message("Rows: %(added)s added, %(changed)s changed, %(removed)s removed.")
SKIPPED_HEAD: Final = gettext_lazy("Skipped:")
GAPS_HEAD: Final = gettext_lazy("Not in this source (some answers are uncertain):")


def progress(*, state: str, share: str, read: int, is_log: bool) -> str:
    """Say how far an ingest is."""
    if is_log:
        return ngettext("%(state)s: %(share)s, %(read)s line", "%(state)s: %(share)s, %(read)s lines", read) % {
            "state": state,
            "share": share,
            "read": grouped(read),
        }
    return ngettext("%(state)s: %(share)s, %(read)s object", "%(state)s: %(share)s, %(read)s objects", read) % {
        "state": state,
        "share": share,
        "read": grouped(read),
    }

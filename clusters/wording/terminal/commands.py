"""Lines that `manage.py` demo, configure, watch and ingest print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable


def demo_name_taken(cluster: str) -> str:
    """Say that another cluster has the demo's name."""
    return _(
        "The cluster '%(cluster)s' holds something else than the demo, so it was left alone. "
        "Delete it to have the demo back."
    ) % {"cluster": cluster}


def demo_is_loaded(cluster: str) -> str:
    """Say that the demo cluster is there already."""
    return _("The cluster '%(cluster)s' is loaded already.") % {"cluster": cluster}


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
    return _("The last day of the demo was simulated: its journal holds %(decisions)s.") % {
        "decisions": counts.decisions(decisions)
    }


def no_cluster_to_configure(cluster: str) -> str:
    """Say that a cluster whose configuration is to be set does not exist."""
    return _("There is no cluster %(cluster)s. manage.py ingest and manage.py watch add one.") % {"cluster": cluster}


def cluster_gone(cluster: str) -> str:
    """Say that a cluster is no longer watched, because it is gone."""
    return _("The cluster %(cluster)s was deleted, or is no longer a live one.") % {"cluster": cluster}


def no_cluster_to_watch(cluster: str) -> str:
    """Say that a cluster that is to be watched does not exist."""
    return _("There is no cluster %(cluster)s. Add --kubeconfig PATH or --in-cluster for a new one.") % {
        "cluster": cluster
    }


def is_of_dumps(cluster: str) -> str:
    """Say that a cluster that is to be watched is mirrored from dumps."""
    return _("%(cluster)s is mirrored from dumps. Give the live cluster another name.") % {"cluster": cluster}


def configured_by_default(cluster: str) -> str:
    """Say that a cluster is explained with kube-scheduler's default configuration."""
    return _("%(cluster)s is explained with kube-scheduler's default configuration.") % {"cluster": cluster}


def configured_by_dump(cluster: str) -> str:
    """Say that a cluster is explained with the configuration of its dump."""
    return _("%(cluster)s is explained with the configuration of its dump.") % {"cluster": cluster}


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


def rows(*, added: int, changed: int, removed: int) -> str:
    """Say how many objects of the mirror an ingest changed."""
    return _("Rows: %(added)s added, %(changed)s changed, %(removed)s removed.") % {
        "added": grouped(added),
        "changed": grouped(changed),
        "removed": grouped(removed),
    }


def skipped_head() -> str:
    """Introduce what an ingest skipped."""
    return _("Skipped:")


def gaps_head() -> str:
    """Introduce what a source lacks."""
    return _("Not in this source, so some answers are uncertain:")


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

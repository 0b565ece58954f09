"""What commands say: of demos and imports, of lessons, and of quotas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable


DEMO_NAME_TAKEN = message("The cluster '%(cluster)s' is not the demo. Delete it to have the demo back.")
DEMO_IS_LOADED = message("The cluster '%(cluster)s' is loaded already.")


DEMO_WAS_LOADED = message("The cluster '%(cluster)s' is loaded: %(nodes)s, %(pods)s, revision %(revision)s.")


DEMO_DAY_WAS_RECORDED = message("Its last day was simulated: %(decisions)s.")


NO_CLUSTER_TO_CONFIGURE = message("There is no cluster %(cluster)s. Add one by %(command)s ingest or watch.")
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


INGESTED = message("Cluster %(cluster)s, revision %(revision)s, Kubernetes %(version)s")
VERSION_UNKNOWN: Final = pgettext_lazy("Kubernetes version", "unknown")


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


NOTHING_WRONG = plural(
    "%(lesson)s: %(steps)s step, nothing is wrong.", "%(lesson)s: %(steps)s steps, nothing is wrong.", by="steps"
)
STORED = message("Stored: %(lesson)s")
REMOVED = message("Deleted: %(lesson)s")
NO_SUCH_LESSON = message("No lesson %(lesson)s was stored. Lessons of Berth stay.")
WARNING = message("Warning: %(sentence)s")


LESSON_COLUMNS: Final = (
    pgettext_lazy("column in the terminal", "lesson"),
    pgettext_lazy("column in the terminal", "minutes"),
    pgettext_lazy("column in the terminal", "steps"),
    pgettext_lazy("column in the terminal", "languages"),
    pgettext_lazy("column in the terminal", "title"),
)


LEARNING_PATH = message("Path %(name)s: %(lessons)s")


NONE_FOUND: Final = gettext_lazy("No ResourceQuota here.")


HEAD = message("ResourceQuota %(namespace)s/%(quota)s")


SCOPED_HEAD = message("ResourceQuota %(namespace)s/%(quota)s, scopes: %(scopes)s")


RESOURCE_COLUMNS: Final = (
    pgettext_lazy("column in the terminal", "resource"),
    pgettext_lazy("column in the terminal", "used"),
    pgettext_lazy("column in the terminal", "hard"),
    pgettext_lazy("column in the terminal", "share"),
)


USER_COLUMNS: Final = (
    pgettext_lazy("column in the terminal", "used by"),
    pgettext_lazy("column in the terminal", "pods"),
    pgettext_lazy("column in the terminal", "further pods"),
    pgettext_lazy("column in the terminal", "used"),
)


UNLIMITED: Final = pgettext_lazy("number of further pods", "any")


HAS_TO_SPECIFY = message("none without %(resources)s")

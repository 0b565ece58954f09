"""One run of reading a dump or a scheduler's log: where it is, what it took, and what it leaves."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

# Steps of a run.
QUEUED: Final = pgettext_lazy("step of reading a dump", "Queued")
READING: Final = pgettext_lazy("step of reading a dump", "Reading")
WRITING: Final = pgettext_lazy("step of reading a dump", "Writing")
DONE: Final = pgettext_lazy("step of reading a dump", "Done")
# By the state that a row stores.
STATES: Final = {
    "queued": QUEUED,
    "reading": READING,
    "writing": WRITING,
    "done": DONE,
    "failed": pgettext_lazy("state of reading a dump", "Failed"),
    "cancelled": pgettext_lazy("state of reading a dump", "Cancelled"),
}

UNCHANGED: Final = gettext_lazy("The cluster is as it was before.")
NOTHING_READ_YET: Final = gettext_lazy("No dump of the cluster has been read yet.")
ON_POD_PAGES: Final = gettext_lazy("Attempts are on the pages of their pods.")
# What is counted: of a dump, and of a log.
OBJECTS_READ: Final = gettext_lazy("objects read")
KEPT: Final = pgettext_lazy("number of objects", "kept")
SKIPPED: Final = pgettext_lazy("number of objects", "skipped")
LINES_READ: Final = gettext_lazy("lines read")
ON_USAGE_PAGE: Final = gettext_lazy("They are on the page Usage.")
SAMPLES_KEPT: Final = gettext_lazy("samples of pods kept")
ATTEMPTS_KEPT: Final = gettext_lazy("attempts kept")
LINES_SKIPPED: Final = gettext_lazy("lines without an attempt")
# By the name under which it is counted: what is kept beside Kubernetes' kinds.
_KEPT: Final = {
    "recorded-attempts": gettext_lazy("recorded attempts"),
    "usage-samples": gettext_lazy("samples of pods' usage"),
    "disk-uses": gettext_lazy("nodes' use of disks"),
}


def kept_thing(kind: str) -> str:
    """Name what is kept: a kind of Kubernetes as it is."""
    return str(_KEPT.get(kind, kind))


OBJECTS = plural("%(number)s object", "%(number)s objects", by="number")
LINES = plural("%(number)s line", "%(number)s lines", by="number")
ATTEMPTS = plural("%(number)s recorded attempt", "%(number)s recorded attempts", by="number")
SAMPLES = plural("%(number)s sample of a pod", "%(number)s samples of pods", by="number")
USAGE_DONE = plural(
    "Usage taken: %(samples)s samples of pods, of %(hours)s hour.",
    "Usage taken: %(samples)s samples of pods, of %(hours)s hours.",
    by="hours",
)
DISKS_DONE = plural(
    "Disk usage of %(nodes)s node: on its page, Eviction under pressure.",
    "Disk usage of %(nodes)s nodes: on their pages, Eviction under pressure.",
    by="nodes",
)


def queued(file: str) -> str:
    """Say that no worker has begun."""
    return _("%(file)s is queued for a worker.") % {"file": file}


def reading(*, file: str, read: str, whole: str, counted: str) -> str:
    """Say how far the reading is."""
    return _("Reading %(file)s: %(read)s of %(whole)s, %(counted)s so far.") % {
        "file": file,
        "read": read,
        "whole": whole,
        "counted": counted,
    }


def spoken(percent: int) -> str:
    """Say how far the reading is, for screen readers."""
    return _("Reading, %(percent)s percent.") % {"percent": percent}


def writing(counted: str) -> str:
    """Say what is being written."""
    return _("Writing %(counted)s.") % {"counted": counted}


FAILED = message("%(file)s could not be read.")
CANCELLED = message("Reading %(file)s was cancelled.")
NOT_ADDED = message("No cluster %(cluster)s was added.")


def nothing_new(file: str, revision: int | None) -> str:
    """Say that a dump changes nothing."""
    return _("%(file)s holds nothing new: revision %(revision)s stays.") % {
        "file": file,
        "revision": revision,
    }


def done(*, read: str, added: int, changed: int, removed: int, revision: int | None) -> str:
    """Say what a dump changed."""
    return _("%(read)s read; %(added)s added, %(changed)s changed, %(removed)s removed. Revision %(revision)s.") % {
        "read": read,
        "added": grouped(added),
        "changed": grouped(changed),
        "removed": grouped(removed),
        "revision": revision,
    }


LOG_DONE = plural(
    "%(read)s read; %(added)s attempt added, %(completed)s completed, %(known)s known already.",
    "%(read)s read; %(added)s attempts added, %(completed)s completed, %(known)s known already.",
    by="added",
)


def document(number: int) -> str:
    """Name a document of a file by its number."""
    return _("document %(number)s") % {"number": number}

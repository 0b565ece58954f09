"""The forms that add clusters: labels, hints and errors."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

NAME: Final = gettext_lazy("Cluster name")
NAME_HINT: Final = gettext_lazy("Lower-case letters, digits and dashes.")
NAME_RULE: Final = gettext_lazy(
    "Write at most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit."
)
NAME_MISSING: Final = gettext_lazy("Give the cluster a name.")
NAME_JUST_TAKEN: Final = gettext_lazy("Take another name: this one was just taken.")
DUMP: Final = pgettext_lazy("label of a field", "Dump")
DUMP_HINT: Final = gettext_lazy("JSON, YAML or a .tar.gz of them; each may be gzip-compressed.")
DUMP_MISSING: Final = gettext_lazy("Choose a file first.")
DUMP_EMPTY: Final = gettext_lazy("The file is empty.")
CONNECTION: Final = pgettext_lazy("label of a field", "Connection")
CONNECTION_HINT: Final = gettext_lazy("A context of a kubeconfig on Berth's machine.")
CONNECTION_MISSING: Final = gettext_lazy("Choose a connection.")
CONNECTION_GONE: Final = gettext_lazy("This context is gone. Choose another one.")
THIS_POD: Final = gettext_lazy("This pod")
SERVICE_ACCOUNT: Final = gettext_lazy("its service account")


TOO_LARGE = message(
    "The file exceeds %(limit)s. Compress it with gzip, leave out kinds, or raise BERTH_UPLOAD_LIMIT_MIB."
)
NAME_TAKEN = message("%(name)s exists. Take another name.")
NAME_TAKEN_BY_DUMP = message("%(name)s exists. Take another name, or upload a newer dump from its page.")
BEING_READ = message("A dump of %(name)s is being read. Take another name, or wait.")
ALREADY_WRITTEN = message("%(file)s is being written, and not cancelled.")

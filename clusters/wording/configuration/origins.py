"""Words for whose scheduler configuration is in force in a cluster."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.messages import message

GIVEN_TO_LIVE = message(
    "The pods of %(cluster)s are explained, and its decisions judged, by a configuration that was given to Berth."
)


def given_instead_of_defaults(*, cluster: str) -> str:
    """Say that a configuration was given for a dump that contains none."""
    said = _(
        "The pods of %(cluster)s are explained by a configuration that was given to Berth, instead of by "
        "kube-scheduler's defaults, because its dump contains no configuration."
    ) % {"cluster": cluster}
    return " ".join((said, _("It is kept when a newer dump is read.")))


def given_instead_of_dump(*, cluster: str) -> str:
    """Say that a configuration was given in place of the one of the dump."""
    said = _(
        "The pods of %(cluster)s are explained by a configuration that was given to Berth, instead of by the one that "
        "its dump contains."
    ) % {"cluster": cluster}
    return " ".join((said, _("It is kept when a newer dump is read.")))


OF_DUMP = message("The pods of %(cluster)s are explained by the configuration that its dump contains.")
DEFAULTS_OF_LIVE = message(
    "The API server does not tell how the scheduler of %(cluster)s is configured. Its pods are explained, and its "
    "decisions judged, by kube-scheduler's defaults."
)
DEFAULTS_OF_DUMP = message("The dump of %(cluster)s has no configuration: kube-scheduler's defaults apply.")

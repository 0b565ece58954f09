"""What keeps kube-scheduler of a later minor from starting, in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.messages import message

TITLE: Final = gettext_lazy("kube-scheduler does not start after the upgrade")


def locked_gate(*, release: str, name: str, value: bool) -> str:
    """Say that a gate can no longer be set otherwise."""
    return _(
        "%(release)s: the feature gate %(name)s is locked to %(locked)s. kube-scheduler refuses to start with "
        "%(name)s=%(value)s: take it out of --feature-gates."
    ) % {"release": release, "name": name, "locked": str(not value).lower(), "value": str(value).lower()}


def removed_gate(*, release: str, name: str, value: bool) -> str:
    """Say that there is no such gate any more."""
    return _(
        "%(release)s: the feature gate %(name)s is removed. kube-scheduler refuses to start with %(name)s=%(value)s: "
        "take it out of --feature-gates."
    ) % {"release": release, "name": name, "value": str(value).lower()}


TAKEN_NAME = message(
    "%(release)s: Kubernetes has a plugin %(name)s of its own. A kube-scheduler with another of this "
    "name refuses to start: rename that."
)

"""What administrators read of accounts, groups and roles."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

LAST_ADMINISTRATOR: Final = gettext_lazy("Nobody would be left to give roles. Make somebody else administrator first.")
ROLE_OF_ALL = message("%(role)s is a role of the whole installation, not of one cluster. Leave the cluster out.")
NO_GROUP = message("There is no group %(name)s.")
NO_CLUSTER = message("There is no cluster %(name)s.")
NOT_HELD = message("%(holder)s has no such role.")
NAME_TAKEN: Final = gettext_lazy("There is a user with this name.")
GROUP_HINT: Final = gettext_lazy("Such as oidc:platform for a group of the identity provider.")

ROLE: Final = pgettext_lazy("field of a role", "Role")
CLUSTER: Final = pgettext_lazy("field of a role", "Cluster")
ALL_CLUSTERS: Final = pgettext_lazy("field of a role", "All clusters")
USER: Final = pgettext_lazy("column", "User")
ROLES: Final = pgettext_lazy("column", "Roles")
GROUPS: Final = pgettext_lazy("column", "Groups")
LAST_SIGN_IN: Final = pgettext_lazy("column", "Last sign-in")
TIME: Final = pgettext_lazy("column", "Time")
ACTION: Final = pgettext_lazy("column", "Action")
SUBJECT: Final = pgettext_lazy("column", "Subject")
ADDRESS: Final = pgettext_lazy("column", "Address")
REQUEST: Final = pgettext_lazy("column", "Request")
SINCE: Final = pgettext_lazy("filter", "Since")
UNTIL: Final = pgettext_lazy("filter", "Until")
ACCOUNTS: Final = pgettext_lazy("section", "Accounts")

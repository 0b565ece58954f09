"""The tables of accounts, groups and the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.wording import columns
from clusters.wording.access import administration as words
from dashboard.lists.columns import DataColumn, DataTable

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from dashboard.models import AuditEntry

ACCOUNTS: Final[DataTable[User]] = DataTable(
    DataColumn("user", words.USER, ("username",)),
    DataColumn("roles", words.ROLES),
    DataColumn("groups", words.GROUPS),
    DataColumn("state", columns.STATE),
    DataColumn("seen", words.LAST_SIGN_IN, ("last_login",), starts_descending=True),
    key=lambda row: str(row.pk),
    usual=("username",),
)
AUDIT: Final[DataTable[AuditEntry]] = DataTable(
    DataColumn("at", words.TIME),
    DataColumn("user", words.USER, value=lambda row: row.username),
    DataColumn("action", words.ACTION, value=lambda row: row.get_action_display()),
    DataColumn("cluster", words.CLUSTER, value=lambda row: row.cluster),
    DataColumn("subject", words.SUBJECT, value=lambda row: row.subject),
    DataColumn("address", words.ADDRESS, value=lambda row: row.address),
    DataColumn("request", words.REQUEST, value=lambda row: row.request_id),
    key=lambda row: str(row.pk),
)

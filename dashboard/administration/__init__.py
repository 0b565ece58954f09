"""Pages of administrators: accounts, groups, roles, and the audit log."""

from __future__ import annotations

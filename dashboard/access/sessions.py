"""Sessions in the database, asked for by keys that may be some only."""

from __future__ import annotations

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django's own, but for cookies that hold no key: PostgreSQL refuses to be asked about one with a NUL in it."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and len(key or "") >= 8 and (key or "").isalnum()

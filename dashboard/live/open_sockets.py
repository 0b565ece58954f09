"""The open websockets of a web process: so many for each owner, and each only as long as its owner is let in."""

from __future__ import annotations

import asyncio
import logging
from hmac import compare_digest
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone
from msgspec import Struct

from dashboard.access.backends import is_vouched_for
from dashboard.access.rights import Rights, rights_of_users

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Hashable, Iterable, Iterator

_log = logging.getLogger(__name__)

# Websocket close codes of our own. FAILED says that something failed here, and that connecting again is the remedy.
SIGNED_OUT = 4401
TOO_MANY = 4429
FAILED = 4500
# Seconds after which a session that ended is noticed.
SESSION_SECONDS = 15.0
# Of one user. A class of students that shares one account, with several pages each, stays below.
MOST_OF_ONE_USER = 200
# Seconds that a browser which reads nothing may take to be told that its socket is closed.
_PATIENCE = 2.0


# Compared by identity: one session may have many.
class OpenSocket(Struct, frozen=True, eq=False):
    """One socket: by which key its owner was let in, and what ends it with a close code.

    After that nothing is sent there any more.
    """

    key: Hashable
    owner: int
    end: Callable[[int], Awaitable[None]]


class OpenSockets:
    """Looks regularly, with the same queries for all sockets, whether those who have them open are let in still.

    `living` returns those keys, given with their owners, by which somebody still is; `most` is how many sockets one
    owner may have. Where it cannot be known, sockets are closed: browsers connect again, and are let in by somebody who
    can tell.
    """

    def __init__(self, living: Callable[[Iterable[tuple[Any, int]]], Container[Any]], most: int) -> None:
        self._living = living
        self._most = most
        self._sockets: set[OpenSocket] = set()
        self._rounds: asyncio.Task[None] | None = None
        self._endings: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._sockets)

    def add(self, socket: OpenSocket) -> bool:
        """Look after a socket from now on; False says that its owner has too many open already."""
        if sum(each.owner == socket.owner for each in self._sockets) >= self._most:
            return False
        self._sockets.add(socket)
        if self._rounds is None:
            self._rounds = asyncio.create_task(self._check_for_ever(), name="sessions of sockets")
        return True

    def remove(self, socket: OpenSocket) -> None:
        """Look after a socket no more; after the last one nothing is done any more."""
        self._sockets.discard(socket)
        if not self._sockets and self._rounds is not None:
            self._rounds.cancel()
            self._rounds = None

    async def _check_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SESSION_SECONDS)
            await self._check()

    async def _check(self) -> None:
        asked = tuple(self._sockets)
        keys = {(socket.key, socket.owner) for socket in asked}
        try:
            living = await database_sync_to_async(self._living, thread_sensitive=False)(keys)
        except Exception:  # noqa: BLE001 - whatever it is, nobody goes on listening who may be signed out
            _log.exception("Who is still let in cannot be looked up, so that all open websockets are closed.")
            ending = [(socket, FAILED) for socket in asked]
        else:
            ending = [(socket, SIGNED_OUT) for socket in asked if socket.key not in living]
        for socket, code in ending:
            # Not within the rounds, which end with the last socket.
            task = asyncio.create_task(_ended(socket, code))
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)


async def _ended(socket: OpenSocket, code: int) -> None:
    """End one socket, whatever becomes of it, so that the others do not wait for it."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await socket.end(code)
    except Exception:  # noqa: BLE001 - whatever it is, the socket is released by then, and the round goes on
        _log.warning("A websocket could not be told that it is closed (%s).", code, exc_info=True)


_open: WeakKeyDictionary[asyncio.AbstractEventLoop, OpenSockets] = WeakKeyDictionary()


def open_sockets() -> OpenSockets:
    """Return the open sockets of users on the running event loop, of which a web process has one."""
    return _open.setdefault(asyncio.get_running_loop(), OpenSockets(living_sessions, MOST_OF_ONE_USER))


# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE = 900


# A session's key, and where roles are on what the user could do when the socket was opened.
SessionKey = tuple[str, Rights | None]


def living_sessions(sessions: Iterable[tuple[SessionKey, int]]) -> set[SessionKey]:
    """Return the keys of those sessions, given with their users, by which the user is still signed in.

    One that was signed out, has expired, or is of a user who is gone, inactive, no longer vouched for, has another
    password or other rights is not among them. Two queries for 900 sessions, and two more where roles are on; one for
    each session of somebody whom others vouch for.
    """
    asked = list(sessions)
    living: set[SessionKey] = set()
    for start in range(0, len(asked), _AT_ONCE):
        part = asked[start : start + _AT_ONCE]
        alive = set(_living({session: user for (session, _), user in part}))
        rights = rights_of_users(User.objects.filter(pk__in={user for _, user in part})) if settings.BERTH_ROLES else {}
        living |= {key for key, user in part if key[0] in alive and key[1] == rights.get(user)}
    return living


def _living(users: dict[str, int]) -> Iterator[str]:
    accounts = User.objects.filter(is_active=True).in_bulk(set(users.values()))
    for session in Session.objects.filter(session_key__in=users, expire_date__gt=timezone.now()):
        content = session.get_decoded()
        account = accounts.get(users[session.session_key])
        if account is None or str(account.pk) != content.get(SESSION_KEY):
            continue
        if not is_vouched_for(account.pk, content.get(BACKEND_SESSION_KEY)):
            continue
        if compare_digest(account.get_session_auth_hash(), content.get(HASH_SESSION_KEY, "")):
            yield session.session_key

"""The gate before the websockets, as dashboard.asgi builds it, around a consumer that lets everybody in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.test import Client
from django.urls import path

from dashboard import asgi
from dashboard.access.websocket import SameOriginOnly, SignedInOnly
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db(transaction=True)


class Open(AsyncWebsocketConsumer):
    channel_layer_alias = ""

    async def connect(self) -> None:
        await self.accept()


def gated() -> Any:
    consumer: Any = Open.as_asgi()
    routes: list[Any] = [path("ws/", consumer)]
    return AllowedHostsOriginValidator(SameOriginOnly(AuthMiddlewareStack(SignedInOnly(URLRouter(routes)))))


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


async def connects(application: Any, *, origin: str | None, host: str = "localhost:8000", session: str = "") -> bool:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if session:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()))
    client = WebsocketClient(application, "/ws/", headers=headers)
    connected = await client.connect()
    if connected:
        await client.close()
    return connected


async def test_signed_in_user_of_our_own_origin_gets_in(user: User) -> None:
    session = await sync_to_async(session_of)(user)

    assert await connects(gated(), origin="http://localhost:8000", session=session)


async def test_stranger_is_refused() -> None:
    assert not await connects(gated(), origin="http://localhost:8000")
    assert not await connects(gated(), origin="http://localhost:8000", session="forged")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost:9999", "http://localhost.evil.example:8000", "null", None]
)
async def test_signed_in_user_sent_by_another_page_is_refused(user: User, origin: str | None) -> None:
    session = await sync_to_async(session_of)(user)

    assert not await connects(gated(), origin=origin, session=session)


async def test_name_that_is_not_ours_is_refused_even_if_host_and_origin_agree(user: User) -> None:
    session = await sync_to_async(session_of)(user)

    assert not await connects(gated(), origin="http://evil.example", host="evil.example", session=session)


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://localhost:99999999", "http://localhost:x", "//"])
async def test_an_origin_that_is_no_address_is_refused_by_the_real_application(user: User, origin: str) -> None:
    session = await sync_to_async(session_of)(user)
    host = origin.removeprefix("http://")

    assert not await connects(asgi.application, origin=origin)
    assert not await connects(asgi.application, origin=origin, host=host, session=session)


async def test_an_address_that_there_is_not_is_refused(user: User) -> None:
    session = await sync_to_async(session_of)(user)

    assert not await connects(asgi.application, origin="http://localhost:8000", session=session)


async def test_the_real_application_refuses_a_stranger_before_it_looks_at_the_address() -> None:
    assert not await connects(asgi.application, origin="http://localhost:8000")

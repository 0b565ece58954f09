"""Addresses for signing in and out, and for one's tokens."""

from __future__ import annotations

from django.urls import path

from dashboard.access.views import SignInLinkView, SignInView, SignOutView, revoke, rotate_token, tokens
from dashboard.lazy_views import Views

_provider = Views("dashboard.access.provider_views")

urlpatterns = [
    path("sign-in/", SignInView.as_view(), name="sign-in"),
    path("sign-in/link/", SignInLinkView.as_view(), name="sign-in-link"),
    path("sign-in/provider/", _provider.begin, name="sign-in-provider"),
    path("sign-in/provider/return/", _provider.come_back, name="sign-in-provider-return"),
    path("account/tokens/", tokens, name="tokens"),
    path("account/tokens/<int:pk>/rotate", rotate_token, name="token-rotate"),
    path("account/tokens/<int:pk>/revoke", revoke, name="token-revoke"),
    path("sign-out/", SignOutView.as_view(), name="sign-out"),
]

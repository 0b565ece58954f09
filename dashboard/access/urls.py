"""Addresses for signing in and out, and for one's tokens."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from dashboard.access.views import SignInLinkView, revoke, rotate_token, tokens

urlpatterns = [
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="sign-in"),
    path("sign-in/link/", SignInLinkView.as_view(), name="sign-in-link"),
    path("account/tokens/", tokens, name="tokens"),
    path("account/tokens/<int:pk>/rotate", rotate_token, name="token-rotate"),
    path("account/tokens/<int:pk>/revoke", revoke, name="token-revoke"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]

"""Addresses for signing in and out."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from dashboard.access.views import SignInLinkView

urlpatterns = [
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="sign-in"),
    path("sign-in/link/", SignInLinkView.as_view(), name="sign-in-link"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]

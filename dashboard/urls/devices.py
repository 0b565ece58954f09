"""Addresses of the pages about devices and the claims for them."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

devices = Views("dashboard.views.devices")
resource_claims = Views("dashboard.views.resource_claims")

urlpatterns = [
    path("", devices.devices, name="devices"),
    path("devices.csv", devices.devices_csv, name="devices-csv"),
    path("claims/", resource_claims.claims, name="resource-claims"),
    path("claims.csv", resource_claims.claims_csv, name="resource-claims-csv"),
    path("claims/<name:namespace>/<name:name>/", resource_claims.claim, name="resource-claim"),
    # Drivers name pools as they like, with slashes too.
    path("pools/<name:driver>/<path:pool>/", devices.pool, name="device-pool"),
]

"""Devices that drivers offer, and the ResourceClaims for them."""

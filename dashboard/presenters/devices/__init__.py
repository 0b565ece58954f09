"""Devices, pools and ResourceClaims in plain values."""

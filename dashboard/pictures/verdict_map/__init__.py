"""The map of a cluster's nodes, each coloured and marked by what is said of it: one picture for whatever is asked."""

from __future__ import annotations

"""A small cluster that somebody builds object by object, and what kube-scheduler decides in it, pod by pod."""

from __future__ import annotations

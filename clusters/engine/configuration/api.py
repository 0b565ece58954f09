"""The version of a configuration file's API."""

from __future__ import annotations

from typing import Final

# The only version that kube-scheduler v1.34 to v1.37 serve (apis/config/scheme); ``legacy`` translates earlier ones.
API_VERSION: Final = "kubescheduler.config.k8s.io/v1"

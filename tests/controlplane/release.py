"""As which release Berth answers in these tests: as the one that the control plane is of."""

from __future__ import annotations

from typing import Final

from clusters.engine.configuration import SchedulerConfiguration
from clusters.engine.versions import match_release
from tests.controlplane.binaries import KUBERNETES_VERSION

RELEASE: Final = match_release(KUBERNETES_VERSION).release
CONFIGURATION: Final = SchedulerConfiguration.default(RELEASE)

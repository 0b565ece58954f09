"""Questions about a cluster's state that may take long: begun while somebody waits, finished by a worker."""

from __future__ import annotations

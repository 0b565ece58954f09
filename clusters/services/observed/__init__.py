"""What simulators and schedulers recorded: kept, and compared with what is computed."""

from __future__ import annotations

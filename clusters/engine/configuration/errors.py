"""What can be wrong with a configuration, or with asking it for a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.configuration.problems import NoScheduler

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.problems import Problem


class ConfigurationError(ValueError):
    """A configuration that no kube-scheduler, or no kubelet, starts with: the field's path, and what is wrong."""

    def __init__(self, path: str, problem: Problem) -> None:
        super().__init__(f"{path or 'configuration'}: {problem!r}")
        self.path = path
        self.problem = problem


class UnknownScheduler(KeyError):  # noqa: N818 - it reads as the answer that it is
    """A pod names a scheduler that is no profile of the configuration."""

    def __init__(self, scheduler_name: str, known: Iterable[str]) -> None:
        self.scheduler_name = scheduler_name
        self.known = tuple(known)
        self.problem = NoScheduler(repr(scheduler_name), self.known)
        super().__init__(scheduler_name)

    def __str__(self) -> str:
        return repr(self.problem)

"""When the kubelet restarts a container that ended, and what becomes of its pod meanwhile.

Upstream (v1.34.1, gates at their defaults): ``doBackOff`` in ``pkg/kubelet/kuberuntime/kuberuntime_manager.go`` with
the back-off of ``pkg/kubelet/kubelet.go``; ``ShouldContainerBeRestarted`` in ``pkg/kubelet/container/helpers.go``; and
``getPhase`` in ``pkg/kubelet/kubelet_pods.go``. ContainerRestartRules, KubeletCrashLoopBackOffMax and
ReduceDefaultCrashLoopBackOffDecay are alpha and off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.objects import Document

# Seconds: the delay after the first restart, the longest one, and after how long a run it begins anew.
FIRST_DELAY: Final = 10
LONGEST_DELAY: Final = 300
FORGOTTEN_AFTER: Final = 600

CRASH_LOOP: Final = "CrashLoopBackOff"
_TOLD: Final = re.compile(
    r"back-off (?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,3})m)?(?P<seconds>\d{1,3})(?:\.\d+)?s\b"
)
_LISTS: Final = ("initContainerStatuses", "containerStatuses")


def delay_before(restart: int) -> int:
    """Return how many seconds after its end a container is restarted for the ``restart``-th time, counted from 1.

    The first time it is at once; a run of more than FORGOTTEN_AFTER seconds makes the next restart a first one again.
    """
    if restart <= 1:
        return 0
    # Beyond 5 doublings the longest is reached, however often it is restarted.
    return min(LONGEST_DELAY, FIRST_DELAY << min(restart - 2, 5))


def is_restarted(policy: str, exit_code: int) -> bool:
    """Return whether a container that ended is started again in its pod, of this restartPolicy."""
    return policy == "Always" or (policy == "OnFailure" and exit_code != 0)


def phase_of(policy: str, exit_codes: Sequence[int | None]) -> str:
    """Return the phase of a pod whose containers all began: each has ended with an exit code, or runs (None)."""
    if not exit_codes or any(code is None or is_restarted(policy, code) for code in exit_codes):
        return "Running"
    return "Failed" if any(exit_codes) else "Succeeded"


@dataclass(frozen=True, slots=True)
class CrashLoop:
    """A container that waits to be restarted.

    ``restart``: for the how many-th time, from 1; ``delay``: seconds from its end, and whether the kubelet tells it
    (``is_told``) or it follows from the number of restarts, which is the most it can be. ``ended``: when (RFC 3339),
    empty where that is not known; ``reason`` and ``exit_code`` of its last end, "" and None where not.
    """

    container: str
    restart: int
    delay: int
    is_told: bool
    ended: str
    reason: str
    exit_code: int | None


def crash_loops(pod: Document) -> Iterator[CrashLoop]:
    """Yield the containers of a pod that are in CrashLoopBackOff."""
    status = pod.get("status") or {}
    for statuses in _LISTS:
        for each in status.get(statuses) or ():
            waiting = (each.get("state") or {}).get("waiting") or {}
            if waiting.get("reason") != CRASH_LOOP:
                continue
            last = (each.get("lastState") or {}).get("terminated") or {}
            restart = int(each.get("restartCount") or 0) + 1
            told = _delay_told(str(waiting.get("message") or ""))
            yield CrashLoop(
                container=str(each.get("name") or ""),
                restart=restart,
                delay=delay_before(restart) if told is None else told,
                is_told=told is not None,
                ended=str(last.get("finishedAt") or ""),
                reason=str(last.get("reason") or ""),
                exit_code=last.get("exitCode"),
            )


def _delay_told(message: str) -> int | None:
    match = _TOLD.match(message)
    if match is None:
        return None
    hours, minutes, seconds = (int(match[part] or 0) for part in ("hours", "minutes", "seconds"))
    return hours * 3600 + minutes * 60 + seconds

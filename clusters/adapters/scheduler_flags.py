"""What a kube-scheduler that runs as a pod is started with: its feature gates, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.versions import known_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.versions import GateSettings

_NAMESPACE: Final = "kube-system"
_SCHEDULER: Final = "kube-scheduler"
_FINISHED: Final = ("Succeeded", "Failed")
_FLAG: Final = "--feature-gates"
# A flag with every gate of Kubernetes has a third of this.
_LONGEST: Final = 32_768


def feature_gates_of(pod: dict[str, Any]) -> GateSettings | None:
    """Return the gates that are known here and set by a pod that runs kube-scheduler; None for any other pod.

    A pod that has finished runs none. The pod is as its source has it, not pruned: nothing else of its command is kept.
    """
    metadata, spec, status = pod.get("metadata"), pod.get("spec"), pod.get("status")
    if type(metadata) is not dict or type(spec) is not dict or metadata.get("namespace") != _NAMESPACE:
        return None
    if type(status) is dict and status.get("phase") in _FINISHED:
        return None
    containers = spec.get("containers")
    for container in containers if type(containers) is list else ():
        if type(container) is dict and container.get("name") == _SCHEDULER:
            found: GateSettings = {}
            # Of a flag that is there more than once, each adds to those before it.
            for value in _values(_words(container)):
                found |= known_settings(value[:_LONGEST])
            return found
    return None


def _words(container: dict[str, Any]) -> list[str]:
    lists = (container.get("command"), container.get("args"))
    return [word for each in lists if type(each) is list for word in each if type(word) is str]


def _values(words: list[str]) -> Iterator[str]:
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == _FLAG:
            yield value if equals else "".join(words[number + 1 : number + 2])

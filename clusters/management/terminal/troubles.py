"""What became of pods on their nodes, as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.engine.kubelet import OOM_KILLED, KubeletTermination, container_ends, resize_of, trouble_of
from clusters.management.terminal.layout import wrapped
from clusters.wording.pods import end_sentence, resize_sentence, trouble_remedy, trouble_sentence
from clusters.wording.terminal import explanation as words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.services.files import Dump


class TroubleReport(NamedTuple):
    """What is said of a pod before its decision; ``is_troubled``: it is not well on its node."""

    is_troubled: bool
    sentences: list[str]


def told_of(pod: dict[str, Any], dump: Dump) -> TroubleReport:
    """Say what is wrong with a pod on its node, how its containers ended, and which resize it waits for."""
    trouble, resize = trouble_of(pod, dump.snapshot), resize_of(pod)
    said = [] if trouble is None else [f"{trouble_sentence(trouble)} {trouble_remedy(trouble)}"]
    said += map(end_sentence, container_ends(pod))
    if resize is not None:
        said.append(resize_sentence(resize))
    if trouble is not None:
        said.append(str(words.IF_PENDING))
    return TroubleReport(trouble is not None, said)


def troubled_lines(dump: Dump, width: int) -> Iterator[str]:
    """Name the pods that are in trouble on their nodes, or had a container that was ended for its memory."""
    for key, pod in dump.pods.items():
        trouble = trouble_of(pod, dump.snapshot)
        # Those that ran and were ended have been replaced, and may be many.
        said = [] if trouble is None or isinstance(trouble, KubeletTermination) else [trouble_sentence(trouble)]
        said += [end_sentence(end) for end in container_ends(pod) if end.reason == OOM_KILLED]
        if said:
            yield ""
            yield from wrapped(f"{key}: {' '.join(said)}", width)

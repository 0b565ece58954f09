"""What the API server refuses of a pod, by rules between its fields; each field's own type is not looked at here.

Upstream: ``ValidatePodSpec`` of ``pkg/apis/core/validation/validation.go`` (v1.34.1, feature gates at their defaults),
as far as scheduling reads the fields. It runs after the plugins that change a pod, so what those may still add is not
held against a pod before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission.validation import affinity, containers, resources, spreading, tolerations
from clusters.engine.admission.validation.wrong import Wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

__all__ = ["Wrong", "wrongs_of"]


def wrongs_of(pod: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield every field for which the API server would refuse a pod; paths begin at the pod.

    ``is_admitted``: whether the plugins of admission had their say. Before that, a LimitRange may still give a limit or
    a request that is missing. Raises QuantityError for an amount that is none.
    """
    spec = pod.get("spec") or {}
    yield from containers.check(spec)
    yield from resources.check(spec, is_admitted=is_admitted)
    yield from tolerations.check(spec)
    yield from spreading.check(spec, is_admitted=is_admitted)
    yield from affinity.check(pod, is_admitted=is_admitted)

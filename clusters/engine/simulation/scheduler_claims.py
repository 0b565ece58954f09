"""The claims that the scheduler makes as it binds pods, for extended resources as devices, and quotas for them.

Upstream: ``createExtendedResourceClaimInAPI`` of ``plugins/dynamicresources`` and ``Usage`` of ``resource_claims.go``
in ``pkg/quota/v1/evaluator/core``, v1.34.1 and v1.37.2. Where a quota refuses the claim, PreBind fails, the pod stays
pending, and is tried again; here as soon as something is freed in its namespace.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusters.engine.messages import tells_failed_binding
from clusters.engine.objects import Pod

# DynamicResources by name: its PreBind makes the claim.
from clusters.engine.plugins.dynamic_resources import DynamicResources
from clusters.engine.reserving import claim_made_on
from clusters.engine.simulation.steps import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document
    from clusters.engine.simulation.admission import PodAdmission
    from clusters.engine.simulation.course import Course
    from clusters.engine.simulation.steps import Step


class SchedulerClaims:
    """Charges the scheduler's own claims as pods are placed; a pod whose claim is refused does not get its node."""

    def __init__(self, course: Course, admission: PodAdmission) -> None:
        self._course = course
        self._admission = admission
        # By namespace, each once, in the order in which their claims were refused.
        self._refused: dict[str, dict[str, None]] = {}

    def checked(self, step: Step) -> Step:
        """Return the step of an attempt, without its node where a quota refuses the claim that comes with that."""
        claim = self._claim(step)
        refusal = None if claim is None else self._admission.refused_claim(self._course.document_of(step.pod), claim)
        if claim is None or refusal is None:
            return step
        namespace = step.pod.partition("/")[0]
        message = (
            f'running PreBind plugin "{DynamicResources.name}": create claim for extended resources {namespace}/: '
            f"{refusal.message}"
        )
        return replace(
            step,
            outcome=Outcome.UNSCHEDULABLE,
            node="",
            total=None,
            ties=0,
            plugins=(DynamicResources.name,),
            message=message,
            uncertain=(),
        )

    def take_in(self, step: Step) -> None:
        """Take in an attempt, which may be a recorded one, before it happens to the snapshot.

        The claim that comes with a pod's node is charged, whatever is allowed; a pod whose claim was refused is noted.
        """
        if tells_failed_binding(step.message):
            self._refused.setdefault(step.pod.partition("/")[0], {})[step.pod] = None
        claim = self._claim(step)
        if claim is not None:
            self._admission.charge_claim(self._course.document_of(step.pod), claim)

    def freed(self, namespace: str) -> Iterator[str]:
        """Yield the pods of a namespace whose claims were refused before something was freed."""
        for key in self._refused.pop(namespace, ()):
            if key in self._course.waiting:
                yield key

    def _claim(self, step: Step) -> Document | None:
        """The claim that is made where a step places a pod; None where none is, or no quota is asked."""
        course, kind = self._course, self._course.kind_of(step.pod)
        if step.outcome is not Outcome.PLACED or kind.profile is None or not self._admission.asks_quotas(step.pod):
            return None
        pod = Pod(course.document_of(step.pod))
        return claim_made_on(course.snapshot, pod, kind.profile, course.snapshot.nodes.index[step.node])

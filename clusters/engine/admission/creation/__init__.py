"""What the API server makes of pods and claims that controllers create: the defaults of LimitRanges, and refusals.

Whatever else admission decides about a copy was decided about the pod that it is a copy of.
"""

from __future__ import annotations

from clusters.engine.admission.creation.defaults import with_defaults_of_now
from clusters.engine.admission.creation.limits import claim_refusal, pod_refusal
from clusters.engine.admission.creation.problems import CreationRefusal
from clusters.engine.admission.creation.written import as_written

__all__ = ["CreationRefusal", "as_written", "claim_refusal", "pod_refusal", "with_defaults_of_now"]

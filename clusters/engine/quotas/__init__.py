"""ResourceQuotas: which objects they count, what each is charged, and what the API server answers when it is too much.

Upstream (v1.34.1): ``pkg/quota/v1/evaluator/core`` and ``k8s.io/apiserver`` (``pkg/quota/v1/generic``,
``pkg/admission/plugin/resourcequota``).
"""

from __future__ import annotations

from clusters.engine.quotas.charge import Charge, claim_charge, device_claim_charge, object_charge, pod_charge
from clusters.engine.quotas.ledger import QuotaLedger
from clusters.engine.quotas.usage import QuotaUse, quota_uses

__all__ = [
    "Charge",
    "QuotaLedger",
    "QuotaUse",
    "claim_charge",
    "device_claim_charge",
    "object_charge",
    "pod_charge",
    "quota_uses",
]

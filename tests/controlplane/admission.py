"""What the API server of the tests limits by default: a class and a resource that no other test uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from pathlib import Path

ADMISSION_FILE: Final = "admission.json"
RESERVED_CLASS: Final = "test-reserved"
RESERVED_RESOURCE: Final = "test.berth/reserved"
ADMISSION_CONFIGURATION: Final[dict[str, Any]] = {
    "apiVersion": "apiserver.config.k8s.io/v1",
    "kind": "AdmissionConfiguration",
    "plugins": [
        {
            "name": "ResourceQuota",
            "configuration": {
                "apiVersion": "apiserver.config.k8s.io/v1",
                "kind": "ResourceQuotaConfiguration",
                "limitedResources": [
                    {
                        "resource": "pods",
                        "matchContains": [RESERVED_RESOURCE],
                        "matchScopes": [{"scopeName": "PriorityClass", "operator": "In", "values": [RESERVED_CLASS]}],
                    }
                ],
            },
        }
    ],
}


def write_admission_configuration(folder: Path) -> None:
    """Write it where the API server reads it."""
    (folder / ADMISSION_FILE).write_bytes(orjson.dumps(ADMISSION_CONFIGURATION))

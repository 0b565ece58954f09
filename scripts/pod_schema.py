"""Write the part of the Kubernetes API's schema that describes a Pod, from the pinned Kubernetes module.

Run with ``.venv/bin/python scripts/pod_schema.py``; needs Go, which nothing that runs needs. Names and types only: the
file says of each type which fields it has, and of each field its type, ``[]`` before the type of a list's items and
``{}`` before the type of a map's values.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "clusters" / "adapters" / "schema" / "pod.json"
MODULE, VERSION = "k8s.io/kubernetes", "v1.34.1"
SUM = "h1:F3p8dtpv+i8zQoebZeK5zBqM1g9x1aIdnA5vthvcuUk="
START = "io.k8s.api.core.v1.Pod"
# Written alike in every document, whatever the schema says of their form.
SCALARS = {"IntOrString": "int-or-string", "Quantity": "quantity", "Time": "time", "FieldsV1": "anything"}


def downloaded() -> Path:
    """Return the module's folder; the checksum is what Go's own database says."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["go", "mod", "download", "-json", f"{MODULE}@{VERSION}"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)
    if answer["Sum"] != SUM:
        raise SystemExit(f"{MODULE}@{VERSION}: the sum is {answer['Sum']}, pinned is {SUM}.")
    return Path(answer["Dir"])


def short(reference: str) -> str:
    """Return the last part of a definition's name."""
    return reference.rpartition(".")[2]


def type_of(field: dict[str, Any], wanted: list[str]) -> str:
    """Return a field's type, and note the definitions that it needs."""
    if reference := field.get("$ref"):
        name = reference.rpartition("/")[2]
        if short(name) in SCALARS:
            return SCALARS[short(name)]
        wanted.append(name)
        return short(name)
    kind: str = field["type"]
    if kind == "array":
        return f"[]{type_of(field['items'], wanted)}"
    if kind == "object":
        return f"{{}}{type_of(field['additionalProperties'], wanted)}"
    return str(field.get("format", kind)) if kind == "integer" else kind


def main() -> int:
    """Write the file."""
    specification = downloaded() / "api" / "openapi-spec" / "swagger.json"
    definitions = json.loads(specification.read_text(encoding="utf-8"))["definitions"]
    types: dict[str, dict[str, Any]] = {}
    wanted = [START]
    while wanted:
        name = wanted.pop()
        if short(name) in types:
            continue
        definition = definitions[name]
        fields = {key: type_of(field, wanted) for key, field in definition.get("properties", {}).items()}
        types[short(name)] = {"fields": fields, "required": definition.get("required", [])}
    document = {"source": f"{MODULE}@{VERSION}", "licence": "Apache-2.0", "types": dict(sorted(types.items()))}
    TARGET.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(types)} types")
    return 0


if __name__ == "__main__":
    sys.exit(main())

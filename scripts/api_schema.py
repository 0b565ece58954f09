"""Write what the Kubernetes API says of the kinds that people write, from the pinned Kubernetes modules.

Run with ``.venv/bin/python scripts/api_schema.py``; needs Go, which nothing that runs needs. Names, types and words
only: each ``apiVersion/kind`` with its type, and each type with its fields, as ``name:type`` with spaces between them.
``[]`` is before the type of a list's items and ``{}`` before that of a map's values, ``!`` after a field that has to be
there, and ``=`` before the words that a text may be, with ``|`` between them. A field of any of the minors is one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "clusters" / "adapters" / "schema" / "api.json"
MODULE: Final = "k8s.io/kubernetes"
# By version, the newest last; what has to be there, and words, are the newest's. The sums are those of Go's database.
SUMS: Final = {
    "v1.34.1": "h1:F3p8dtpv+i8zQoebZeK5zBqM1g9x1aIdnA5vthvcuUk=",
    "v1.35.4": "h1:o/8dBC/pHVpYoGV4OAIytAlNPZbdYVTXJHoYvXC4qzM=",
    "v1.36.3": "h1:qDQdoMiluAE2Eab6Fa52YV+WjiGz9mZFFoagEA6cI+o=",
    "v1.37.2": "h1:A2VDEiObzkYqFTKhSsn0ZEb0RlLEXpHWj93gi2HqEwE=",
    "v1.38.0-beta.0": "h1:WFbB3UeD/H3scT6yNJUpD3nkTFrcZkxluHqOEshQvgA=",
}
GROUPS: Final = frozenset(
    {
        "",
        "apps",
        "autoscaling",
        "batch",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
    }
)
# Of these groups, what programs write.
NOT_WRITTEN: Final = frozenset(
    {
        "APIGroup",
        "APIVersions",
        "Binding",
        "ComponentStatus",
        "Event",
        "Eviction",
        "IPAddress",
        "ResourcePoolStatusRequest",
        "Scale",
        "ServiceCIDR",
        "Status",
    }
)
# Written alike in every document, whatever the schema says of their form.
SCALARS: Final = {
    "FieldsV1": "anything",
    "IntOrString": "int-or-string",
    "MicroTime": "time",
    "Quantity": "quantity",
    "RawExtension": "anything",
    "Time": "time",
}
# The schema calls them required, and the API server takes what lacks them: an empty list, 0 or an empty text. The
# selector of a DaemonSet, the template of a CronJob and where local volumes lie are not mirrored, and what was exported
# lacks them: who creates pods of one asks for the first two.
NOT_REQUIRED: Final = frozenset(
    {
        ("CronJobSpec", "jobTemplate"),
        ("DaemonSetSpec", "selector"),
        ("CSINodeSpec", "drivers"),
        ("GitRepoVolumeSource", "repository"),
        ("HTTPHeader", "value"),
        ("HostPathVolumeSource", "path"),
        ("ISCSIPersistentVolumeSource", "lun"),
        ("ISCSIVolumeSource", "lun"),
        ("LimitRangeSpec", "limits"),
        ("LocalVolumeSource", "path"),
        ("NFSVolumeSource", "path"),
        ("NFSVolumeSource", "server"),
        ("PodFailurePolicy", "rules"),
        ("ResourcePool", "generation"),
        ("Sysctl", "value"),
        ("TokenRequest", "audience"),
    }
)
_FUNCTION: Final = re.compile(r"\nfunc schema_k8sio_api_(\w+?)_(v\w+?)_(\w+)\(ref.*?\n}\n", re.DOTALL)
_WORDS: Final = re.compile(r"\[\]interface\{\}\{(.*)\}")
_PROPERTY: Final = re.compile(r'\t+"(\w+)": \{')
# A signal is no word that scheduling reads, and there are sixty.
_MOST_WORDS: Final = 12


def downloaded(version: str, checksum: str) -> Path:
    """Return the folder of a version of the module."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["go", "mod", "download", "-json", f"{MODULE}@{version}"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)
    if answer["Sum"] != checksum:
        raise SystemExit(f"{MODULE}@{version}: the sum is {answer['Sum']}, pinned is {checksum}.")
    return Path(answer["Dir"])


class Definitions:
    """The definitions of every version that the kinds need: fields by name, and which of them have to be there."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.fields: dict[str, dict[str, str]] = defaultdict(dict)
        self.required: dict[str, list[str]] = {}
        self.words: dict[str, dict[str, str]] = {}

    def read(self, folder: Path) -> None:
        """Add what a version defines."""
        text = (folder / "api" / "openapi-spec" / "swagger.json").read_text(encoding="utf-8")
        definitions = json.loads(text)["definitions"]
        for name, definition in definitions.items():
            match definition.get("x-kubernetes-group-version-kind"):
                case [{"group": group, "version": version, "kind": kind}] if (
                    group in GROUPS and kind not in NOT_WRITTEN and not kind.endswith("List")
                ):
                    self.kinds[f"{group}/{version}/{kind}".lstrip("/")] = name
        statuses: list[str] = []
        seen = self._follow(definitions, list(self.kinds.values()), statuses, set())
        # Controllers and kubelets write statuses whole; people write what they need of one.
        for name in self._follow(definitions, statuses, statuses, seen) - seen:
            self.required[name] = []
        self.words = _words(folder / "pkg" / "generated" / "openapi" / "zz_generated.openapi.go")

    def _follow(self, definitions: Any, wanted: list[str], statuses: list[str], seen: set[str]) -> set[str]:
        """Add the definitions that are wanted with all that they need, statuses aside; return those seen by now."""
        seen = set(seen)
        while wanted:
            name = wanted.pop()
            if name in seen or name not in definitions:
                continue
            seen.add(name)
            own = self.fields[name]
            for field, content in definitions[name].get("properties", {}).items():
                own[field] = type_of(content, statuses if field == "status" else wanted)
            self.required[name] = definitions[name].get("required", [])
        return seen

    def labels(self) -> dict[str, str]:
        """Return what each definition is called: types that several versions have alike have one name."""
        found = {name: name.rpartition(".")[2] for name in self.fields}
        while True:
            alike: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
            for name, label in found.items():
                alike[label][self.line(name, found)].append(name)
            split = {label: lines for label, lines in alike.items() if len(lines) > 1}
            if not split:
                return found
            for label, lines in split.items():
                for names in sorted(lines.values(), key=lambda names: min(map(_age, names)))[1:]:
                    newest = min(names, key=_age).split(".")
                    found.update(dict.fromkeys(names, f"{label.partition('@')[0]}@{newest[-3]}.{newest[-2]}"))

    def line(self, name: str, labels: dict[str, str]) -> str:
        """Write the fields of a definition."""
        short, parts = name.rpartition(".")[2], []
        for field, kind in sorted(self.fields[name].items()):
            written = re.sub(r"<(.*)>", lambda found: labels[found[1]], kind)
            is_required = field in self.required[name] and (short, field) not in NOT_REQUIRED
            words = self.words.get(name, {}).get(field, "")
            parts.append(f"{field}:{written}{words}{'!' if is_required else ''}")
        return " ".join(parts)


def _age(name: str) -> tuple[bool, bool, str]:
    """Order definitions: core before other groups, stable before beta before alpha, the later first."""
    group, version = name.split(".")[-3:-1]
    return group != "core", "a" in version, version.replace("beta", "a").replace("alpha", "b")


def _words(generated: Path) -> dict[str, dict[str, str]]:
    """Return the words that a field may hold, by definition and field."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for function in _FUNCTION.finditer(generated.read_text(encoding="utf-8")):
        name, field = f"io.k8s.api.{function[1]}.{function[2]}.{function[3]}", ""
        for line in function[0].splitlines():
            if named := _PROPERTY.match(line):
                field = named[1]
            if (listed := _WORDS.search(line)) and "Enum:" in line and not name.endswith(("Status", "Condition")):
                words = re.findall(r'"([^"]*)"', listed[1])
                if len(words) <= _MOST_WORDS:
                    found[name][field] = f"={'|'.join(words)}"
    return found


def type_of(field: dict[str, Any], wanted: list[str]) -> str:
    """Return a field's type, and note the definition that it needs."""
    if reference := field.get("$ref"):
        name = str(reference.rpartition("/")[2])
        short = name.rpartition(".")[2]
        if short in SCALARS:
            return SCALARS[short]
        wanted.append(name)
        return f"<{name}>"
    kind = field.get("type", "anything")
    if kind == "array":
        return f"[]{type_of(field['items'], wanted)}"
    if kind == "object":
        return f"{{}}{type_of(field.get('additionalProperties', {}), wanted)}"
    return str(field.get("format", kind)) if kind == "integer" else str(kind)


def main() -> int:
    """Write the file."""
    definitions = Definitions()
    for version, checksum in SUMS.items():
        definitions.read(downloaded(version, checksum))
    labels = definitions.labels()
    types = {labels[name]: definitions.line(name, labels) for name in definitions.fields}
    document = {
        "source": [f"{MODULE}@{version}" for version in SUMS],
        "licence": "Apache-2.0",
        "kinds": {kind: labels[name] for kind, name in sorted(definitions.kinds.items())},
        "types": dict(sorted(types.items())),
    }
    TARGET.write_text(json.dumps(document, indent=0) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(document['kinds'])} kinds, {len(types)} types")
    return 0


if __name__ == "__main__":
    sys.exit(main())

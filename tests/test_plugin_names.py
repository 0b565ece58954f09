"""What a plugin is stands in its modules: no other file names one, but for these, each with the reason."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from clusters.engine.registry import PLUGINS, module_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWN = ("clusters/engine/plugins/", "clusters/wording/plugins/")
ALLOWED = {
    "clusters/wording/clusters/gaps.py": "a kind that a dump lacks is missed by plugins that upstream has read it",
    "clusters/demo/stories/nodes.py": "each pod of the demo shows one plugin",
    "clusters/demo/stories/pods.py": "each pod of the demo shows one plugin",
    "clusters/demo/stories/volumes.py": "each pod of the demo shows one plugin",
    "clusters/engine/analysis/blame.py": "requests are the one requirement that can be lowered instead of lifted",
    "clusters/engine/analysis/pins.py": "the DaemonSet controller pins its pods by a node affinity",
    "clusters/engine/analysis/remedies.py": "what to do about a claim follows from what the volume plugins say of it",
    "clusters/engine/configuration/argument_readers.py": "the fields of each plugin's arguments in the API",
    "clusters/engine/configuration/arguments.py": "the defaults of each plugin's arguments in the API",
    "clusters/engine/configuration/plugin_sets.py": "upstream names what a profile without a queue sort or bind lacks",
    "clusters/engine/configuration/releases.py": "the list of plugins, with their extension points, order and weights",
    "clusters/engine/configuration/scheduler.py": "extenders that manage resources change the arguments of this plugin",
    "clusters/engine/preemption.py": "preemption reads the arguments of its plugin",
    "clusters/engine/relaxing/relaxations.py": "requests are the one requirement that can be lowered instead of lifted",
    "clusters/engine/simulation/binding.py": "this plugin alone binds claims in PreBind",
    "clusters/engine/spreading/constraints.py": "constraints of pods without their own are arguments of this plugin",
    "clusters/services/studies/variants.py": "sweeps come with configurations that change these plugins' arguments",
    "dashboard/forms/runs/studies.py": "examples of what to write",
    "templates/nodes/_glance.html": "the column shows what this plugin counts of an image",
}
NAME = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(PLUGINS)})(?![A-Za-z])")
TOKEN = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(module_of(name).replace('_', '-') for name in PLUGINS)})(?![a-z-])")
MODULES = "clusters.engine.plugins"


def files() -> Iterator[Path]:
    root = settings.BASE_DIR
    for folder, endings in (
        ("clusters", "py"),
        ("dashboard", "py"),
        ("templates", "html"),
        ("static", "js"),
        ("static", "css"),
    ):
        for path in sorted((root / folder).rglob(f"*.{endings}")):
            if "vendor" not in path.parts and not path.relative_to(root).as_posix().startswith(OWN):
                yield path


def names_in_python(source: str) -> set[str]:
    """Return the plugins, or modules of plugins, that code names; what documents it may."""
    tree, found = ast.parse(source), set()
    documenting = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documenting:
            found.update(NAME.findall(node.value))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(MODULES):
            found.add(node.module or "")
        elif isinstance(node, ast.ImportFrom) and f"{node.module}." == MODULES.removesuffix("plugins"):
            found.update(MODULES for alias in node.names if alias.name == "plugins")
    return found


def names_in(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py":
            return names_in_python(text)
        case ".css":
            return {*TOKEN.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))} - {"node-name", "node-names"}
        case _:
            return {*NAME.findall(re.sub(r"\{#.*?#\}|//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL))}


@pytest.fixture(scope="module")
def naming() -> dict[str, set[str]]:
    found = {path.relative_to(settings.BASE_DIR).as_posix(): names_in(path) for path in files()}
    return {name: names for name, names in found.items() if names}


def test_nobody_else_names_a_plugin(naming: dict[str, set[str]]) -> None:
    new = {name: names for name, names in naming.items() if name not in ALLOWED}

    assert new == {}, (
        "state what these files know of a plugin in its module, or in its words in clusters/wording/plugins, and ask "
        "the registry; a special case of upstream goes to ALLOWED with its reason"
    )


def test_every_exception_is_one(naming: dict[str, set[str]]) -> None:
    assert ALLOWED.keys() - naming.keys() == set(), "these name no plugin any more: take them out of ALLOWED"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('if plugin == "NodeName": pass', {"NodeName"}),
        ("from clusters.engine.plugins.node_name import NodeName", {"clusters.engine.plugins.node_name"}),
        ("from clusters.engine import plugins", {"clusters.engine.plugins"}),
        ('"""NodeName keeps a pod to its node."""', set()),
        ('kind = "RemoveNodeAffinity"', set()),
        ("arguments = NodeAffinityArgs()", set()),
    ],
)
def test_a_name_is_found(source: str, found: set[str]) -> None:
    assert names_in_python(source) == found

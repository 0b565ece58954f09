"""What a plugin is stands in its modules: no other file names one without the reason beside the name."""

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

pytestmark = pytest.mark.unmeasured

OWN = ("clusters/engine/plugins/", "clusters/wording/plugins/")
NAME = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(PLUGINS)})(?![A-Za-z])")
TOKEN = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(module_of(name).replace('_', '-') for name in PLUGINS)})(?![a-z-])")
MODULES = "clusters.engine.plugins"
PLUGIN_OF = {module_of(name): name for name in PLUGINS}
EVERY = "Every plugin"
REASON = re.compile(rf"# ({EVERY}|{'|'.join(PLUGINS)}) by name: \S")


def files() -> Iterator[Path]:
    root = settings.BASE_DIR
    for folder, endings in (
        ("clusters", ("py",)),
        ("dashboard", ("py", "typ")),
        ("templates", ("html", "svg", "txt")),
        ("static", ("js", "css")),
    ):
        for ending in endings:
            for path in sorted((root / folder).rglob(f"*.{ending}")):
                if "vendor" not in path.parts:
                    yield path


def of_module(module: str) -> str:
    """Return the plugin that a module belongs to; the package of all is every plugin's."""
    return PLUGIN_OF.get(module.removeprefix(MODULES).strip(".").split(".")[0], EVERY)


def names_in_python(source: str) -> set[str]:
    """Return the plugins that code names, or whose modules it imports; what documents it may name any."""
    tree, found = ast.parse(source), set()
    documenting = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in documenting:
                found.update(NAME.findall(text))
            case ast.ImportFrom(module=str(module), names=names) if module == MODULES:
                found.update(of_module(alias.name) for alias in names)
            case ast.ImportFrom(module=str(module)) if module.startswith(MODULES):
                found.add(of_module(module))
            case ast.ImportFrom(module=str(module)) if f"{module}." == MODULES.removesuffix("plugins"):
                found.update(EVERY for alias in node.names if alias.name == "plugins")
            case ast.Import(names=names):
                found.update(of_module(alias.name) for alias in names if alias.name.startswith(MODULES))
    return found


def names_in(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py":
            return names_in_python(text)
        case ".css":
            tokens = TOKEN.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
            return {PLUGIN_OF[token.replace("-", "_")] for token in tokens} - {"NodeName"}
        case _:
            return {*NAME.findall(re.sub(r"\{#.*?#\}|(?<!:)//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL))}


def own(name: str) -> set[str]:
    """Return the plugin that a file of the plugins' two folders is about, and nothing for any other file."""
    if name.startswith("clusters/wording/plugins/"):
        return {EVERY, *PLUGINS}
    inside = [name.removeprefix(folder) for folder in OWN if name.startswith(folder)]
    return {
        PLUGIN_OF[module]
        for module in (part.split("/")[0].removesuffix(".py") for part in inside)
        if module in PLUGIN_OF
    }


@pytest.fixture(scope="module")
def naming() -> dict[str, set[str]]:
    found = {}
    for path in files():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        found[name] = names_in(path) - own(name)
    return {name: names for name, names in found.items() if names}


def reasons_in(name: str) -> set[str]:
    return set(REASON.findall((settings.BASE_DIR / name).read_text(encoding="utf-8")))


def test_nobody_names_another_plugin_without_the_reason_beside_it(naming: dict[str, set[str]]) -> None:
    lacking = {
        name: without
        for name, names in naming.items()
        if EVERY not in (said := reasons_in(name)) and (without := names - said)
    }

    assert lacking == {}, (
        "state what these files know of a plugin in its module, or in its words in clusters/wording/plugins, and ask "
        "the registry; beside a special case of upstream write `# <plugin> by name: <reason>`"
    )


def test_every_reason_is_of_a_name(naming: dict[str, set[str]]) -> None:
    idle = {}
    for path in files():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        named = naming.get(name, set())
        if more := reasons_in(name) - named - ({EVERY} if named else set()):
            idle[name] = more

    assert idle == {}, "these name the plugin no more: take the reason out"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('if plugin == "NodeName": pass', {"NodeName"}),
        ("from clusters.engine.plugins.node_name import NodeName", {"NodeName"}),
        ("from clusters.engine import plugins", {EVERY}),
        ("from clusters.engine.plugins import node_name", {"NodeName"}),
        ("import clusters.engine.plugins.node_name", {"NodeName"}),
        ('"""NodeName keeps a pod to its node."""', set()),
        ('kind = "RemoveNodeAffinity"', set()),
        ("arguments = NodeAffinityArgs()", set()),
    ],
)
def test_a_name_is_found(source: str, found: set[str]) -> None:
    assert names_in_python(source) == found

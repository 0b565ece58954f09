"""Measures what the tests notice: ``python -m scripts.mutants [--seed N] [--sample N] [MODULE …]``.

Draws single changes of the modules of ``[tool.berth.mutants]`` in pyproject.toml (a comparison, an operator, a
constant, a condition or what is returned), runs the tests named beside the module on each, and prints those that
no test notices and the share that one does. Files stay as they are: a change is made while its module is imported,
and so not in the processes that a test starts.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import subprocess
import sys
import tomllib
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

_ROOT = Path(__file__).parents[1]
# Where a changed module loops for ever, the tests are stopped: that is noticed.
_SECONDS = 600
# The settings of tests leave no other variable of ours.
_VARIABLE = "BERTH_TEST_MUTANT"
_UNCHANGED = -1

_OPERATORS: dict[type[ast.AST], ast.AST] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.And: ast.Or(),
    ast.Or: ast.And(),
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.FloorDiv(),
    ast.FloorDiv: ast.Mult(),
}


def changes(tree: ast.Module) -> Iterator[tuple[int, str, Callable[[], None]]]:
    """Yield the line, the kind and the making of each change of the functions of a module, always in the same order."""
    for holder in ast.walk(tree):
        if isinstance(holder, ast.Module | ast.ClassDef):
            for function in holder.body:
                if isinstance(function, ast.FunctionDef):
                    for node in (node for statement in function.body for node in ast.walk(statement)):
                        yield from _changes_of(node)


def _changes_of(node: ast.AST) -> Iterator[tuple[int, str, Callable[[], None]]]:
    match node:
        case ast.Compare(lineno=line, ops=[operator, *rest]) if type(operator) in _OPERATORS:
            yield line, "comparison", lambda: setattr(node, "ops", [_OPERATORS[type(operator)], *rest])
        case ast.BoolOp(lineno=line, op=operator) | ast.BinOp(lineno=line, op=operator) if type(operator) in _OPERATORS:
            yield line, "operator", lambda: setattr(node, "op", _OPERATORS[type(operator)])
        case ast.Constant(lineno=line, value=bool(known)):
            yield line, "constant", lambda: setattr(node, "value", not known)
        case ast.Constant(lineno=line, value=int(number)):
            yield line, "constant", lambda: setattr(node, "value", number + 1)
        case ast.If(lineno=line, test=test) | ast.IfExp(lineno=line, test=test):
            yield line, "condition", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.Return(lineno=line, value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield line, "return", lambda: setattr(node, "value", ast.Constant(None))


class _Loader(SourceFileLoader):
    """Compiles a module with one change, and neither reads nor writes what was compiled before."""

    number: int

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the changed module."""
        tree = ast.parse(Path(self.path).read_bytes())
        if self.number != _UNCHANGED:
            _, _, make = list(changes(tree))[self.number]
            make()
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the one module that is to be changed."""

    def __init__(self, module: str, number: int) -> None:
        self._module = module
        self._number = number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's specification with the loader that changes it, and none of any other module."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname == self._module else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin)
            spec.loader.number = self._number
        return spec


# As pytest's plugin this file is imported before any of ours is: from then on the named module is a changed one.
if named := os.environ.get(_VARIABLE):
    _module, _, _number = named.rpartition(":")
    sys.meta_path.insert(0, _Finder(_module, int(_number)))


def _pass(path: str, number: int, tests: list[str]) -> bool:
    module = path.removesuffix(".py").replace("/", ".")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", __spec__.name]
    environment = {**os.environ, _VARIABLE: f"{module}:{number}"}
    try:
        ended = subprocess.run(
            [*command, *tests], check=False, cwd=_ROOT, env=environment, capture_output=True, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def main() -> int:
    """Print which changes of a sample the tests notice; return 1 where tests fail on what is not changed."""
    parser = argparse.ArgumentParser(description="Measure which changes of the code the tests notice.")
    parser.add_argument("modules", nargs="*", help="files to change; without any, all of [tool.berth.mutants]")
    parser.add_argument("--seed", type=int, default=27, help="which changes are drawn")
    parser.add_argument("--sample", type=int, default=40, help="how many changes are tried")
    options = parser.parse_args()
    tests: dict[str, list[str]] = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["berth"]["mutants"]
    drawn = [
        (path, number, line, kind)
        for path in options.modules or tests
        for number, (line, kind, _) in enumerate(changes(ast.parse((_ROOT / path).read_bytes())))
    ]
    sample = sorted(random.Random(options.seed).sample(drawn, min(options.sample, len(drawn))))
    failing = [path for path in {path for path, *_ in sample} if not _pass(path, _UNCHANGED, tests[path])]
    if failing:
        print(f"Tests fail without any change: {', '.join(failing)}.")
        return 1
    survivors = 0
    for path, number, line, kind in sample:
        survived = _pass(path, number, tests[path])
        survivors += survived
        print(f"{'SURVIVED' if survived else 'noticed '} {path}:{line} {kind}", flush=True)
    noticed = len(sample) - survivors
    print(
        f"{noticed} of {len(sample)} changes noticed ({100 * noticed // max(len(sample), 1)} %), {len(drawn)} possible."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Device selectors: one CEL expression and its answers for devices.

Upstream: ``cel/compile.go`` of ``k8s.io/dynamic-resource-allocation`` v0.34.1. ``device.attributes`` and
``device.capacity`` are maps of maps: an unknown domain is an empty map, an unknown name in it an error. Expressions are
not checked for types before they are evaluated, as the API server has done that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import celpy
from celpy.celparser import CELParseError
from celpy.celtypes import BoolType, IntType, MapType, StringType
from celpy.evaluation import CELEvalError, Evaluator
from lark import Token, Tree

from clusters.adapters.cel.answers import Answer, Answers, Part, Reading, attribute, capacity
from clusters.adapters.cel.functions import FUNCTIONS, NAMES
from clusters.adapters.cel.semver import Version
from clusters.engine.devices.capacity import exact
from clusters.engine.devices.inventory import AttributeType
from clusters.engine.devices.selecting import CompileError, EvaluationError, UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Iterator

from clusters.engine.devices.inventory import Attribute, Device

# What the API server admits: CELSelectorExpressionMaxLength.
MAX_LENGTH: Final = 10 * 1024
# Parts of the expression that one evaluation may visit. Kubernetes counts otherwise, up to a million.
MAX_VISITS: Final = 200_000

_MACROS: Final = frozenset({"has", "map", "filter", "all", "exists", "exists_one"})
_BIND: Final = "bind"


class _Recorder:
    """What is read of one device during one evaluation."""

    def __init__(self, driver: str, device: Device) -> None:
        self.driver, self.device = driver, device
        self.readings: dict[Reading, None] = {}
        self.missing = ""

    def note(self, part: Part, domain: str = "", name: str = "") -> None:
        self.readings[Reading(part, domain, name)] = None


class _Domain(MapType):
    """Attributes or capacities of one domain, converted when they are looked at."""

    def __init__(self, recorder: _Recorder, part: Part, domain: str) -> None:
        super().__init__()
        self._recorder, self._part, self._domain = recorder, part, domain

    def _look(self, name: str) -> Any:
        recorder = self._recorder
        recorder.note(self._part, self._domain, name)
        if self._part is Part.ATTRIBUTE:
            found = attribute(recorder.driver, recorder.device, self._domain, name)
            return None if found is None else _value(found)
        amount = capacity(recorder.driver, recorder.device, self._domain, name)
        return None if amount is None else exact(amount)

    def __getitem__(self, key: Any) -> Any:
        found = self._look(str(key))
        if found is None:
            self._recorder.missing = str(key)
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return self._look(str(key)) is not None

    def __iter__(self) -> Iterator[Any]:
        recorder = self._recorder
        is_attribute = self._part is Part.ATTRIBUTE
        recorder.note(Part.ALL_ATTRIBUTES if is_attribute else Part.ALL_CAPACITY)
        names = recorder.device.attributes if is_attribute else recorder.device.capacity
        for domain, name in map(_split(recorder.driver), names):
            if domain == self._domain:
                yield StringType(name)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        raise UnsupportedExpressionError("==")

    __hash__ = None  # type: ignore[assignment]


class _Domains(MapType):
    """``device.attributes`` or ``device.capacity``: a map for each domain, empty where the device has nothing of it."""

    def __init__(self, recorder: _Recorder, part: Part) -> None:
        super().__init__()
        self._recorder, self._part = recorder, part

    def __getitem__(self, key: Any) -> Any:
        return _Domain(self._recorder, self._part, str(key))

    def __iter__(self) -> Iterator[Any]:
        recorder = self._recorder
        is_attribute = self._part is Part.ATTRIBUTE
        recorder.note(Part.ALL_ATTRIBUTES if is_attribute else Part.ALL_CAPACITY)
        names = recorder.device.attributes if is_attribute else recorder.device.capacity
        yield from dict.fromkeys(StringType(domain) for domain, _ in map(_split(recorder.driver), names))

    def __contains__(self, key: object) -> bool:
        return any(str(key) == str(domain) for domain in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        raise UnsupportedExpressionError("==")

    __hash__ = None  # type: ignore[assignment]


class _DeviceMap(MapType):
    """The variable ``device``."""

    def __init__(self, recorder: _Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __getitem__(self, key: Any) -> Any:
        match str(key):
            case "driver":
                self._recorder.note(Part.DRIVER)
                return StringType(self._recorder.driver)
            case "attributes":
                return _Domains(self._recorder, Part.ATTRIBUTE)
            case "capacity":
                return _Domains(self._recorder, Part.CAPACITY)
            case "allowMultipleAllocations":
                self._recorder.note(Part.IS_SHARED)
                return BoolType(self._recorder.device.is_shared)
        raise UnsupportedExpressionError(str(key))


class _Evaluator(Evaluator):
    """Counts what it visits, and knows ``cel.bind``."""

    visits = 0

    # Under this name lark comes to every part; under its public one, to the whole and the bodies of macros only.
    def _visit_tree(self, tree: Any) -> Any:
        root = self._root
        root.visits += 1
        if root.visits > MAX_VISITS:
            raise UnsupportedExpressionError("cost")
        return super()._visit_tree(tree)

    _parent: _Evaluator | None = None

    @property
    def _root(self) -> _Evaluator:
        return self if self._parent is None else self._parent

    def sub_evaluator(self, ast: Any) -> Evaluator:
        inner = _Evaluator(ast, activation=self.activation)
        inner._parent = self._root
        return inner

    def member_dot_arg(self, tree: Any) -> Any:
        if not _is_bind(tree):
            return super().member_dot_arg(tree)
        variable, value, expression = tree.children[2].children
        inner = self.sub_evaluator(expression)
        bound = self.visit(value)
        if isinstance(bound, CELEvalError):
            return bound
        inner.set_activation({_identifier(variable): bound})
        return inner.visit(expression)


class _Runner(celpy.InterpretedRunner):
    def evaluate(self, context: Any) -> Any:
        return _Evaluator(ast=self.ast, activation=self.new_activation()).evaluate(context)


# It raises Python's limit of recursion, which parsing an expression needs.
_ENVIRONMENT: Final = celpy.Environment(runner_class=_Runner)


class DeviceSelector:
    """A compiled expression with the answers that it has given."""

    def __init__(self, runner: celpy.Runner) -> None:
        self._runner = runner
        self._answers = Answers()

    def matches(self, driver: str, device: Device) -> bool:
        """Whether a device of this driver is selected. Raises EvaluationError, UnsupportedExpressionError."""
        answer = self._answers.get(driver, device)
        if answer is None:
            recorder = _Recorder(driver, device)
            answer = self._evaluated(recorder)
            self._answers.keep(driver, device, list(recorder.readings), answer)
        if answer.error:
            raise EvaluationError(answer.error)
        return answer.selected

    def _evaluated(self, recorder: _Recorder) -> Answer:
        try:
            found = self._runner.evaluate({"device": _DeviceMap(recorder)})
        except CELEvalError as error:
            return Answer(selected=False, error=_in_words_of_cel_go(error, recorder.missing))
        except RecursionError:
            raise UnsupportedExpressionError("depth") from None
        if not isinstance(found, BoolType):
            return Answer(
                selected=False, error=f"CEL result of type {type(found).__name__} could not be converted to bool"
            )
        return Answer(selected=bool(found))


def compile_selector(expression: str) -> DeviceSelector:
    """Compile one expression. Raises CompileError, UnsupportedExpressionError."""
    if len(expression) > MAX_LENGTH:
        raise UnsupportedExpressionError("length")
    try:
        tree = _ENVIRONMENT.compile(expression)
    except CELParseError as error:
        raise CompileError(str(error.args[0]).strip()) from None
    except RecursionError:
        raise UnsupportedExpressionError("depth") from None
    for name in _called(tree):
        if name not in NAMES and name not in _MACROS:
            raise UnsupportedExpressionError(name)
    return DeviceSelector(_ENVIRONMENT.program(tree, functions=dict(FUNCTIONS)))


def _in_words_of_cel_go(error: CELEvalError, missing: str) -> str:
    kind = error.args[1] if len(error.args) > 1 else None
    if kind is KeyError and missing:
        return f"no such key: {missing}"
    return "no such overload" if kind is TypeError else str(error.args[0])


def _called(tree: Tree[Any]) -> Iterator[str]:
    """Names of all functions, methods and macros of an expression."""
    for each in tree.iter_subtrees():
        if each.data in {"ident_arg", "dot_ident_arg"}:
            yield str(each.children[0])
        elif each.data == "member_dot_arg" and not _is_bind(each):
            yield str(each.children[1])
        elif each.data == "member_object":
            yield "{}"


def _is_bind(tree: Tree[Any]) -> bool:
    """Whether a call is ``cel.bind`` with a variable, its value and an expression."""
    arguments = 3
    return (
        len(tree.children) == arguments
        and str(tree.children[1]) == _BIND
        and _identifier(tree.children[0]) == "cel"
        and len(tree.children[2].children) == arguments
    )


def _identifier(tree: Any) -> str:
    """The name that an expression consists of, empty where it is anything else."""
    while isinstance(tree, Tree) and len(tree.children) == 1:
        tree = tree.children[0]
    return str(tree) if isinstance(tree, Token) and tree.type == "IDENT" else ""


def _split(driver: str) -> Any:
    def split(name: str) -> tuple[str, str]:
        domain, slash, own = name.partition("/")
        return (domain, own) if slash else (driver, name)

    return split


def _value(held: Attribute) -> Any:
    match held.type:
        case AttributeType.INT:
            return IntType(held.value)
        case AttributeType.BOOL:
            return BoolType(held.value)
        case AttributeType.VERSION:
            return Version.parse(str(held.value))
        case AttributeType.STRING:
            return StringType(str(held.value))

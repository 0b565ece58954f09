"""Sentences are made in the wording ring, as messages that can be translated, and nowhere else."""

from __future__ import annotations

import ast
import tomllib
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.utils.translation import gettext_lazy, override, pgettext

from clusters.wording.messages import Message, message, plural
from tests.support.messages import messages, template_messages
from tests.support.script_text import script_texts, texts_of_scripts
from tests.support.sentences import TABLES, WORDING, sentences, sentences_by_file

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

# It reads code.
pytestmark = pytest.mark.unmeasured

ROOT = settings.BASE_DIR


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def problems(source: str) -> list[str]:
    return [problem for message in messages(source) for problem in message.problems]


def test_every_message_can_be_translated() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{message.line}": message.problems
        for path in modules(WORDING, TABLES)
        for message in messages(path.read_text(encoding="utf-8"))
        if message.problems
    }

    assert found == {}


def test_what_berth_says_stays_within_its_budget() -> None:
    budget = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["berth"]["words"]
    said = {
        text
        for path in modules("clusters", "dashboard")
        for message in messages(path.read_text(encoding="utf-8"))
        for text in message.texts[:1]
    }
    for path in (ROOT / "templates").rglob("*.html"):
        said.update(template_messages(path.read_text(encoding="utf-8")))
    words = sum(len(text.split()) for text in said)

    assert len(said) <= budget["messages"], "say it in fewer messages"
    assert words <= budget["words"], "say it in fewer words"


def test_every_call_gives_a_declared_message_its_values_and_nothing_else() -> None:
    wrong, calls = {}, 0
    for path in [path for ring in ("clusters", "dashboard") for path in sorted((ROOT / ring).rglob("*.py"))]:
        if "migrations" in path.parts:
            continue
        where = path.relative_to(ROOT)
        module = import_module(".".join(where.with_suffix("").parts).removesuffix(".__init__"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(declared := named(module, node.func), Message):
                calls += 1
                if node.args or {each.arg for each in node.keywords} != declared.values:
                    wrong[f"{where}:{node.lineno}"] = ast.unparse(node)

    assert wrong == {}
    assert calls > 500


def named(module: ModuleType, name: ast.expr) -> object:
    """What a module has under a name, or under the name of one of its imports and a name there."""
    if isinstance(name, ast.Attribute):
        return getattr(named(module, name.value), name.attr, None)
    return getattr(module, name.id, None) if isinstance(name, ast.Name) else None


def test_a_declared_message_is_said_with_its_values_in_the_language_asked() -> None:
    fit = plural("%(pods)s pod fits on %(node)s.", "%(pods)s pods fit on %(node)s.", by="pods")

    assert fit(pods=1, node="a") == "1 pod fits on a."
    assert fit(pods=2500, node=gettext_lazy("a node")) == "2\u202f500 pods fit on a node."
    with pytest.raises(TypeError):
        fit(pods="2", node="a")
    with override("uk"):
        assert message("Pending", context="state of a pod")() == pgettext("state of a pod", "Pending") != "Pending"


def test_the_wording_ring_knows_the_engine_problems_and_gettext_alone() -> None:
    rings = ("clusters.engine", "clusters.problems", "clusters.wording")
    # Besides gettext the type of a text whose language is known later.
    allowed = (*rings, "django.utils.translation", "django.utils.functional._StrPromise")
    for path in modules(WORDING):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            inside = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            imported = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
            names = [f"{inside}{alias.name}" for alias in imported]
            foreign = [name for name in names if name.startswith(("clusters", "dashboard", "django"))]
            assert all(name.startswith(allowed) for name in foreign), f"{path.relative_to(ROOT)} imports {foreign}"


def test_no_sentence_stands_elsewhere() -> None:
    assert sentences_by_file(ROOT) == {}, "sentences belong to clusters/wording"


def test_no_script_says_anything_itself() -> None:
    assert texts_of_scripts() == [], "hand scripts their sentences in data-says-… or with what they draw"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('say("Upload started.");', "Upload started."),
        ('words.textContent = "Starting.";', "Starting."),
        ("say(`${sent} of ${all} sent (${part} %)`);", "0 of 0 sent (0 %)"),
        ('line(workload || "no controller");', "no controller"),
        ("[`${state}, on ${name}`];", "0, on 0"),
        ("const part = /['\"]/.test(name); say('Not found');", "Not found"),
    ],
)
def test_what_a_script_says_is_found(source: str, text: str) -> None:
    assert [found for _, found in script_texts(source)] == [text]


@pytest.mark.parametrize(
    "source",
    [
        "say(form.dataset.saysStarted); // Upload started.",
        "/* It says: 'not this'. */",
        'document.querySelector(".site-search input");',
        'root.querySelectorAll("dialog [data-closes]");',
        "context.font = `600 ${size}px ${colours.font}`;",
        'console.warn("picture: it could not be drawn");',
        'import { announce } from "./page.js";',
        'open(address, "_blank", "noopener");',
    ],
)
def test_what_a_script_does_not_say_is_left_alone(source: str) -> None:
    assert list(script_texts(source)) == []


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ('def say(n): return _("%(nodes)s fit") % {"nodes": n}', ""),
        ('def say(n): return ngettext("%(n)s node", "%(n)s nodes", n) % {"n": n}', ""),
        ('def say(): return _("100 % of it")', ""),
        ('WORD = pgettext_lazy("pod", "Pending")', ""),
        ('WORD = _("Pending")', "a function asks for the text itself, a constant for a lazy one"),
        ('def say(n): return _(f"{n} fit")', "the text is no literal, so nobody can collect it"),
        ('def say(n): return _("%s fit") % n', "placeholders are written %(name)s, and a percent sign"),
        ('def say(n): return _("%(a)s fit")', "nothing fills a"),
        ('def say(n): return _("%(a)s fit") % n', "a message is filled with a dict"),
        ('def say(n): return _("%(a)s fit") % {"b": n}', "it is filled with b, and has placeholders for a"),
        ('def say(n): v = {"a": n, "b": n}; return _("%(a)s fit") % v', ""),
        ('def say(n): v = {"b": n}; return _("%(a)s fit") % v', "it is filled with b, and has placeholders for a"),
        ('def say(n): return _("All fit") % {"b": n}', "it is filled with b, and has placeholders for nothing"),
        ('def say(n): return ngettext("%(a)s", "%(b)s", n) % {"a": n}', "singular and plural have different"),
        ('def say(n): return ngettext("one", "%(b)s", n) % {"b": n}', "singular and plural have different"),
        ('FIT = message("%(nodes)s fit")', ""),
        ('FIT = message(f"{n} fit")', "the text is no literal, so nobody can collect it"),
        ('FIT = plural("one", "%(b)s", by="b")', "singular and plural have different"),
        ('FIT = message("%s fit")', "placeholders are written %(name)s, and a percent sign"),
    ],
)
def test_a_message_that_cannot_be_translated_is_found(source: str, problem: str) -> None:
    found = problems(source)

    assert len(found) == (1 if problem else 0)
    assert not problem or found[0].startswith(problem)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('say = f"{count} nodes do not match"', "x nodes do not match"),
        ('say = "No node fits" + why', "No node fits"),
        ('raise BadInput("It holds no node.")', "It holds no node."),
        ('say = _("No node fits.")', "No node fits."),
    ],
)
def test_a_sentence_is_found(source: str, text: str) -> None:
    assert [found for _, found in sentences(source)] == [text]


@pytest.mark.parametrize(
    "source",
    [
        '"""What a module is about."""',
        'raise ValueError("a pod has one key")',
        'log.info("the watch of %s ended", kind)',
        're.compile("as many as (there are)")',
        'query = "SELECT name FROM pods WHERE node"',
        'classes = "button is-small"',
        'name = "kubernetes.io/hostname"',
        'parser.add_argument("--pod", help="the pod to explain")',
        '_latest: Cache[int, Takers] = Cache("candidates for nodes", 2)',
        'found = attempted(f"The headroom of {name}", count)',
        'class Conclusion(Enum): DOES_NOT_FIT = "does not fit"',
        'class Conclusion(enum.StrEnum): DOES_NOT_FIT = "does not fit"',
        'conclusion: Literal["fits", "does not fit"]',
    ],
)
def test_what_is_no_sentence_for_people_is_left_alone(source: str) -> None:
    assert list(sentences(source)) == []


def test_in_the_wording_ring_only_what_is_no_message_is_found() -> None:
    source = 'def say(n): return _("No node fits."), f"{n} nodes"'

    assert [found for _, found in sentences(source, wording=True)] == ["x nodes"]

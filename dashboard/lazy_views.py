"""Views that are loaded when their page is first asked for, so that the web process starts without the others."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Package:
    """A package whose modules have views."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Views:
        return Views(f"{self._package}.{name}")


class Views:
    """The views of a module, which an address can name without loading it."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> LazyView:
        return LazyView(self._module, name)


class LazyView:
    """One view, loaded by the thread that answers: when a middleware asks what the view is marked with."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__ = module
        self.__name__ = self.__qualname__ = name

    def load(self) -> Any:
        """Return the view itself. Raises ImportError and AttributeError for one that does not exist."""
        return getattr(import_module(self.__module__), self.__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.load()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        # Django asks all addresses for the class of their view when it first writes one; none of these views has any.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.load(), name)

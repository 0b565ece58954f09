#!/usr/bin/env python3
"""Django's entry point in a checkout: the command `berth` of an installation."""

from __future__ import annotations

from dashboard.__main__ import main

if __name__ == "__main__":
    main()

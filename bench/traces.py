"""What a trace of Chromium tells of a page."""

from __future__ import annotations

from typing import Any

TASKS = ("toplevel", "disabled-by-default-devtools.timeline")
"""The categories of a trace that has tasks."""
_NAMING_THE_RENDERER = ("FrameCommittedInBrowser", "ProcessReadyInBrowser")


def longest_task(events: list[dict[str, Any]]) -> tuple[float, float] | None:
    """Return the milliseconds of a page's longest task, by the clock and of the processor; None where it has no task.

    Only renderers that the page was committed to count: Chromium's own pages, as those behind its address bar, are
    loaded in renderers of their own at any time, with tasks of 50 ms and more.
    """
    # A renderer that is not running yet when the page is committed to it is named once it is.
    committed = {
        event["args"]["data"].get("processId") for event in events if event["name"] in _NAMING_THE_RENDERER
    } or {
        # A page that stood already is named where the trace begins.
        frame.get("processId")
        for event in events
        if event["name"] == "TracingStartedInBrowser"
        for frame in event["args"]["data"].get("frames", ())
    }
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain" and event["pid"] in committed
    }
    tasks = [
        event
        for event in events
        if event["name"] == "RunTask" and event["ph"] == "X" and (event["pid"], event["tid"]) in mains
    ]
    if not tasks:
        return None
    return max(task["dur"] for task in tasks) / 1000, max(task.get("tdur", 0) for task in tasks) / 1000


def main_thread_frames(events: list[dict[str, Any]]) -> list[float]:
    """Return how many milliseconds of the processor the main thread of a page worked for each frame."""
    name = "ProxyMain::BeginMainFrame"
    return [event["tdur"] / 1000 for event in events if event["name"] == name and "tdur" in event]

"""The pods that wait, one story each: why they cannot be placed, or where they will be in a moment."""

from __future__ import annotations

from clusters.demo.stories.nodes import FITTING, NODE_STORIES, RESOURCE_STORIES
from clusters.demo.stories.pods import POD_STORIES
from clusters.demo.stories.queue import QUEUE_STORIES
from clusters.demo.stories.volumes import VOLUME_STORIES

TOLD = (*FITTING, *NODE_STORIES, *RESOURCE_STORIES, *VOLUME_STORIES, *POD_STORIES, *QUEUE_STORIES)
STORIES = {pod: workload.shows for workload in TOLD for pod in workload.story_pods()}

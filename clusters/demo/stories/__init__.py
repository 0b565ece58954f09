"""The pending pods, one story each: why they are unschedulable, or which node they will get in a moment."""

from __future__ import annotations

from clusters.demo.stories.nodes import FITTING, NODE_STORIES, RESOURCE_STORIES
from clusters.demo.stories.pods import POD_STORIES
from clusters.demo.stories.queue import QUEUE_STORIES
from clusters.demo.stories.volumes import VOLUME_STORIES

TOLD = (*FITTING, *NODE_STORIES, *RESOURCE_STORIES, *VOLUME_STORIES, *POD_STORIES, *QUEUE_STORIES)
STORIES = {pod: workload.shows for workload in TOLD for pod in workload.story_pods()}

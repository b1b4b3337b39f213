"""The shapes of bodies and answers, and of webhooks."""

from ._generated.models import *  # noqa: F403

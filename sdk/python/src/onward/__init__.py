"""Client of Onward, the customer onboarding and engagement service."""

from . import errors, webhooks
from ._async_client import AsyncOnward
from ._client import Onward
from ._core import Answer, Options
from ._cursor import AsyncCursor, Cursor, Page
from ._errors import OnwardError
from ._version import __version__
from .webhooks import verify as verify_webhook

__all__ = [
    "Answer",
    "AsyncCursor",
    "AsyncOnward",
    "Cursor",
    "Onward",
    "OnwardError",
    "Options",
    "Page",
    "__version__",
    "errors",
    "verify_webhook",
    "webhooks",
]

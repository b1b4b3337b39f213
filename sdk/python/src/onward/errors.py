"""Errors by their codes: `except onward.errors.UniqueIdTaken`."""

from ._errors import ConnectionFailed as ConnectionFailed
from ._errors import CredentialsMissing as CredentialsMissing
from ._errors import OnwardError as OnwardError
from ._errors import TimedOut as TimedOut
from ._errors import UnexpectedAnswer as UnexpectedAnswer
from ._errors import WaitTimedOut as WaitTimedOut
from ._errors import WebhookInvalid as WebhookInvalid
from ._generated.errors import *  # noqa: F403

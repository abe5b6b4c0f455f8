"""Server helpers for Lendloom: open a session, verify a webhook, types of every update."""

from .client import Client, Session, WebhookEndpoint
from .errors import LendloomError, NoAnswerError, WebhookError
from .sessions import SessionRequest
from .updates import LifecycleStatus, LifecycleUpdate
from .webhook import Webhook, verify_webhook

__all__ = [
    "Client",
    "LendloomError",
    "LifecycleStatus",
    "LifecycleUpdate",
    "NoAnswerError",
    "Session",
    "SessionRequest",
    "Webhook",
    "WebhookEndpoint",
    "WebhookError",
    "verify_webhook",
]

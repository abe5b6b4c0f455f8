"""The API of Lendloom for servers: every operation, verification of webhooks, types of every update."""

from .client import Borrower, Client, Session, WebhookEndpoint
from .errors import LendloomError, NoAnswerError, WebhookError
from .schemas import LifecycleStatus, LifecycleUpdate, RefreshResult, SessionRequest
from .webhook import Webhook, verify_webhook

__all__ = [
    "Borrower",
    "Client",
    "LendloomError",
    "LifecycleStatus",
    "LifecycleUpdate",
    "NoAnswerError",
    "RefreshResult",
    "Session",
    "SessionRequest",
    "Webhook",
    "WebhookEndpoint",
    "WebhookError",
    "verify_webhook",
]
